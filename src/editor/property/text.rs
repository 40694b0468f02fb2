//! The style of texts, with that of their runs.

use std::ops::Range;

use super::common::Common;
use crate::design::{LineType, Node, NodeKind, StyleOverride, TextContent, TextStyle};

/// The weights that have a name, lightest first, with Figma's names.
pub const WEIGHTS: [(&str, f64); 9] = [
    ("Thin", 100.0),
    ("Extra Light", 200.0),
    ("Light", 300.0),
    ("Regular", 400.0),
    ("Medium", 500.0),
    ("Semi Bold", 600.0),
    ("Bold", 700.0),
    ("Extra Bold", 800.0),
    ("Black", 900.0),
];

/// What a text has in a field that runs of it may have otherwise: `base` for all of it, and `own` of a run.
pub fn style_of<T: PartialEq + Clone>(
    text: &TextContent,
    base: &T,
    own: impl Fn(&StyleOverride) -> Option<T>,
) -> Common<T> {
    let runs = used_runs(text).into_iter().map(|key| {
        let of_run = text.overrides.get(&key).filter(|_| key != 0).and_then(&own);
        Common::Same(of_run.unwrap_or_else(|| base.clone()))
    });
    Common::of(runs)
}

/// The keys of the runs that letters of a text are in, each once; 0 for letters without a style of their own, and of a
/// text without letters.
fn used_runs(text: &TextContent) -> Vec<u32> {
    let letters = text.characters.encode_utf16().count();
    let mut used: Vec<u32> = text.override_ids.iter().take(letters).copied().collect();
    // Letters beyond the list are as all of it.
    if used.len() < letters || letters == 0 {
        used.push(0);
    }
    used.sort_unstable();
    used.dedup();
    used
}

/// What the letters of a text have in a field, run by run: `base` for all of it, unless no letter has that, and `own`
/// of each run. None of other nodes.
pub(super) fn runs_mut<T>(
    node: &mut Node,
    base: impl FnOnce(&mut TextStyle) -> &mut T,
    own: impl Fn(&mut StyleOverride) -> Option<&mut T>,
) -> Vec<&mut T> {
    let Some(text) = node.text_mut() else { return Vec::new() };
    let used = used_runs(text);
    let of_runs = text.overrides.iter_mut().filter(|(key, _)| **key != 0 && used.contains(key));
    let mut runs: Vec<&mut T> = of_runs.filter_map(|(_, style)| own(style)).collect();
    // Each run that has nothing of its own there has what all of the text has.
    if runs.len() < used.len() {
        runs.push(base(&mut text.style));
    }
    runs
}

/// Sets a field of a text for all of it: what runs have there of their own goes. Other nodes stay.
pub(super) fn set_style(
    node: &mut Node,
    base: impl FnOnce(&mut TextStyle),
    own: impl FnMut(&mut StyleOverride),
) {
    let Some(text) = node.text_mut() else { return };
    base(&mut text.style);
    text.overrides.values_mut().for_each(own);
}

/// What all lines of a text are in a list.
pub fn list_of(text: &TextContent) -> Common<LineType> {
    let lines = 0..line_count(text);
    Common::of(lines.map(|at| Common::Same(text.line_types.get(at).copied().unwrap_or_default())))
}

/// Makes all lines of a text that of a list, or of none; those that are indented stay so.
pub(super) fn set_list(text: &mut TextContent, kind: LineType) {
    let lines = line_count(text);
    text.line_types = vec![kind; lines];
    text.line_indents.resize(lines, 0);
    let least = u32::from(kind != LineType::None);
    for indent in &mut text.line_indents {
        *indent = if least == 0 { 0 } else { (*indent).max(least) };
    }
}

fn line_count(text: &TextContent) -> usize {
    text.characters.split(['\n', '\u{2028}']).count()
}

/// Changes a node; of a text only these of its letters, if any are named.
pub(in crate::editor) fn change_letters(
    node: &mut Node,
    letters: Option<&Range<usize>>,
    change: impl FnOnce(&mut Node),
) {
    let part = letters.zip(node.text()).and_then(|(range, text)| {
        let part = text.excerpt(range.clone())?;
        Some((range, part))
    });
    let Some((range, part)) = part else { return change(node) };
    let whole = std::mem::replace(&mut node.kind, NodeKind::Text(Box::new(part)));
    change(node);
    let changed = std::mem::replace(&mut node.kind, whole);
    if let (Some(text), NodeKind::Text(part)) = (node.text_mut(), changed) {
        text.restyle(range.clone(), &part);
    }
}

/// Figma's name of a face.
pub(super) fn face_name(weight: f64, italic: bool) -> String {
    let named = WEIGHTS.iter().find(|(_, of)| *of == weight);
    match (named.map_or("Regular", |(name, _)| name), italic) {
        ("Regular", true) => "Italic".to_owned(),
        (name, true) => format!("{name} Italic"),
        (name, false) => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_differs_makes_the_field_mixed_and_one_that_nobody_uses_does_not() {
        let mut text = TextContent { characters: "abcd".to_owned(), ..TextContent::default() };
        let bold = StyleOverride { font_weight: Some(700.0), ..StyleOverride::default() };
        text.overrides.insert(3, bold);
        let weight = |text: &TextContent| style_of(text, &400.0, |own| own.font_weight);
        assert_eq!(weight(&text), Common::Same(400.0));
        text.override_ids = vec![0, 3];
        assert_eq!(weight(&text), Common::Mixed);
        text.override_ids = vec![3; 4];
        assert_eq!(weight(&text), Common::Same(700.0));
    }

    #[test]
    fn lines_become_a_list_and_none_again() {
        let characters = "one\ntwo\u{2028}three".to_owned();
        let mut text = TextContent { characters, ..TextContent::default() };
        assert_eq!(list_of(&text), Common::Same(LineType::None));
        text.line_types = vec![LineType::Ordered];
        text.line_indents = vec![2];
        assert_eq!(list_of(&text), Common::Mixed);
        set_list(&mut text, LineType::Unordered);
        assert_eq!(list_of(&text), Common::Same(LineType::Unordered));
        assert_eq!(text.line_indents, [2, 1, 1]);
        set_list(&mut text, LineType::None);
        assert_eq!((list_of(&text), text.line_indents), (Common::Same(LineType::None), vec![0; 3]));
    }

    #[test]
    fn faces_have_figmas_names() {
        assert_eq!(face_name(600.0, true), "Semi Bold Italic");
        assert_eq!(face_name(400.0, true), "Italic");
        assert_eq!(face_name(400.0, false), "Regular");
    }
}
