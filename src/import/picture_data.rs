//! Pictures inside of logs: data URIs, base64, and what format they are of.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};

use crate::base::{Limits, Pixels};

/// Decodes a picture, of the format that it begins as; or says why there is none.
pub(super) fn pixels_of(bytes: &[u8]) -> Result<Pixels, String> {
    if bytes.is_empty() {
        return Err("it has no bytes".to_owned());
    }
    Pixels::decode(bytes).map_err(|error| error.to_string())
}

/// The bytes of a `data:` URI; or why there are none.
pub(super) fn from_data_uri(uri: &str) -> Result<Vec<u8>, String> {
    // Neither its scheme nor its encoding tells cases apart.
    let scheme = uri.get(..5).filter(|scheme| scheme.eq_ignore_ascii_case("data:"));
    let Some(rest) = scheme.and_then(|_| uri.get(5..)) else {
        let shown: String = uri.chars().take(80).collect();
        return Err(format!("the log names a picture that it does not hold, {shown:?}"));
    };
    let Some((kind, data)) = rest.split_once(',') else {
        return Err("a data URI without data".to_owned());
    };
    // With parameters before it, and by some behind it.
    if !kind.split(';').any(|parameter| parameter.trim().eq_ignore_ascii_case("base64")) {
        return Err("a data URI that is not base64".to_owned());
    }
    decode(data)
}

/// The bytes of base64, or of a data URI that stands in its place; or why there are none.
pub(super) fn from_base64(data: &str) -> Result<Vec<u8>, String> {
    if data.starts_with("data:") { from_data_uri(data) } else { decode(data) }
}

/// The bytes of base64, of any of its alphabets, with line breaks, escaped as in addresses or not.
fn decode(data: &str) -> Result<Vec<u8>, String> {
    // Four letters are three bytes: what is too large is refused before it is decoded.
    if data.len() as u64 / 4 * 3 > Limits::IMAGE_BYTES {
        return Err(format!("a picture of more than {} bytes", Limits::IMAGE_BYTES));
    }
    let escapes =
        [("%2B", "+"), ("%2b", "+"), ("%2F", "/"), ("%2f", "/"), ("%3D", "="), ("%3d", "=")];
    let mut data = Cow::Borrowed(data);
    if data.contains('%') {
        for (escape, letter) in escapes {
            data = Cow::Owned(data.replace(escape, letter));
        }
    }
    let plain: Vec<u8> = data.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    [STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD]
        .iter()
        .find_map(|engine| engine.decode(&plain).ok())
        .ok_or_else(|| "a picture that is no base64".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_told_by_its_bytes() {
        let white = Pixels::filled(1, 1, [255; 4]).unwrap();
        assert_eq!(pixels_of(&white.to_png().unwrap()), Ok(white.clone()));
        let mut webp = Vec::new();
        let encoder = image_webp::WebPEncoder::new(&mut webp);
        encoder.encode(&[9, 8, 7], 1, 1, image_webp::ColorType::Rgb8).unwrap();
        assert_eq!(pixels_of(&webp).unwrap().rgba(), [9, 8, 7, 255]);
        webp.truncate(20);
        for (bytes, why) in
            [(&b""[..], "no bytes"), (&webp[..], "cannot be decoded"), (&b"GIF89a"[..], "decoded")]
        {
            assert!(pixels_of(bytes).unwrap_err().contains(why), "{bytes:?}");
        }
    }

    #[test]
    fn a_picture_is_read_or_it_is_said_why_not() {
        assert_eq!(from_data_uri("data:image/png;base64,aGk="), Ok(b"hi".to_vec()));
        for odd in ["aGk\n", "a\r\n Gk", "aGk%3D", "data:image/png;base64,aGk="] {
            assert_eq!(from_base64(odd), Ok(b"hi".to_vec()), "{odd}");
        }
        for odd in ["DATA:image/PNG;name=a;BASE64,aGk=", "data:;base64;charset=utf-8,aGk"] {
            assert_eq!(from_data_uri(odd), Ok(b"hi".to_vec()), "{odd}");
        }
        for (uri, why) in [
            ("https://example.com/a.png", "does not hold"),
            ("data:image/png;base64", "without data"),
            ("data:text/plain,hi", "not base64"),
            ("data:image/png;base64,%%", "no base64"),
        ] {
            assert!(from_data_uri(uri).unwrap_err().contains(why), "{uri}");
        }
    }
}
