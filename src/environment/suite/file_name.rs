//! What plans mean by the names of files.
//!
//! The released plans name the pictures of a query by their address, by what the query calls them
//! (`dreamy_moon`, `dreamy_moon.png`, `/path/to/dreamyMoon.jpg`), by their title, and with words
//! around these (`URL_to_Crescent_Moon`, `crescent_moon_image.jpg`). Of the 6,716 imports of the
//! released plans 4,540 are addresses as given, 343 names or titles, and 54 files saved before.
//!
//! A name means a picture if one of these is so, tried in this order:
//!
//! 1. it is one of its names, letter by letter (an address is);
//! 2. the letters and digits of its last part, without the ending, are those of one of its names;
//! 3. the same without [`FILLERS`], the words that say that it is a picture or a file.
//!
//! `moon_edited.psd` is never the picture `moon`: it is a file that somebody should have saved.

/// Endings of files that the programs write or read, or that pictures have.
const ENDINGS: [&str; 14] = [
    "psd", "ai", "indd", "pdf", "png", "jpg", "jpeg", "svg", "webp", "gif", "tiff", "tif", "eps",
    "bmp",
];

/// Words that say only that something is a picture or a file.
const FILLERS: [&str; 19] = [
    "url",
    "to",
    "path",
    "the",
    "of",
    "provided",
    "file",
    "image",
    "img",
    "picture",
    "photo",
    "illustration",
    "icon",
    "logo",
    "vector",
    "graphic",
    "clipart",
    "drawing",
    "art",
];

/// Which of these pictures, each with all its names, a file's name means.
pub(super) fn among(file: &str, pictures: &[Vec<String>]) -> Option<usize> {
    let file = file.trim();
    if file.is_empty() {
        return None;
    }
    let (whole, bare) = (key(file), words(file));
    let (mut by_key, mut by_words) = (None, None);
    // Each way is tried on all pictures before the next one: a picture that is named exactly goes
    // before one further up that is named nearly.
    for (at, names) in pictures.iter().enumerate() {
        if names.iter().any(|name| name.trim() == file) {
            return Some(at);
        }
        if by_key.is_none() && !whole.is_empty() && names.iter().any(|name| key(name) == whole) {
            by_key = Some(at);
        }
        if by_words.is_none() && !bare.is_empty() && names.iter().any(|name| words(name) == bare) {
            by_words = Some(at);
        }
    }
    by_key.or(by_words)
}

/// A file's last part, small: `Moon.PSD` of `/path/to/Moon.PSD`.
pub(super) fn base(name: &str) -> String {
    // Of either system's paths: plans come from both.
    name.trim().rsplit(['/', '\\']).next().unwrap_or_default().trim().to_lowercase()
}

/// The name without its ending, and the ending, if it is one of a file.
pub(super) fn split(name: &str) -> (&str, Option<&str>) {
    match name.rsplit_once('.') {
        // Only known endings: `v1.2` is a name, not a file of type `2`.
        Some((stem, ending)) if ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)) => {
            (stem, Some(ending))
        }
        _ => (name, None),
    }
}

/// The letters and digits of its last part, without the ending, small.
pub(super) fn key(name: &str) -> String {
    let base = base(name);
    split(&base).0.chars().filter(|letter| letter.is_alphanumeric()).collect()
}

/// The words of its last part without [`FILLERS`], one after the other, small.
fn words(name: &str) -> String {
    let name = name.trim().rsplit(['/', '\\']).next().unwrap_or_default();
    let mut words: Vec<String> = vec![String::new()];
    let mut was_small = false;
    for letter in split(name).0.chars() {
        // `dreamyMoon` is two words, as `dreamy_moon` is.
        if !letter.is_alphanumeric() || (was_small && letter.is_uppercase()) {
            words.push(String::new());
        }
        was_small = letter.is_lowercase();
        if letter.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !FILLERS.contains(&word.as_str()));
    words.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(file: &str) -> Option<usize> {
        fn names(list: &[&str]) -> Vec<String> {
            list.iter().map(|name| (*name).to_owned()).collect()
        }
        among(
            file,
            &[
                names(&["dreamy_moon", "crazy moon", "https://example.org/image/800px/12721"]),
                names(&["vintage_camera_illustration", "Vintage Camera Line Art"]),
            ],
        )
    }

    #[test]
    fn a_picture_is_meant_by_its_address_name_or_title() {
        for file in [
            "https://example.org/image/800px/12721",
            "dreamy_moon",
            "dreamy_moon.png",
            "/path/to/DreamyMoon.jpg",
            "Crazy Moon",
            "URL_to_dreamy_moon",
            "<URL_to_crazy_moon>",
            "dreamy_moon_image.jpg",
            "https://example.com/dreamy_moon.png",
        ] {
            assert_eq!(found(file), Some(0), "{file}");
        }
        assert_eq!(found("vintage_camera.png"), Some(1));
    }

    #[test]
    fn an_edited_picture_and_a_picture_of_nothing_are_none() {
        for file in ["dreamy_moon_edited.psd", "moon.png", "", "  ", "image.png", "url", "/"] {
            assert_eq!(found(file), None, "{file}");
        }
    }
}
