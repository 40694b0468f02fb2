//! Texts from outside, as they may stand in an error.

/// Most characters of what a server says that go into an error.
const MESSAGE_CHARS: usize = 300;

/// A text from outside as it may stand in an error: short, on one line, without control characters.
pub fn in_one_line(text: &str) -> String {
    // Control characters would colour or clear the terminal that shows the error.
    let line = text.split(|c: char| c.is_whitespace() || c.is_control());
    let line = line.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MESSAGE_CHARS) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

/// An error with all that it goes back to, without addresses: they may hold secrets.
pub(super) fn causes(error: &(dyn std::error::Error + 'static)) -> String {
    let mut texts = Vec::new();
    let mut next = Some(error);
    while let Some(error) = next {
        // reqwest's own errors print the address; their causes say the rest.
        if error.downcast_ref::<reqwest::Error>().is_none() {
            let text = error.to_string();
            // Layers of a network stack often pass on the words of the one below.
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        next = error.source();
    }
    if texts.is_empty() { "no connection".to_owned() } else { in_one_line(&texts.join(": ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_from_outside_is_one_short_line() {
        assert_eq!(in_one_line(" a\n\t b\u{1b}[2Jc "), "a b [2Jc");
        assert_eq!(in_one_line(&"é".repeat(400)).chars().count(), 301);
    }
}
