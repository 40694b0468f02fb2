//! Pictures inside of logs: data URIs, base64, and what format they are of.

use std::io::Cursor;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use image_webp::WebPDecoder;

use crate::base::{Limits, Pixels};

/// Decodes PNG, JPEG or WebP, told by what it begins with; or says why there is no picture.
pub(super) fn pixels_of(bytes: &[u8]) -> Result<Pixels, String> {
    if bytes.is_empty() {
        return Err("it has no bytes".to_owned());
    }
    if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        return from_webp(bytes).map_err(|why| format!("cannot be decoded as a picture: {why}"));
    }
    Pixels::decode(bytes).map_err(|error| error.to_string())
}

/// Decodes WebP: of one that moves, its first frame.
fn from_webp(bytes: &[u8]) -> Result<Pixels, String> {
    let mut decoder = WebPDecoder::new(Cursor::new(bytes)).map_err(|error| error.to_string())?;
    let (width, height) = decoder.dimensions();
    // From the header, before anything is allocated.
    if u64::from(width) * u64::from(height) > Limits::IMAGE_PIXELS {
        return Err(format!("{width} × {height} pixels are more than {}", Limits::IMAGE_PIXELS));
    }
    let mut samples = vec![0_u8; decoder.output_buffer_size().unwrap_or_default()];
    decoder.read_image(&mut samples).map_err(|error| error.to_string())?;
    if !decoder.has_alpha() {
        let (pixels, _) = samples.as_chunks::<3>();
        samples = pixels.iter().flat_map(|[red, green, blue]| [*red, *green, *blue, 255]).collect();
    }
    Pixels::from_rgba(width, height, samples).map_err(|error| error.to_string())
}

/// The bytes of a `data:` URI; or why there are none.
pub(super) fn from_data_uri(uri: &str) -> Result<Vec<u8>, String> {
    let Some(rest) = uri.strip_prefix("data:") else {
        let shown: String = uri.chars().take(80).collect();
        return Err(format!("the log names a picture that it does not hold, {shown:?}"));
    };
    let Some((kind, data)) = rest.split_once(',') else {
        return Err("a data URI without data".to_owned());
    };
    if !kind.ends_with(";base64") {
        return Err("a data URI that is not base64".to_owned());
    }
    from_base64(data)
}

/// The bytes of base64, of any of its alphabets, with line breaks; or why there are none.
pub(super) fn from_base64(data: &str) -> Result<Vec<u8>, String> {
    // Four letters are three bytes: what is too large is refused before it is decoded.
    if data.len() as u64 / 4 * 3 > Limits::IMAGE_BYTES {
        return Err(format!("a picture of more than {} bytes", Limits::IMAGE_BYTES));
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
        assert_eq!(from_base64("aGk\n"), Ok(b"hi".to_vec()));
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
