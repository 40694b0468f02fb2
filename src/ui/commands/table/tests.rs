use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::label::form::ROOM_KEYS;
use crate::ui::commands::KeyRoom;
use crate::ui::commands::command::Scope;

#[test]
fn no_two_commands_that_can_be_meant_together_share_a_key() {
    let mut shared = Vec::new();
    let mut owners: BTreeMap<String, Vec<&UiCommand>> = BTreeMap::new();
    for entry in all_commands() {
        for key in entry.own_keys {
            let owners = owners.entry(format!("{key:?}")).or_default();
            for owner in owners.iter() {
                if owner.group.scope().meets(entry.group.scope()) {
                    shared.push(format!("{} has the key of {}", entry.text, owner.text));
                }
            }
            owners.push(entry);
        }
    }
    assert!(shared.is_empty(), "{shared:#?}");
    // `G` is held, not pressed, and belongs to nobody in the table.
    assert!(!owners.contains_key(&format!("{:?}", key(Key::G))));
    // So is `B` where people design, to see the design without what the assistant offers.
    let held = owners.get(&format!("{:?}", key(Key::B))).into_iter().flatten();
    let mut scopes = held.map(|entry| entry.group.scope());
    assert!(scopes.all(|scope| !scope.meets(Scope::Assist)));
}

/// Forms warn of options that take these keys, and give their own options others.
#[test]
fn forms_know_the_letters_of_the_room_in_which_people_label() {
    let mut of_table = BTreeMap::new();
    for entry in all_commands().filter(|entry| entry.group.scope().meets(Scope::Annotate)) {
        for key in entry.own_keys.iter().filter(|key| key.modifiers.is_none()) {
            let name = key.logical_key.name().to_lowercase();
            if name.len() == 1 && name.chars().all(char::is_alphanumeric) {
                of_table.insert(name, entry.text.trim_end_matches('…'));
            }
        }
    }
    // `G` is held, and stands in no table.
    let pressed = ROOM_KEYS.into_iter().filter(|(key, _)| *key != 'g');
    let of_forms: BTreeMap<String, &str> =
        pressed.map(|(key, words)| (key.to_string(), words)).collect();
    assert_eq!(of_table, of_forms);
}

#[test]
fn every_id_has_one_entry_and_every_entry_its_words() {
    let ids: BTreeSet<Id> = all_commands().map(|entry| entry.id).collect();
    assert_eq!(ids.len(), all_commands().count());
    assert!(ids.contains(&Id::OpenFolder) && ids.contains(&Id::ShowHeat));
    for entry in all_commands() {
        assert!(!entry.text.is_empty() && entry.tooltip.ends_with('.'), "{:?}", entry.id);
    }
    let keyless = all_commands().filter(|entry| entry.own_keys.is_empty()).map(|entry| entry.id);
    assert_eq!(keyless.collect::<Vec<_>>(), [], "cannot be had by keyboard");
}

#[test]
fn nothing_about_runs_is_enabled_while_nothing_is_open() {
    let empty = State::default();
    let enabled: Vec<Id> =
        all_commands().filter(|entry| (entry.enabled)(&empty)).map(|entry| entry.id).collect();
    let expected = [
        Id::FocusFilter,
        Id::OpenFolder,
        Id::OpenFiles,
        Id::NewLabels,
        Id::OpenLabels,
        Id::ShowInspect,
        Id::ShowExplore,
        Id::ShowAnnotate,
        Id::ShowAssist,
        Id::Palette,
        Id::Jobs,
        Id::Tour,
        Id::KeySheet,
        Id::SwitchTheme,
        Id::FullScreen,
        Id::LargerText,
        Id::SmallerText,
        Id::NormalText,
        Id::Practise,
    ];
    assert_eq!(enabled, expected);
}

#[test]
fn a_question_about_labels_covers_the_room_where_it_is_asked_and_no_other() {
    let [confirm, sheet, play] = [Id::ConfirmAnswer, Id::KeySheet, Id::Play].map(command);
    let mut state = State::default();
    let labels = KeyRoom::Of(Workspace::Annotate);
    assert!(confirm.is_reachable(&state, labels));
    state.annotate.asking_reveal = true;
    assert!(!confirm.is_reachable(&state, labels) && sheet.is_reachable(&state, labels));
    assert!(play.is_reachable(&state, KeyRoom::Of(Workspace::Inspect)));
}

#[test]
fn hover_texts_say_how_far_arrow_keys_go() {
    let mut state = State::default();
    let [left, far] = [Id::NudgeLeft, Id::NudgeFarLeft].map(command);
    assert_eq!(far.hover_text(&state), "Move what is selected left by 10.");
    state.settings.canvas.nudge = crate::workbench::NudgeSizes::new(4, 32).unwrap();
    assert!(left.hover_text(&state).starts_with("Move what is selected left by 4;"));
    assert_eq!(far.hover_text(&state), "Move what is selected left by 32.");
    for entry in all_commands() {
        assert!(!entry.hover_text(&state).contains('{'), "{:?}", entry.id);
    }
}

#[test]
fn where_people_design_the_keys_are_those_that_designers_know() {
    for (id, key) in [
        (Id::BoldText, ctrl(Key::B)),
        (Id::LockSelection, ctrl_shift(Key::L)),
        (Id::CopyProperties, ctrl_alt(Key::C)),
        (Id::PasteProperties, ctrl_alt(Key::V)),
        (Id::CanvasIn, ctrl(Key::Equals)),
        (Id::CanvasOut, ctrl(Key::Minus)),
        (Id::CanvasActualSize, ctrl(Key::Num0)),
        (Id::CanvasActualSize, shift(Key::Num0)),
    ] {
        let meant = all_commands().filter(|entry| {
            entry.own_keys.contains(&key) && entry.group.scope().is_in(Workspace::Assist)
        });
        assert_eq!(meant.map(|entry| entry.id).collect::<Vec<_>>(), [id], "{key:?}");
    }
    for id in [Id::Bookmarks, Id::CopyLink, Id::SwitchTheme, Id::LargerText, Id::NormalText] {
        let scope = command(id).group.scope();
        assert!(!scope.is_in(Workspace::Assist) && scope.is_in(Workspace::Annotate), "{id:?}");
        assert!(scope.meets(Scope::Window) && !scope.meets(Scope::Assist), "{id:?}");
        let state = State { workspace: Workspace::Assist, ..State::default() };
        assert!(scope.is_seen(&state), "{id:?} is in the palette all the same");
    }
}
