//! Pieces of HTML.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::base::Pixels;
use crate::metric::{Direction, Score};

/// Text as it may stand in an element or a quoted attribute. Characters that no HTML may hold are
/// replaced.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(c),
            // HTML forbids them even as references.
            c if c.is_control() => escaped.push('\u{FFFD}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// The first `limit` characters of a text, with an ellipsis if there were more.
pub(super) fn shorten(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// An image element that holds its picture.
pub(super) fn image(picture: &Pixels, alternative: &str) -> String {
    let Ok(png) = picture.to_png() else {
        return "<div class=\"void\">cannot be encoded</div>".to_owned();
    };
    format!(
        "<img src=\"data:image/png;base64,{}\" width=\"{}\" height=\"{}\" alt=\"{}\">",
        STANDARD.encode(png),
        picture.width(),
        picture.height(),
        escape(alternative),
    )
}

/// A score with three decimals, or a dash that says why there is none.
pub(super) fn score(score: Option<&Score>) -> String {
    match score {
        Some(Score::Value(value)) => format!("{value:.3}"),
        Some(Score::Missing(why)) => {
            format!("<span class=\"quiet\" title=\"{}\">–</span>", escape(&why.to_string()))
        }
        None => "<span class=\"quiet\">–</span>".to_owned(),
    }
}

/// A change of a score with its sign, coloured by better and worse.
pub(super) fn gain(gain: Option<f64>, direction: Direction) -> String {
    let Some(gain) = gain else { return String::new() };
    // Below half a unit of the last decimal shown nothing is said to have changed.
    if gain.abs() < 0.000_5 {
        return "<span class=\"quiet\">0</span>".to_owned();
    }
    let is_better = match direction {
        Direction::HigherIsBetter => gain > 0.0,
        Direction::LowerIsBetter => gain < 0.0,
    };
    // A minus and no hyphen, which is as wide as the plus in a column of figures.
    let (class, sign) =
        (if is_better { "better" } else { "worse" }, if gain > 0.0 { '+' } else { '−' });
    format!("<span class=\"{class}\">{sign}{:.3}</span>", gain.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_can_become_markup() {
        let text = escape("<script>\"a\" & 'b'</script>\u{0}\u{1b}");
        assert!(!text.contains(['<', '>', '"', '\'', '\u{0}', '\u{1b}']), "{text}");
    }

    #[test]
    fn shortening_keeps_whole_characters() {
        assert_eq!(shorten("äöü", 2), "äö…");
        assert_eq!(shorten("äöü", 3), "äöü");
    }

    #[test]
    fn a_gain_too_small_to_show_is_none() {
        let [small, worse] = [0.000_4, -0.02].map(|by| gain(Some(by), Direction::HigherIsBetter));
        assert!(small.contains(">0<") && worse.contains("worse\">−0.020"), "{small} {worse}");
    }

    #[test]
    fn of_what_is_better_low_less_is_better() {
        assert!(gain(Some(-0.02), Direction::LowerIsBetter).contains("better\">−0.020"));
        assert!(gain(Some(0.02), Direction::LowerIsBetter).contains("worse\">+0.020"));
    }
}
