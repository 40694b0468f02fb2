//! Ranges of steps that are kept: named, noted, gone to by click and by key, found, linked to, deleted and brought
//! back; and how they look.

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use pentimento::workbench::views::{self, PaletteKind};
use pentimento::workbench::{
    Command, FindCommand, FoundIn, KeptRange, Link, Overlay, PlaybackCommand, RangeCommand,
    RangeKey, Request, RunId, State, StepRange, handle,
};

use super::fixture::{self, RUN};
use super::harness::{Host, Part, looks, window};

const DESKTOP: [f32; 2] = [1440.0, 900.0];
const LOGIN: StepRange = StepRange { first: 3, last: 9 };
const LIST: StepRange = StepRange { first: 7, last: 20 };

fn key(state: &State, range: StepRange) -> RangeKey {
    RangeKey::of(&state.library.runs[&RUN], range)
}

fn ranges(state: &mut State, command: RangeCommand) -> Vec<Request> {
    handle(state, Command::Ranges(command))
}

fn mark(state: &mut State, range: Option<StepRange>) {
    drop(handle(state, Command::Playback(PlaybackCommand::SetRange(range))));
}

/// Two ranges that overlap, of which none is marked.
fn kept() -> State {
    let mut state = fixture::full();
    for (range, name, note) in
        [(LOGIN, "Login form", "The zebra is upside down."), (LIST, "The list", "")]
    {
        mark(&mut state, Some(range));
        drop(ranges(&mut state, RangeCommand::Keep));
        let words = KeptRange { name: name.to_owned(), note: note.to_owned() };
        let edit = RangeCommand::Edit(key(&state, range), words);
        drop(ranges(&mut state, edit));
    }
    mark(&mut state, None);
    state
}

fn name_of(state: &State, range: StepRange) -> Option<&str> {
    state.notes.range(&key(state, range)).map(|kept| kept.name.as_str())
}

fn press(harness: &mut Harness<'_, Host>, modifiers: Modifiers, key: Key) {
    harness.key_press_modifiers(modifiers, key);
    harness.run_ok();
}

#[test]
fn a_marked_range_is_kept_by_key_named_noted_deleted_and_brought_back() {
    let mut state = fixture::full();
    mark(&mut state, Some(LOGIN));
    let mut harness = window(state, DESKTOP);
    press(&mut harness, Modifiers::COMMAND, Key::D);
    assert_eq!(name_of(&harness.state().state, LOGIN), Some("Range 1"));
    // The name is written over, and each letter is kept at once.
    press(&mut harness, Modifiers::NONE, Key::F2);
    press(&mut harness, Modifiers::COMMAND, Key::A);
    harness.get_by_label("Name of the range").type_text("Login form");
    harness.run_ok();
    harness.get_by_label("Note on the range").focus();
    harness.run_ok();
    harness.get_by_label("Note on the range").type_text("too low");
    harness.run_ok();
    press(&mut harness, Modifiers::NONE, Key::Escape);
    let words = KeptRange { name: "Login form".to_owned(), note: "too low".to_owned() };
    let state = &harness.state().state;
    assert_eq!(state.notes.range(&key(state, LOGIN)), Some(&words));
    harness.get_by_label("Range Login form, steps 3 to 9");
    press(&mut harness, Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::D);
    let state = &harness.state().state;
    assert_eq!(name_of(state, LOGIN), None);
    assert_eq!(state.selection.range, Some(LOGIN), "its steps stay marked");
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    let state = &harness.state().state;
    assert_eq!(state.notes.range(&key(state, LOGIN)), Some(&words));
    // All that was typed is one change more, and the keeping itself another.
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    assert_eq!(name_of(&harness.state().state, LOGIN), Some("Range 1"));
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    assert_eq!(name_of(&harness.state().state, LOGIN), None);
    press(&mut harness, Modifiers::COMMAND, Key::Y);
    assert_eq!(name_of(&harness.state().state, LOGIN), Some("Range 1"));
}

#[test]
fn several_ranges_are_gone_to_by_keys_and_by_click_on_the_timeline_and_in_the_inspector() {
    let mut harness = window(kept(), DESKTOP);
    // From the selected step, 18, on: it is one of the list's.
    press(&mut harness, Modifiers::ALT, Key::CloseBracket);
    let at = |harness: &Harness<'_, Host>| {
        let selection = &harness.state().state.selection;
        (selection.range, selection.step)
    };
    assert_eq!(at(&harness), (Some(LIST), 18));
    press(&mut harness, Modifiers::ALT, Key::CloseBracket);
    assert_eq!(at(&harness), (Some(LOGIN), 3), "after the last comes the first");
    press(&mut harness, Modifiers::ALT, Key::OpenBracket);
    assert_eq!(at(&harness), (Some(LIST), 7));
    harness.get_by_label("Range Login form, steps 3 to 9").click();
    harness.run_ok();
    assert_eq!(at(&harness), (Some(LOGIN), 7));
    // Once more on the same, and it is unmarked.
    harness.get_by_label("Range Login form, steps 3 to 9").click();
    harness.run_ok();
    assert_eq!(at(&harness), (None, 7));
    harness.get_by_label("The list, steps 7 to 20").click_accesskit();
    harness.run_ok();
    assert_eq!(at(&harness), (Some(LIST), 7));
}

