//! Text.

use egui::Key;

use super::{act, desk};
use crate::design::{TextAlign, TextDecoration};
use crate::editor::{Act, TextStyleAct, TypingAct};
use crate::ui::commands::UiCommand;
use crate::ui::commands::command::Effect;
use crate::ui::commands::keys::{alt, alt_shift, ctrl, ctrl_alt, ctrl_shift};
use crate::workbench::State;

/// What there is to do.
#[rustfmt::skip]
pub(in crate::ui::commands) static TABLE: &[UiCommand] = commands![
    BoldText, Letters, "Bold", "Make the selected texts bold, or not.", [ctrl(Key::B)], has_text, |_| style(TextStyleAct::Bold);
    ItalicText, Letters, "Italic", "Slant the selected texts, or not.", [ctrl(Key::I)], has_text, |_| style(TextStyleAct::Italic);
    UnderlineText, Letters, "Underline", "Underline the selected texts, or not.", [ctrl(Key::U)], has_text, |_| style(TextStyleAct::Decoration(TextDecoration::Underline));
    StrikeText, Letters, "Strikethrough", "Strike the selected texts through, or not.", [ctrl_shift(Key::X)], has_text, |_| style(TextStyleAct::Decoration(TextDecoration::Strikethrough));
    AlignTextLeft, Letters, "Align text left", "Align the lines of the selected texts at the left.", [ctrl_alt(Key::L)], has_text, |_| style(TextStyleAct::Align(TextAlign::Left));
    AlignTextCenter, Letters, "Align text center", "Center the lines of the selected texts.", [ctrl_alt(Key::T)], has_text, |_| style(TextStyleAct::Align(TextAlign::Center));
    AlignTextRight, Letters, "Align text right", "Align the lines of the selected texts at the right.", [ctrl_alt(Key::R)], has_text, |_| style(TextStyleAct::Align(TextAlign::Right));
    JustifyText, Letters, "Justify text", "Align the lines of the selected texts at both sides.", [ctrl_alt(Key::J)], has_text, |_| style(TextStyleAct::Align(TextAlign::Justified));
    SmallerLetters, Letters, "Smaller letters", "Make the letters of the selected texts smaller by a pixel.", [ctrl_shift(Key::Comma)], has_text, |_| style(TextStyleAct::Size(-1.0));
    LargerLetters, Letters, "Larger letters", "Make the letters of the selected texts larger by a pixel.", [ctrl_shift(Key::Period)], has_text, |_| style(TextStyleAct::Size(1.0));
    CloserLetters, Letters, "Closer letters", "Put the letters of the selected texts closer together by 0.1 pixel.", [alt(Key::Comma)], has_text, |_| style(TextStyleAct::LetterSpacing(-0.1));
    LooserLetters, Letters, "Wider letters", "Put the letters of the selected texts further apart by 0.1 pixel.", [alt(Key::Period)], has_text, |_| style(TextStyleAct::LetterSpacing(0.1));
    CloserLines, Letters, "Closer lines", "Put the lines of the selected texts closer together by a pixel.", [alt_shift(Key::Comma)], has_text, |_| style(TextStyleAct::LineHeight(-1.0));
    LooserLines, Letters, "Wider lines", "Put the lines of the selected texts further apart by a pixel.", [alt_shift(Key::Period)], has_text, |_| style(TextStyleAct::LineHeight(1.0));
];

fn style(style: TextStyleAct) -> Effect {
    act(Act::Typing(TypingAct::Style(style)))
}

fn has_text(state: &State) -> bool {
    desk(state).is_some_and(|desk| {
        let document = desk.editor.document();
        let mut nodes = desk.editor.selection().nodes.iter().filter_map(|id| document.get(id));
        nodes.any(|node| node.text().is_some())
    })
}
