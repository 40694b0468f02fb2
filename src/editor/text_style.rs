//! The style of texts and of their letters, by keys: bold, italic, lines, alignment, size, spacing.

use std::sync::Arc;

use super::context::EditorContext;
use super::editing::Editor;
use super::error::EditorError;
use super::property::{change_letters, style_of};
use crate::design::{
    LineHeight, Node, NodeId, StyleOverride, TextAlign, TextContent, TextDecoration,
};

/// The weight of bold letters.
const BOLD: f64 = 700.0;
/// From this weight on letters are bold.
const IS_BOLD: f64 = 600.0;
/// The weight of letters that are not bold.
const REGULAR: f64 = 400.0;
/// The smallest and the greatest size of letters that keys lead to.
const SIZES: (f64, f64) = (1.0, 1000.0);
/// How many times the font size the lines of a font are apart that does not say so.
const LINES: f64 = 1.2;

/// Another style of the texts that are selected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TextStyleAct {
    /// Bold; if all are, not bold.
    Bold,
    /// Slanted; if all are, upright.
    Italic,
    /// With such a line; if all have it, without.
    Decoration(TextDecoration),
    /// Along the line.
    Align(TextAlign),
    /// Letters larger by so many pixels.
    Size(f64),
    /// Letters further apart by so many pixels.
    LetterSpacing(f64),
    /// Lines further apart by so many pixels.
    LineHeight(f64),
}

/// Does it: to the letters that are selected in the text that is typed into, else to every letter of the texts.
pub(super) fn style_texts(
    editor: &mut Editor,
    act: TextStyleAct,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let letters = editor.selected_letters();
    let texts = selected_texts(editor, letters.as_ref().map(|(node, _)| node));
    if texts.is_empty() {
        return Err(EditorError::NotPossible("no text is selected".to_owned()));
    }
    let ids: Vec<NodeId> = texts.iter().map(|node| node.id.clone()).collect();
    let is_on = texts.iter().filter_map(|node| node.text()).all(|text| act.is_on(text));
    editor.edit(act.label(), &ids, context, |change| {
        ids.iter().try_for_each(|id| {
            change.update(id, |node| {
                change_letters(node, letters.as_ref().map(|(_, range)| range), |node| {
                    if let Some(text) = node.text_mut() {
                        act.apply(text, !is_on);
                    }
                });
            })
        })
    })?;
    Ok(())
}

/// The texts among what is selected that are not locked, and the one that is typed into; where only letters of one are
/// selected, those.
fn selected_texts(editor: &Editor, with_letters: Option<&NodeId>) -> Vec<Arc<Node>> {
    let document = editor.inspected();
    let mut ids = editor.selection().nodes.clone();
    match with_letters {
        Some(id) => ids = vec![id.clone()],
        None => ids.extend(editor.in_place().typed().filter(|id| !ids.contains(id)).cloned()),
    }
    let texts = ids.iter().filter_map(|id| document.get(id));
    let texts = texts.filter(|node| node.text().is_some() && !document.is_locked(&node.id));
    texts.cloned().collect()
}

impl TextStyleAct {
    fn label(self) -> &'static str {
        match self {
            Self::Bold | Self::Italic => "Font",
            Self::Decoration(_) => "Decoration",
            Self::Align(_) => "Text align",
            Self::Size(_) => "Font size",
            Self::LetterSpacing(_) => "Letter spacing",
            Self::LineHeight(_) => "Line height",
        }
    }

    /// Whether all letters of a text have it already, of what can be taken away again.
    fn is_on(self, text: &TextContent) -> bool {
        match self {
            Self::Bold => {
                let weight = |own: &StyleOverride| own.font_weight.map(is_bold);
                style_of(text, &is_bold(text.style.font_weight), weight).is(&true)
            }
            Self::Italic => style_of(text, &text.style.italic, |own| own.italic).is(&true),
            Self::Decoration(line) => {
                style_of(text, &text.style.decoration, |own| own.decoration).is(&line)
            }
            Self::Align(_) | Self::Size(_) | Self::LetterSpacing(_) | Self::LineHeight(_) => false,
        }
    }

    /// What letters had of their own in the same field gives way; sizes and spaces grow with the rest.
    fn apply(self, text: &mut TextContent, is_on: bool) {
        let style = &mut text.style;
        match self {
            Self::Bold => {
                style.font_weight = if is_on { BOLD } else { REGULAR };
                style.font_style = None;
            }
            Self::Italic => {
                style.italic = is_on;
                // The name is that of the old face; weight and slant say which one is meant.
                style.font_style = None;
            }
            Self::Decoration(line) => {
                style.decoration = if is_on { line } else { TextDecoration::None };
            }
            Self::Align(align) => style.align = align,
            Self::Size(by) => style.font_size = sized(style.font_size, by),
            Self::LetterSpacing(by) => style.letter_spacing += by,
            Self::LineHeight(by) => {
                style.line_height = further(style.line_height, style.font_size, by);
            }
        }
        let size = style.font_size;
        for own in text.overrides.values_mut() {
            self.apply_to_own(own, size);
        }
    }

    fn apply_to_own(self, own: &mut StyleOverride, size: f64) {
        match self {
            Self::Bold => (own.font_weight, own.font_style) = (None, None),
            Self::Italic => (own.italic, own.font_style) = (None, None),
            Self::Decoration(_) => own.decoration = None,
            Self::Align(_) => {}
            Self::Size(by) => own.font_size = own.font_size.map(|old| sized(old, by)),
            Self::LetterSpacing(by) => {
                own.letter_spacing = own.letter_spacing.map(|old| old + by);
            }
            Self::LineHeight(by) => {
                let size = own.font_size.unwrap_or(size);
                own.line_height = own.line_height.map(|old| further(old, size, by));
            }
        }
    }
}

fn is_bold(weight: f64) -> bool {
    weight >= IS_BOLD
}

/// Never smaller or larger than keys lead to; what is beyond already does not jump.
fn sized(size: f64, by: f64) -> f64 {
    let (least, most) = SIZES;
    (size + by).clamp(least.min(size), most.max(size))
}

/// Lines further apart, in pixels.
fn further(height: LineHeight, size: f64, by: f64) -> LineHeight {
    let pixels = match height {
        LineHeight::Pixels(pixels) => pixels,
        LineHeight::Percent(percent) => size * percent / 100.0,
        LineHeight::Auto => (size * LINES).round(),
    };
    LineHeight::Pixels((pixels + by).max(0.0))
}
