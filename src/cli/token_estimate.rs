//! How many tokens something is, about, before anybody is asked.

/// Bytes of English or JSON that make a token, about.
const BYTES_PER_TOKEN: f64 = 4.0;
/// Pixels of a picture that make a token: about what the large providers count.
const PIXELS_PER_TOKEN: f64 = 750.0;

/// Tokens of so many bytes of words and so many pixels of pictures.
pub(super) fn tokens(bytes: f64, pixels: f64) -> f64 {
    bytes / BYTES_PER_TOKEN + pixels / PIXELS_PER_TOKEN
}
