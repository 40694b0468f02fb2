//! Choosing keys: no two commands that can be meant together share one, and none is chosen that would do nothing.

use std::collections::BTreeMap;

use egui::{Key, KeyboardShortcut};

use super::command::{Scope, UiCommand};
use super::command_id::CommandId;
use super::key_names::to_text;
use super::table::{all_commands, command};
use crate::label::form::ROOM_KEYS;
use crate::workbench::State;

/// Keys that were chosen, by the name of the command; an empty list: none.
pub(crate) type ChosenKeys = BTreeMap<String, Vec<String>>;

/// Why a key cannot be that of a command, if it cannot: it would do nothing, everywhere or where some forms are asked.
pub(crate) fn why_not_chosen(id: CommandId, key: KeyboardShortcut) -> Option<&'static str> {
    let scope = command(id).group.scope();
    // Whatever is held with it; on the canvas it goes from layer to layer.
    if key.logical_key == Key::Tab && scope != Scope::Assist {
        return Some("Tab goes from field to field: choose another key.");
    }
    if !key.modifiers.is_none() {
        return None;
    }
    if key.logical_key == Key::G {
        return Some("G is held to see the ground truth: choose another key.");
    }
    if key.logical_key == Key::B && scope == Scope::Assist {
        return Some("B is held to see the design without the suggestion: choose another key.");
    }
    let name = key.logical_key.name().to_ascii_lowercase();
    let is_of_room = ROOM_KEYS.iter().any(|(known, _)| name.chars().eq([*known]));
    // Those of the room are given to no answer, but by a form's own wish.
    let answers = name.len() == 1 && name.chars().all(char::is_alphanumeric) && !is_of_room;
    let why =
        "It answers where people label: choose another key, or hold Ctrl, Alt or Shift with it.";
    (answers && scope.meets(Scope::Annotate)).then_some(why)
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
    let scope =
        all_commands().find(|command| command.id == id).map(|command| command.group.scope());
    for other in all_commands().filter(|other| other.id != id) {
        let of_other = other.keys(state);
        let meets = scope.is_some_and(|scope| scope.meets(other.group.scope()));
        if meets && of_other.contains(&key) {
            let left = of_other.into_iter().filter(|of| *of != key);
            keys.insert(other.id.name(), left.map(to_text).collect());
            losers.push(other);
        }
    }
    keys.insert(id.name(), vec![to_text(key)]);
    (keys, losers)
}

/// The chosen keys after those of a command were taken away.
pub(crate) fn unbound(state: &State, id: CommandId) -> ChosenKeys {
    let mut keys = state.settings.keys.clone();
    keys.insert(id.name(), Vec::new());
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::commands::key_names::from_text;

    #[test]
    fn every_key_of_the_table_is_written_and_read() {
        for key in all_commands().flat_map(|command| command.own_keys) {
            assert_eq!(from_text(&to_text(*key)), Some(*key), "{}", to_text(*key));
        }
        assert_eq!(from_text("Hyper+A"), None);
        assert_eq!(from_text(""), None);
    }

    #[test]
    fn no_key_is_chosen_that_would_do_nothing() {
        let refused = |id, key: &str| why_not_chosen(id, from_text(key).unwrap()).is_some();
        for key in ["Y", "N", "1", "0", "Q", "Tab", "Shift+Tab", "G"] {
            assert!(refused(CommandId::FlagItem, key), "{key} where people label");
            assert!(refused(CommandId::Palette, key), "{key} everywhere");
        }
        for key in ["K", "Shift+Y", "Alt+1", "F8", "Ctrl+G"] {
            assert!(!refused(CommandId::FlagItem, key), "{key}");
        }
        assert!(!refused(CommandId::Best, "Y") && !refused(CommandId::TakePen, "Tab"));
        assert!(refused(CommandId::Best, "Tab") && refused(CommandId::TakePen, "G"));
    }

    #[test]
    fn a_key_that_is_given_away_is_lost_by_its_owner_alone() {
        let mut state = State::default();
        let (best, next) = (command(CommandId::Best), command(CommandId::NextRun));
        let key = next.own_keys[1];
        let (keys, losers) = bound(&state, CommandId::Best, key);
        state.settings.keys = keys;
        assert_eq!(losers.iter().map(|loser| loser.id).collect::<Vec<_>>(), [CommandId::NextRun]);
        assert_eq!(best.keys(&state), [key]);
        assert_eq!(next.keys(&state), [next.own_keys[0]]);
        state.settings.keys = unbound(&state, CommandId::Best);
        assert!(best.keys(&state).is_empty() && best.has_chosen_keys(&state));
        state.settings.keys.clear();
        assert_eq!(best.keys(&state), best.own_keys);
    }
}
