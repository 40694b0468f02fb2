//! Keys as settings write them.

use egui::{Key, KeyboardShortcut, ModifierNames, Modifiers};

/// As `Ctrl+Shift+E`.
pub(super) fn to_text(key: KeyboardShortcut) -> String {
    let modifiers = ModifierNames::NAMES.format(&key.modifiers, false);
    let name = key.logical_key.name();
    if modifiers.is_empty() { name.to_owned() } else { format!("{modifiers}+{name}") }
}

/// What [`to_text`] wrote; `None` if it is no key that is known here.
pub(super) fn from_text(text: &str) -> Option<KeyboardShortcut> {
    let mut parts = text.split('+').collect::<Vec<_>>();
    let key = Key::from_name(parts.pop()?)?;
    let mut modifiers = Modifiers::NONE;
    for part in parts {
        modifiers = modifiers.plus(match part {
            "Ctrl" | "Cmd" => Modifiers::COMMAND,
            "Shift" => Modifiers::SHIFT,
            "Alt" => Modifiers::ALT,
            _ => return None,
        });
    }
    Some(KeyboardShortcut::new(modifiers, key))
}
