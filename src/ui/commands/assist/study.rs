//! The study.

use crate::ui::commands::UiCommand;

/// What there is to do.
#[rustfmt::skip]
pub(in crate::ui::commands) static TABLE: &[UiCommand] = commands![];