#[test]
fn kept_ranges_are_found_by_search_in_the_palette_and_among_bookmarks() {
    let mut state = kept();
    for command in [FindCommand::Open, FindCommand::SetQuery("ZEBRA".to_owned())] {
        drop(handle(&mut state, Command::Find(command)));
    }
    let found: Vec<_> = state.find.found.iter().map(|found| (found.step, found.place)).collect();
    assert_eq!(found, [(3, FoundIn::Range)]);
    let entries = views::palette_entries(&state);
    let entry = entries.iter().find(|entry| entry.kind == PaletteKind::Range).unwrap();
    assert_eq!(entry.title, "Login form");
    assert!(entry.detail.contains("zebra") && entry.detail.starts_with("3–9"), "{}", entry.detail);
    // From another run it leads back.
    let going = entry.command.clone();
    drop(handle(&mut state, Command::SelectRunBy(1)));
    assert_ne!(state.selection.run, Some(RUN));
    drop(handle(&mut state, going));
    assert_eq!((state.selection.run, state.selection.range), (Some(RUN), Some(LOGIN)));
    drop(handle(&mut state, Command::ToggleOverlay(Overlay::Bookmarks)));
    let mut harness = window(state, DESKTOP);
    harness.get_by_label_contains("7–20 The list of").click();
    harness.run_ok();
    let state = &harness.state().state;
    assert_eq!((state.overlay, state.selection.range), (None, Some(LIST)));
    // And there is a way back to where one was.
    press(&mut harness, Modifiers::ALT, Key::ArrowLeft);
    assert!(harness.state().state.selection.step < 7);
}

#[test]
fn the_filter_for_notes_finds_runs_of_which_a_range_was_kept() {
    let mut state = kept();
    drop(handle(&mut state, Command::SetFilter("is:noted".to_owned())));
    let rows = views::library_rows(&state).rows;
    let runs: Vec<RunId> = rows
        .iter()
        .filter_map(|row| match row {
            views::LibraryRow::Run(row) => Some(row.id),
            _ => None,
        })
        .collect();
    assert_eq!(runs, [RUN]);
}

#[test]
fn a_link_leads_to_the_range_that_is_marked() {
    let mut state = kept();
    let choose = RangeCommand::Choose(key(&state, LOGIN));
    drop(ranges(&mut state, choose));
    let text = state.link().unwrap().to_string();
    assert!(text.contains("@3-9?compare=gt"), "{text}");
    assert_eq!(text.parse::<Link>().unwrap().range, Some(LOGIN));
    drop(handle(&mut state, Command::Playback(PlaybackCommand::Step(5))));
    let text = state.link().unwrap().to_string();
    assert!(text.ends_with("&step=5"), "{text}");
    assert_eq!(text.parse::<Link>().unwrap().step, Some(5));
}

#[test]
fn of_the_same_steps_one_range_is_kept_and_a_late_letter_brings_none_back() {
    let mut state = fixture::full();
    let is_kept = |request: &Request| matches!(request, Request::KeepRange { kept: Some(_), .. });
    assert!(!ranges(&mut state, RangeCommand::Keep).iter().any(is_kept), "nothing is marked");
    mark(&mut state, Some(LOGIN));
    let asked = ranges(&mut state, RangeCommand::Keep);
    assert!(asked.iter().any(is_kept), "{asked:?}");
    assert!(!ranges(&mut state, RangeCommand::Keep).iter().any(is_kept), "it is kept already");
    let key = key(&state, LOGIN);
    drop(ranges(&mut state, RangeCommand::Delete(key.clone())));
    let late = KeptRange { name: "Lo".to_owned(), note: String::new() };
    assert!(!ranges(&mut state, RangeCommand::Edit(key.clone(), late)).iter().any(is_kept));
    assert_eq!(state.notes.range(&key), None);
}

#[test]
fn the_timeline_and_the_inspector_with_kept_ranges() {
    let mut state = kept();
    let choose = RangeCommand::Choose(key(&state, LOGIN));
    drop(ranges(&mut state, choose));
    looks("timeline_ranges", &state, DESKTOP, Part::Timeline);
}
