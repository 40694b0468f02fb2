//! Actions that are lines of Python, as agents that use a desktop write them.

use std::collections::BTreeMap;

/// Most marks that are looked for.
const MOST_TAGS: usize = 10_000;

/// The function that a single line calls, such as `pyautogui.click`; of anything else `python`.
pub(super) fn name_of_code(code: &str) -> String {
    let mut lines = code
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#') && !line.starts_with("import "));
    let (first, more) = (lines.next().unwrap_or_default(), lines.next());
    let name = first.split('(').next().unwrap_or_default();
    let is_name = name.len() < first.len()
        && name.len() < 80
        && !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'));
    // Several calls on one line are divided by a semicolon.
    if is_name && more.is_none() && !first.contains(';') {
        name.to_owned()
    } else {
        "python".to_owned()
    }
}

/// Code without the marks that it names places by.
pub(super) struct PlainCode {
    pub(super) code: String,
    /// Whether there were any.
    pub(super) is_changed: bool,
}

/// Puts places in where code names marks: runs on marked screenshots begin with lines `tag_3=(140, 52)` and
/// use `tag_3` after them.
pub(super) fn without_tags(code: &str) -> PlainCode {
    let mut tags: BTreeMap<&str, &str> = BTreeMap::new();
    let mut rest = code;
    while let Some((line, after)) = rest.split_once('\n').or(Some((rest, ""))) {
        let Some((name, place)) = tag_of(line).filter(|_| tags.len() < MOST_TAGS) else { break };
        tags.insert(name, place);
        rest = after;
        if after.is_empty() {
            break;
        }
    }
    if tags.is_empty() {
        return PlainCode { code: code.to_owned(), is_changed: false };
    }
    PlainCode { code: replace(rest, &tags), is_changed: true }
}

/// The name and place of a line that marks one.
fn tag_of(line: &str) -> Option<(&str, &str)> {
    let (name, place) = line.split_once('=')?;
    let (name, place) = (name.trim(), place.trim());
    let number = name.strip_prefix("tag_")?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let inside = place.strip_prefix('(')?.strip_suffix(')')?;
    let mut parts = inside.split(',').map(|part| part.trim().parse::<f64>());
    let are_two =
        matches!((parts.next(), parts.next(), parts.next()), (Some(Ok(_)), Some(Ok(_)), None));
    (is_number && are_two).then_some((name, place))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Puts places in for whole names only: `tag_1` is not in `tag_12`, nor in `my_tag_1`.
fn replace(code: &str, tags: &BTreeMap<&str, &str>) -> String {
    let mut out = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(start) = rest.find(is_word) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|c: char| !is_word(c)).unwrap_or(from.len());
        let (word, after) = from.split_at(end);
        out.push_str(before);
        out.push_str(tags.get(word).copied().unwrap_or(word));
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_call_has_its_name_and_anything_else_none() {
        for (code, name) in [
            ("pyautogui.click(x=1, y=2)", "pyautogui.click"),
            ("import pyautogui\npyautogui.write('a(b')", "pyautogui.write"),
            ("computer.terminate(status='success')", "computer.terminate"),
            ("pyautogui.press('a'); pyautogui.press('b')", "python"),
            ("a()\nb()", "python"),
            ("x = 3", "python"),
            ("", "python"),
        ] {
            assert_eq!(name_of_code(code), name, "{code}");
        }
    }

    #[test]
    fn marks_become_places_and_only_whole_names_do() {
        let plain = without_tags(
            "tag_1=(10, 20)\ntag_12 = (3.5, 4)\npyautogui.click(*tag_12)\nmy_tag_1 = tag_1",
        );
        assert_eq!(plain.code, "pyautogui.click(*(3.5, 4))\nmy_tag_1 = (10, 20)");
        let other = "tag_1=open('x')\ntag_1";
        assert_eq!(without_tags(other).code, other);
        assert!(!without_tags("tag_1 = (1, 2, 3)").is_changed);
    }
}
