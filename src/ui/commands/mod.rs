//! Everything a person can do, in one table: text, tooltip, key, when enabled, what it sends.
//!
//! Shortcuts, palette, key sheet and the tooltips of buttons all come from [`TABLE`](table::TABLE).
//! No shortcut acts while a text field has focus.
//!
//! [`command`](mod@command) is what one is, [`table`] all of them, [`bindings`] other keys for them, [`button`] and [`shortcuts`] two
//! ways to run them.

mod adjusting;
mod bindings;
mod button;
mod command;
mod comparing;
mod exploring;
mod key_names;
mod running;
mod shortcuts;
mod stepping;
mod table;
mod windows;

pub(crate) use bindings::{bound, unbound};
pub(crate) use button::CommandButton;
pub(crate) use command::{CommandId, Effect, Group, KeyRoom, Local, UiCommand};
pub(crate) use shortcuts::{HeldKeys, run_shortcuts};
pub(crate) use stepping::SPEEDS;
pub(crate) use table::{TABLE, command};
