//! The body of a request or an answer, as a run keeps it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::run::images;

/// How the Base64 of every PNG begins: its signature, as far as it fills whole characters.
const PNG_AS_BASE64: &str = "iVBORw0KGg";

/// The body of a request or an answer, byte for byte.
///
/// A list of pieces that follow one another: text, what is not text as Base64, and, after
/// [`Payload::without_pictures`], names of pictures in place of their Base64.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Payload(pub Vec<Piece>);

/// A piece of a body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Piece {
    /// Text, as it is.
    Text(String),
    /// Bytes that are not UTF-8.
    Bytes {
        /// The bytes as Base64.
        base64: String,
    },
    /// A picture, which stands in the body as Base64.
    Picture {
        /// Its file in the run's `images/`: 32 hex digits of the BLAKE3 of the PNG, and `.png`.
        picture: String,
    },
}

/// A picture that stood in a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenPicture {
    /// Its file in the run's `images/`.
    pub file: String,
    /// The PNG.
    pub png: Vec<u8>,
}

/// Why a body cannot be put together again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PayloadError {
    /// A picture is not there.
    #[error("the picture {0:?} of a recorded request is missing")]
    MissingPicture(String),
    /// A piece is no Base64.
    #[error("a recorded body is damaged: {0}")]
    Damaged(String),
}

impl Payload {
    /// A body as it is, pictures and all.
    pub fn new(bytes: &[u8]) -> Self {
        if bytes.is_empty() {
            return Self::default();
        }
        // Text as it is, so that a record can be read and searched; whatever else keeps its bytes.
        let piece = match std::str::from_utf8(bytes) {
            Ok(text) => Piece::Text(text.to_owned()),
            Err(_not_text) => Piece::Bytes { base64: STANDARD.encode(bytes) },
        };
        Self(vec![piece])
    }

    /// The same body with the names of its pictures in their place, and the pictures; one that stands
    /// there twice is given twice.
    ///
    /// What is taken for a picture is Base64 that begins as a PNG does and is the very text that
    /// encoding gives, so that [`Self::bytes`] gives the same bytes again.
    pub fn without_pictures(&self) -> (Self, Vec<TakenPicture>) {
        let (mut pieces, mut pictures) = (Vec::new(), Vec::new());
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => split(text, &mut pieces, &mut pictures),
                // Bytes that are no text hold no Base64, and names were put in their place before.
                Piece::Bytes { .. } | Piece::Picture { .. } => pieces.push(piece.clone()),
            }
        }
        (Self(pieces), pictures)
    }

    /// Keeps about this many bytes of the body, from its beginning; gives how many it had, pictures
    /// aside.
    pub fn shorten(&mut self, most: usize) -> usize {
        let (mut bytes, mut room) = (0, most);
        for piece in &mut self.0 {
            let (Piece::Text(text) | Piece::Bytes { base64: text }) = piece else { continue };
            bytes += text.len();
            // Four characters of Base64 are three whole bytes.
            let end = text.floor_char_boundary(room / 4 * 4);
            text.truncate(end);
            room -= text.len().min(room);
        }
        bytes
    }

    /// The body to be read by people: text as it is, pictures by the names of their files, and of bytes
    /// that are no text, such as the frames of an event stream, what can be read, with points in
    /// place of the rest.
    pub fn to_text(&self) -> String {
        let mut words = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => words.push_str(text),
                Piece::Bytes { base64 } => {
                    let bytes = STANDARD.decode(base64).unwrap_or_default();
                    let readable = |c: char| {
                        if c == '\n' || !(c.is_control() || c == char::REPLACEMENT_CHARACTER) {
                            c
                        } else {
                            '·'
                        }
                    };
                    words.extend(String::from_utf8_lossy(&bytes).chars().map(readable));
                }
                Piece::Picture { picture } => words.extend(["[images/", picture, "]"]),
            }
        }
        words
    }

    /// The body's bytes; `picture` gives the PNG of a name.
    pub fn bytes(
        &self,
        picture: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    ) -> Result<Vec<u8>, PayloadError> {
        let mut bytes = Vec::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => bytes.extend_from_slice(text.as_bytes()),
                Piece::Bytes { base64 } => {
                    let decoded = STANDARD.decode(base64);
                    bytes
                        .extend(decoded.map_err(|error| PayloadError::Damaged(error.to_string()))?);
                }
                Piece::Picture { picture: name } => {
                    let png = picture(name);
                    let png = png.ok_or_else(|| PayloadError::MissingPicture(name.clone()))?;
                    bytes.extend(STANDARD.encode(png).into_bytes());
                }
            }
        }
        Ok(bytes)
    }
}

