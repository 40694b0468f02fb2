//! Names of components and layers as words.

/// The words of a name, singular and in lower case: `BirdLayer2` has `bird` and `layer`,
/// `twinkling_stars` has `twinkling` and `star`. Numbers are left out.
pub fn name_words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        let begins = !c.is_alphabetic() || (c.is_uppercase() && before.is_lowercase());
        if begins {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphabetic()) {
            word.push(c);
        }
        before = c;
    }
    words.iter().filter(|word| !word.is_empty()).map(|word| singular(word)).collect()
}

/// The word in lower case and without a plural's ending.
pub fn singular(word: &str) -> String {
    let word = word.to_lowercase();
    let long = word.chars().count() > 3;
    let endings = [("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("sses", "ss")];
    for (plural, one) in endings {
        if let Some(stem) = word.strip_suffix(plural).filter(|stem| stem.chars().count() > 1) {
            return format!("{stem}{one}");
        }
    }
    match word.strip_suffix('s') {
        Some(stem) if long && !stem.ends_with('s') && !stem.ends_with('u') => stem.to_owned(),
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_and_visuals_have_the_same_words() {
        assert_eq!(name_words("TwinklingStarsLayer2"), ["twinkling", "star", "layer"]);
        assert_eq!(name_words("twinkling_stars"), ["twinkling", "star"]);
        assert_eq!(name_words("static/Butterflies.png"), ["static", "butterfly", "png"]);
        assert!(name_words("42 --").is_empty());
    }
}
