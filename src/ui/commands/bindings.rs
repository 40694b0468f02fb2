//! Which keys a command has: those of the table, or those that somebody chose instead.

use std::collections::BTreeMap;

use egui::{Key, KeyboardShortcut, ModifierNames, Modifiers};

use super::command::{CommandId, UiCommand};
use super::table::TABLE;
use crate::workbench::State;

/// Keys that were chosen, by the name of the command; an empty list: none.
pub(crate) type ChosenKeys = BTreeMap<String, Vec<String>>;

/// The keys of a command, the one that is shown first.
pub(crate) fn keys_of(command: &UiCommand, state: &State) -> Vec<KeyboardShortcut> {
    match chosen(command, &state.settings.keys) {
        // What another version wrote and nobody understands here is passed over.
        Some(texts) => texts.iter().filter_map(|text| from_text(text)).collect(),
        None => command.keys.to_vec(),
    }
}

/// Whether somebody chose the keys of the command.
pub(crate) fn is_chosen(command: &UiCommand, state: &State) -> bool {
    chosen(command, &state.settings.keys).is_some()
}

fn chosen<'a>(command: &UiCommand, keys: &'a ChosenKeys) -> Option<&'a Vec<String>> {
    // Mostly nobody chose any, and every button asks.
    if keys.is_empty() { None } else { keys.get(&name(command.id)) }
}

/// The chosen keys after this one was given to a command, and the commands that lose it: no two that
/// can be meant together share a key.
pub(crate) fn bound(
    state: &State,
    id: CommandId,
    key: KeyboardShortcut,
) -> (ChosenKeys, Vec<&'static UiCommand>) {
    let mut keys = state.settings.keys.clone();
    let mut losers = Vec::new();
    let scope = TABLE.iter().find(|command| command.id == id).map(|command| command.group.scope());
    for other in TABLE.iter().filter(|other| other.id != id) {
        let of_other = keys_of(other, state);
        let meets = scope.is_some_and(|scope| scope.meets(other.group.scope()));
        if meets && of_other.contains(&key) {
            let left = of_other.into_iter().filter(|of| *of != key);
            keys.insert(name(other.id), left.map(to_text).collect());
            losers.push(other);
        }
    }
    keys.insert(name(id), vec![to_text(key)]);
    (keys, losers)
}

/// The chosen keys after those of a command were taken away.
pub(crate) fn unbound(state: &State, id: CommandId) -> ChosenKeys {
    let mut keys = state.settings.keys.clone();
    keys.insert(name(id), Vec::new());
    keys
}

/// The name that settings know a command by.
fn name(id: CommandId) -> String {
    format!("{id:?}")
}

fn to_text(key: KeyboardShortcut) -> String {
    let modifiers = ModifierNames::NAMES.format(&key.modifiers, false);
    let name = key.logical_key.name();
    if modifiers.is_empty() { name.to_owned() } else { format!("{modifiers}+{name}") }
}

fn from_text(text: &str) -> Option<KeyboardShortcut> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::commands::command;

    #[test]
    fn every_key_of_the_table_is_written_and_read() {
        for key in TABLE.iter().flat_map(|command| command.keys) {
            assert_eq!(from_text(&to_text(*key)), Some(*key), "{}", to_text(*key));
        }
        assert_eq!(from_text("Hyper+A"), None);
        assert_eq!(from_text(""), None);
    }

    #[test]
    fn a_key_that_is_given_away_is_lost_by_its_owner_alone() {
        let mut state = State::default();
        let (best, next) = (command(CommandId::Best), command(CommandId::NextRun));
        let key = next.keys[1];
        let (keys, losers) = bound(&state, CommandId::Best, key);
        state.settings.keys = keys;
        assert_eq!(losers.iter().map(|loser| loser.id).collect::<Vec<_>>(), [CommandId::NextRun]);
        assert_eq!(keys_of(best, &state), [key]);
        assert_eq!(keys_of(next, &state), [next.keys[0]]);
        state.settings.keys = unbound(&state, CommandId::Best);
        assert!(keys_of(best, &state).is_empty() && is_chosen(best, &state));
        state.settings.keys.clear();
        assert_eq!(keys_of(best, &state), best.keys);
    }
}