fn split(text: &str, pieces: &mut Vec<Piece>, pictures: &mut Vec<TakenPicture>) {
    let (mut kept_from, mut look_from) = (0, 0);
    while let Some(found) = text[look_from..].find(PNG_AS_BASE64) {
        let start = look_from + found;
        let rest = &text[start..];
        let length = rest.bytes().take_while(|byte| is_base64(*byte)).count();
        // Behind it in any case: what is no picture is not looked at again from its second letter
        // on.
        look_from = start + length;
        // Only what is exactly what encoding gives comes back as the same bytes; the decoder takes
        // nothing else.
        let Ok(png) = STANDARD.decode(&rest[..length]) else { continue };
        if kept_from < start {
            pieces.push(Piece::Text(text[kept_from..start].to_owned()));
        }
        let file = images::name_of(&png);
        pieces.push(Piece::Picture { picture: file.clone() });
        pictures.push(TakenPicture { file, png });
        kept_from = look_from;
    }
    if kept_from < text.len() {
        pieces.push(Piece::Text(text[kept_from..].to_owned()));
    }
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SIGNATURE: [u8; 8] = [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a];

    fn png(tail: &[u8]) -> Vec<u8> {
        [&SIGNATURE[..], tail].concat()
    }

    #[test]
    fn a_picture_gives_place_to_its_name_and_comes_back() {
        let png = png(b"pixels");
        let text = format!("{{\"url\":\"data:image/png;base64,{}\"}}", STANDARD.encode(&png));
        let (kept, taken) = Payload::new(text.as_bytes()).without_pictures();
        assert_eq!(taken, [TakenPicture { file: images::name_of(&png), png: png.clone() }]);
        let json = serde_json::to_string(&kept).unwrap();
        let name = images::name_of(&png);
        let expected =
            serde_json::json!(["{\"url\":\"data:image/png;base64,", { "picture": name }, "\"}"]);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap(), expected);
        let again: Payload = serde_json::from_str(&json).unwrap();
        let bytes = again.bytes(&mut |file| (file == name).then(|| png.clone())).unwrap();
        assert_eq!(bytes, text.as_bytes());
    }

    #[test]
    fn a_picture_that_is_not_there_is_named() {
        let payload = Payload(vec![Piece::Picture { picture: "a.png".to_owned() }]);
        let error = payload.bytes(&mut |_| None).unwrap_err();
        assert_eq!(error, PayloadError::MissingPicture("a.png".to_owned()));
    }

    #[test]
    fn what_is_not_text_is_kept_too() {
        let payload = Payload::new(&[0xff, 0, 1]);
        assert_eq!(payload.0, [Piece::Bytes { base64: "/wAB".to_owned() }]);
        assert_eq!(payload.bytes(&mut |_| None).unwrap(), [0xff, 0, 1]);
    }

    proptest! {
        #[test]
        fn every_body_comes_back_byte_for_byte(
            parts in prop::collection::vec(
                prop_oneof![
                    prop::collection::vec(any::<u8>(), 0..40)
                        .prop_map(|tail| STANDARD.encode(png(&tail))),
                    "[ -~é=]{0,20}",
                    Just(PNG_AS_BASE64.to_owned()),
                ],
                0..8,
            )
        ) {
            let text = parts.concat();
            let (kept, taken) = Payload::new(text.as_bytes()).without_pictures();
            let pictures: std::collections::HashMap<String, Vec<u8>> =
                taken.into_iter().map(|taken| (taken.file, taken.png)).collect();
            let bytes = kept.bytes(&mut |name| pictures.get(name).cloned());
            prop_assert_eq!(bytes.unwrap(), text.as_bytes());
        }
    }
}
