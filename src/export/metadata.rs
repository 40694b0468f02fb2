//! What a picture says of itself in its file, where whoever finds it later can read it: which program made it, by which
//! command.

use flate2::Crc;

/// Bytes of a PNG before whatever follows its first chunk: the signature, and IHDR with its length and its sum.
const AFTER_HEAD: usize = 8 + 4 + 4 + 13 + 4;

/// A PNG with this text as its comment (an `iTXt` chunk of the keyword `Comment`, PNG 3, 11.3.3.4). What is no PNG, or
/// has nothing to say, stays as it is.
pub fn described_png(png: Vec<u8>, about: &str) -> Vec<u8> {
    if about.is_empty() || png.len() < AFTER_HEAD || !png.starts_with(b"\x89PNG\r\n\x1a\n") {
        return png;
    }
    let mut chunk = b"iTXt".to_vec();
    // The keyword, not compressed, no language, no translated keyword.
    chunk.extend(b"Comment\0\0\0\0\0");
    chunk.extend(about.as_bytes());
    let mut sum = Crc::new();
    sum.update(&chunk);
    let mut described = Vec::with_capacity(png.len() + chunk.len() + 8);
    let (head, rest) = png.split_at(AFTER_HEAD);
    described.extend(head);
    // The name does not count.
    described.extend((chunk.len() as u32 - 4).to_be_bytes());
    described.extend(chunk);
    described.extend(sum.sum().to_be_bytes());
    described.extend(rest);
    described
}

/// An SVG with this text as the description of the whole (`<desc>`, SVG 2, 5.7).
pub(super) fn described_svg(svg: &str, about: &str) -> String {
    let root = svg.find("<svg").and_then(|start| Some(start + svg.get(start..)?.find('>')? + 1));
    let Some(after) = root.filter(|_| !about.is_empty()) else { return svg.to_owned() };
    let (head, rest) = svg.split_at(after);
    // A root that is closed at once has no room for anything.
    if head.ends_with("/>") {
        return svg.to_owned();
    }
    format!("{head}\n<desc>{}</desc>{rest}", escaped_xml(about))
}

/// Text between tags of XML, and in attributes; what XML has no place for is left out.
pub(super) fn escaped_xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\n' | '\t' => out.push(letter),
            letter if letter.is_control() || matches!(letter, '\u{FFFE}' | '\u{FFFF}') => {}
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::base::Pixels;

    #[test]
    fn a_png_with_a_comment_is_read_by_others_with_it() {
        let plain = Pixels::filled(3, 2, [1, 2, 3, 255]).unwrap().to_png().unwrap();
        let described = described_png(plain.clone(), "Pentimento: → a");
        let mut reader = png::Decoder::new(Cursor::new(&described)).read_info().unwrap();
        let mut rgba = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut rgba).unwrap();
        assert_eq!(rgba[..4], [1, 2, 3, 255]);
        let text = &reader.info().utf8_text[0];
        assert_eq!(
            (text.keyword.as_str(), text.get_text().unwrap()),
            ("Comment", "Pentimento: → a".to_owned())
        );
        assert_eq!(described_png(plain.clone(), ""), plain);
        assert_eq!(described_png(b"no picture".to_vec(), "x"), b"no picture");
    }

    #[test]
    fn an_svg_has_its_description_first_and_stays_xml() {
        let svg = "<?xml version=\"1.0\"?><svg width=\"1\"><g/></svg>";
        let expected = "<?xml version=\"1.0\"?><svg width=\"1\">\n<desc>a &lt; b</desc><g/></svg>";
        assert_eq!(described_svg(svg, "a < b"), expected);
        assert_eq!(described_svg("<svg/>", "x"), "<svg/>");
        assert_eq!(escaped_xml("a\u{1}\u{FFFF}\""), "a&quot;");
    }
}
