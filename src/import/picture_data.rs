//! Pictures inside of logs: data URIs, base64.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};

use crate::base::Limits;

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
