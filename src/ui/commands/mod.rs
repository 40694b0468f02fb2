//! Everything a person can do, in one table: text, tooltip, key, when enabled, what it sends.
//!
//! Shortcuts, palette, key sheet and the tooltips of buttons all come from [`all_commands`].
//! No shortcut acts while a text field has focus, but those of the style of a text that is typed on the canvas.
//!
//! [`command`](mod@command) is what one is, [`table`] all of them, [`bindings`] other keys for them, [`button`] and
//! [`shortcuts`] two ways to run them; [`pressed_key`] is what a key means on keyboards of other layouts.

/// A table of commands: id, group, words, tooltip, keys, when it is enabled, what it sends.
macro_rules! commands {
    ($($id:ident, $group:ident, $text:literal, $tip:literal, [$($key:expr),*], $enabled:expr, $effect:expr;)*) => {
        &[$($crate::ui::commands::UiCommand {
            id: $crate::ui::commands::CommandId::$id,
            group: $crate::ui::commands::Group::$group,
            text: $text,
            tooltip: $tip,
            own_keys: &[$($key),*],
            enabled: $enabled,
            effect: $effect,
        }),*]
    };
}

mod adjusting;
mod assist;
mod bindings;
mod button;
mod command;
mod command_id;
mod comparing;
mod exploring;
mod key_names;
mod keys;
mod pressed_key;
mod running;
mod shortcuts;
mod stepping;
mod table;
mod windows;

pub(crate) use assist::local::AssistLocal;
pub(crate) use bindings::{bound, unbound, why_not_chosen};
pub(crate) use button::CommandButton;
pub(crate) use command::{Effect, Group, KeyRoom, Local, UiCommand};
pub(crate) use command_id::CommandId;
pub(crate) use pressed_key::digit_key;
pub(crate) use shortcuts::{HeldKeys, run_shortcuts};
pub(crate) use stepping::SPEEDS;
pub(crate) use table::{all_commands, command};
