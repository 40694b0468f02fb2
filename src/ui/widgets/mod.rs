//! The small parts every panel is made of. Each says its name to screen readers, keeps to the grid
//! and takes every colour from [`theme`](super::theme).
//!
//! What draws ends in `_ui`, or is a value with a `show`; what paints at a place that its caller chose
//! begins with `paint_`.

mod arrows;
mod button;
mod choice;
mod empty;
mod field_escape;
mod image;
mod kbd;
mod numbers;
mod progress;
mod section;
mod sparkline;
mod stable;
mod text;
mod tick;

pub(crate) use arrows::ArrowList;
pub(crate) use button::{Button, Look};
pub(crate) use choice::{Several, card_ui, choice_ui, chosen_look};
pub(crate) use empty::EmptyState;
pub(crate) use field_escape::{
    escape_left_field, events_of_no_field, give_up_on_escape, note_typing,
};
pub(crate) use image::color_image;
pub(crate) use kbd::{kbd_ui, key_text, tooltip_ui};
pub(crate) use numbers::{
    change_words, clock_words, count, duration, grouped, metric_change_words, metric_words,
    minute_words, score_words, share_words,
};
pub(crate) use progress::progress_bar_ui;
pub(crate) use section::{caption_row_ui, hairline_ui, section_header_in_ui, section_header_ui};
pub(crate) use sparkline::paint_sparkline;
pub(crate) use stable::{add_stable, allocate_stable, allocate_stable_of};
pub(crate) use text::{
    elided_label_ui, paint_numbers, paint_text, path_label_ui, rich_text, say, say_picture,
    sentence, task_kind_words, text_width, with_escape,
};
pub(crate) use tick::{TickState, check_row_ui, check_ui, tick_look, tick_ui};
