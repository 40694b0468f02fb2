//! Words from outside as they are shown, and command lines as a shell takes them.

use std::borrow::Cow;

/// Whether a character does something to a terminal instead of standing there: controls, and what
/// turns the direction of the text around it.
fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Text with controls spelled out (`\u{1b}`), but for ends of lines and tabs.
pub fn visible(text: &str) -> Cow<'_, str> {
    spelled_out(text, |c| c.escape_unicode().to_string())
}

/// JSON with controls spelled out as it spells them (`\u001b`): the same JSON, as they stand in its texts alone.
pub fn visible_json(json: &str) -> Cow<'_, str> {
    // None of them is beyond the four digits.
    spelled_out(json, |c| format!("\\u{:04x}", u32::from(c)))
}

fn spelled_out(text: &str, spelled: impl Fn(char) -> String) -> Cow<'_, str> {
    if !text.chars().any(|c| is_control(c) && !matches!(c, '\n' | '\t')) {
        return Cow::Borrowed(text);
    }
    // Copied only where something has to be spelled out, which hardly any text needs.
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\n' | '\t' => shown.push(c),
            c if is_control(c) => shown.push_str(&spelled(c)),
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// The same in one line.
pub fn one_line(text: &str) -> String {
    visible(&text.replace("\r\n", " ").replace(['\n', '\r', '\t'], " ")).into_owned()
}

/// The same words without breaks, and with no more than so many characters.
pub fn cut_line(text: &str, most: usize) -> String {
    let line = text.split(['\n', '\r']).collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

/// Nothing if text is an id as people write them into files; else what one has to be.
///
/// # Errors
///
/// What the text is, and what an id has to be.
pub fn check_id(id: &str) -> Result<(), String> {
    let is_id = !id.is_empty()
        && id.len() <= 64
        && id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    if is_id {
        return Ok(());
    }
    Err(format!("{id:?} must be 1 to 64 letters, digits, _ and -"))
}

/// Text as a cell of CSV that no spreadsheet takes for a formula: what begins like one and is no number
/// has an apostrophe before it.
pub fn defused(text: &str) -> String {
    let shown = visible(text);
    // A tab too, as some spreadsheets pass over it and look at what follows.
    let looks_like_formula = shown.starts_with(['=', '+', '-', '@', '\t']);
    if looks_like_formula && shown.parse::<f64>().is_err() {
        return format!("'{shown}");
    }
    shown.into_owned()
}

/// A command as a POSIX shell takes it: words that would mean something else to it stand in quotes.
pub fn shell_line<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words = words.into_iter().map(|word| {
        let is_plain = !word.is_empty()
            && !word.starts_with(['#', '='])
            && word.chars().all(|c| c.is_alphanumeric() || "-_./=:,#+@".contains(c));
        if is_plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// A cell that [`defused`] wrote, as it was.
pub fn undefused(cell: &str) -> &str {
    let formula = cell.strip_prefix('\'');
    formula.filter(|text| text.starts_with(['=', '+', '-', '@', '\t'])).unwrap_or(cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_numbers_and_formulas_become_words() {
        for kept in ["-0.25", "+1e-3", "0.5", "a=b", "", "—", "−0.1", "-5"] {
            assert_eq!(defused(kept), kept);
            assert_eq!(undefused(kept), kept);
        }
        for (formula, defused_is) in [
            ("=cmd|'/c calc'!A0", "'=cmd|'/c calc'!A0"),
            ("+1+1", "'+1+1"),
            ("-2+3", "'-2+3"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("\r=1", "\\u{d}=1"),
        ] {
            assert_eq!(defused(formula), defused_is);
            assert_eq!(undefused(defused_is), visible(formula));
        }
    }

    #[test]
    fn controls_are_spelled_out_and_json_stays_what_it_says() {
        let text = "a\u{202e}b\u{7f}\u{9b}\tc\u{2069}";
        assert_eq!(visible(text), "a\\u{202e}b\\u{7f}\\u{9b}\tc\\u{2069}");
        let json =
            serde_json::to_string_pretty(&serde_json::json!({ text: [text, "é\n"] })).unwrap();
        let shown = visible_json(&json);
        assert!(!shown.chars().any(|c| is_control(c) && c != '\n'), "{shown}");
        let read = |json: &str| serde_json::from_str::<serde_json::Value>(json).unwrap();
        assert_eq!(read(&shown), read(&json));
        assert!(matches!(visible_json("{\"a\": 1}"), Cow::Borrowed(_)));
    }

    #[test]
    fn words_of_a_command_are_quoted_where_a_shell_would_take_them_apart() {
        let words = ["pentimento", "a b", "it's", "", "#x", "ssim<0.7", "--sort=-ssim/uniform7"];
        let line = "pentimento 'a b' 'it'\\''s' '' '#x' 'ssim<0.7' --sort=-ssim/uniform7";
        assert_eq!(shell_line(words), line);
    }
}
