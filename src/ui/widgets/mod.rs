//! The small parts every panel is made of. Each says its name to screen readers, keeps to the grid
//! and takes every colour from [`theme`](super::theme).

mod arrows;
mod button;
mod empty;
mod kbd;
mod numbers;
mod progress;
mod section;
mod sparkline;
mod text;

pub(crate) use arrows::ArrowList;
pub(crate) use button::{Button, Look};
pub(crate) use empty::EmptyState;
pub(crate) use kbd::{kbd_ui, key_text, tooltip_ui};
pub(crate) use numbers::{change_words, count, duration, grouped, score_words};
pub(crate) use progress::progress_bar;
pub(crate) use section::{caption_row, hairline, section_header, section_header_in};
pub(crate) use sparkline::paint_sparkline;
pub(crate) use text::{
    elided_label, paint_numbers, paint_text, path_label, rich_text, say, say_picture,
    task_kind_words, text_width,
};
