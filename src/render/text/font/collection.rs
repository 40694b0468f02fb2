//! One font out of a collection.
//!
//! The shaping engine knows the fonts of a collection by their own names only, and a family of that
//! name then holds whatever was registered before: which of two files a text is set in would depend
//! on the texts set earlier. As a file of its own every font gets a name of ours.
//!
//! Source: OpenType 1.9.1, *Font file*: `TTCHeader`, `TableDirectory`, `TableRecord`.

/// Font `index` of a collection as a file of its own; `None` if `data` is no collection or has no
/// such font.
pub(crate) fn member(data: &[u8], index: u32) -> Option<Vec<u8>> {
    if data.get(..4)? != b"ttcf" || index >= u32_at(data, 8)? {
        return None;
    }
    let directory = u32_at(data, 12 + 4 * index as usize)? as usize;
    let header = data.get(directory..directory + 12)?;
    let count = usize::from(u16::from_be_bytes([header[4], header[5]]));
    let records = data.get(directory + 12..directory + 12 + 16 * count)?;

    // The directory as it is, then the tables, whose offsets are written anew as they are moved.
    let mut file = Vec::new();
    file.extend_from_slice(header);
    file.extend_from_slice(records);
    let (records, _) = records.as_chunks::<16>();
    for (number, record) in records.iter().enumerate() {
        let (start, length) = (u32_at(record, 8)? as usize, u32_at(record, 12)? as usize);
        let table = data.get(start..start.checked_add(length)?)?;
        // Tables begin at multiples of four bytes; offsets are counted from the start of the file.
        file.resize(file.len().next_multiple_of(4), 0);
        let offset = u32::try_from(file.len()).ok()?.to_be_bytes();
        let field = 12 + 16 * number + 8;
        file.get_mut(field..field + 4)?.copy_from_slice(&offset);
        file.extend_from_slice(table);
    }
    Some(file)
}

fn u32_at(data: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(data.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use skrifa::{FontRef, GlyphId};

    use super::*;
    use crate::render::text::font::glyph_forms::draw_outline;

    const FIRST: &[u8] = include_bytes!("../../../../tests/data/fonts/colour-v0.ttf");
    const SECOND: &[u8] = include_bytes!("../../../../tests/data/fonts/gradients.ttf");

    /// Fonts one after the other, each with its directory moved to where it lies.
    fn collection(fonts: &[&[u8]]) -> Vec<u8> {
        let mut data = b"ttcf\x00\x01\x00\x00".to_vec();
        data.extend((fonts.len() as u32).to_be_bytes());
        let mut start = data.len() + 4 * fonts.len();
        for font in fonts {
            data.extend((start as u32).to_be_bytes());
            start += font.len();
        }
        for font in fonts {
            let start = data.len();
            data.extend_from_slice(font);
            for number in 0..usize::from(u16::from_be_bytes([font[4], font[5]])) {
                let field = start + 12 + 16 * number + 8;
                let moved = u32_at(&data, field).unwrap() + start as u32;
                data[field..field + 4].copy_from_slice(&moved.to_be_bytes());
            }
        }
        data
    }

    #[test]
    fn a_font_of_a_collection_is_the_font_it_was_made_of() {
        let data = collection(&[FIRST, SECOND]);
        for (index, original) in [(0, FIRST), (1, SECOND)] {
            let file = member(&data, index).unwrap();
            let (own, original) = (FontRef::new(&file).unwrap(), FontRef::new(original).unwrap());
            for id in (0..8).map(GlyphId::new) {
                let outlines = [&own, &original].map(|font| draw_outline(font, &[], id));
                assert_eq!(outlines[0], outlines[1]);
            }
        }
    }

    #[test]
    fn a_torn_collection_has_no_fonts() {
        let data = collection(&[FIRST, SECOND]);
        assert_eq!((member(&data, 2), member(FIRST, 0), member(b"ttcf", 0)), (None, None, None));
        for end in 0..data.len() {
            drop(member(&data[..end], 1));
        }
        assert_eq!(member(&data[..data.len() - 40], 1), None);
    }
}
