//! Back and forward, links, bookmarks and the cards for newcomers.

use egui::{Event, Key, Modifiers, PointerButton, pos2};
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, SnapshotResults};

use pentimento::workbench::{
    Command, InspectorTab, Link, Note, NoteKey, Overlay, PlaybackCommand, RunId, StageView, State,
    ThemeChoice, Workspace, handle,
};

use super::fixture::{self, RUN};
use super::harness::{Host, add_look_at, copied_text, themed, window};

const DESKTOP: [f32; 2] = [1440.0, 900.0];

fn do_all(state: &mut State, commands: impl IntoIterator<Item = Command>) {
    for command in commands {
        drop(handle(state, command));
    }
}

/// Another run of the same task.
fn other_run(state: &State) -> RunId {
    let task = &state.library.runs[&RUN].task;
    let mut runs = state.library.runs.iter();
    *runs.find(|(id, run)| **id != RUN && run.task == *task).unwrap().0
}

fn mouse(harness: &mut Harness<'_, Host>, button: PointerButton) {
    let pos = pos2(700.0, 300.0);
    for pressed in [true, false] {
        harness.event(Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE });
    }
    harness.run_ok();
}

#[test]
fn back_and_forward_go_through_what_was_looked_at_by_keys_and_by_mouse() {
    let mut state = fixture::full();
    let other = other_run(&state);
    do_all(
        &mut state,
        [
            // Stepping is no other place; going to the best step is.
            Command::Playback(PlaybackCommand::StepBy(-1)),
            Command::Playback(PlaybackCommand::Best),
            Command::SelectRun(other),
            Command::ShowInspector(InspectorTab::Nodes),
        ],
    );
    let mut harness = window(state, DESKTOP);
    harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::ALT), Key::Num2);
    harness.run_ok();
    assert_eq!(harness.state().state.workspace, Workspace::Explore);
    let at = |harness: &Harness<'_, Host>| {
        let place = harness.state().state.place();
        (place.workspace, place.run, place.step, place.tab)
    };
    harness.key_press_modifiers(Modifiers::ALT, Key::ArrowLeft);
    harness.run_ok();
    let (workspace, run, _, tab) = at(&harness);
    assert_eq!((workspace, run, tab), (Workspace::Inspect, Some(other), InspectorTab::Nodes));
    mouse(&mut harness, PointerButton::Extra1);
    assert_eq!(at(&harness).3, InspectorTab::Step);
    mouse(&mut harness, PointerButton::Extra1);
    assert_eq!(at(&harness), (Workspace::Inspect, Some(RUN), 4, InspectorTab::Step));
    harness.key_press_modifiers(Modifiers::ALT, Key::ArrowLeft);
    harness.run_ok();
    assert_eq!(at(&harness), (Workspace::Inspect, Some(RUN), 17, InspectorTab::Step));
    // There is nothing before it.
    harness.key_press_modifiers(Modifiers::ALT, Key::ArrowLeft);
    harness.run_ok();
    assert_eq!(at(&harness).2, 17);
    harness.key_press_modifiers(Modifiers::ALT, Key::ArrowRight);
    harness.run_ok();
    assert_eq!(at(&harness).2, 4);
    mouse(&mut harness, PointerButton::Extra2);
    assert_eq!(at(&harness).1, Some(other));
    // Going elsewhere forgets what was gone back from.
    do_all(&mut harness.state_mut().state, [Command::SelectRun(RUN)]);
    assert!(harness.state().state.history.future().is_empty());
}

#[test]
fn a_link_is_copied_by_key_and_says_what_is_looked_at() {
    let mut state = fixture::full();
    state.stage.view = StageView::Swipe;
    state.selection.step = 17;
    let dir = state.library.runs[&RUN].dir.clone();
    let mut harness = window(state, DESKTOP);
    // Into the one frame in which what was copied is told: keys of the harness take a frame for each change of
    // modifiers.
    let modifiers = Modifiers::COMMAND.plus(Modifiers::ALT);
    harness.input_mut().events.push(egui::Event::Key {
        key: Key::C,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers,
    });
    harness.step();
    let copied = copied_text(&harness).expect("something was copied");
    assert!(copied.ends_with("@17?compare=gt&view=swipe&heat=ssim/uniform7&tab=step"), "{copied}");
    // The button does the same.
    harness.run_ok();
    harness.get_by_label("Copy link").scroll_to_me();
    harness.run_ok();
    harness.get_by_label("Copy link").click();
    harness.step();
    assert_eq!(copied_text(&harness).as_ref(), Some(&copied));
    let link: Link = copied.parse().unwrap();
    assert_eq!((link.run, link.step), (dir, Some(17)));
    // Without a run there is nothing to link to.
    assert_eq!(fixture::empty().link(), None);
}

fn with_bookmarks() -> State {
    let mut state = fixture::full();
    let other = other_run(&state);
    let key = |state: &State, run: RunId, step| NoteKey::of(&state.library.runs[&run], step);
    let note = |is_starred, text: &str| Note { is_starred, text: text.to_owned() };
    let notes = [
        (key(&state, RUN, Some(18)), note(true, "the list loses its auto layout")),
        (key(&state, RUN, Some(4)), note(true, "")),
        (key(&state, other, None), note(false, "compare with gpt-4.1\nsecond line")),
    ];
    do_all(&mut state, notes.map(|(key, note)| Command::PutNote(key, note)));
    state
}

#[test]
fn bookmarks_are_listed_and_gone_to_by_keys_and_by_click() {
    let state = with_bookmarks();
    let other = other_run(&state);
    let mut harness = window(state, DESKTOP);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::B);
    harness.run_ok();
    assert_eq!(harness.state().state.overlay, Some(Overlay::Bookmarks));
    harness.get_by_label_contains("Step 18 of");
    // It begins where one is, at step 18, which is the second of the run.
    harness.key_press(Key::ArrowUp);
    harness.run_ok();
    harness.key_press(Key::Enter);
    harness.run_ok();
    let state = &harness.state().state;
    assert_eq!((state.overlay, state.selection.step), (None, 4));
    harness.key_press_modifiers(Modifiers::COMMAND, Key::B);
    harness.run_ok();
    harness.get_by_label_contains("compare with gpt-4.1").click();
    harness.run_ok();
    assert_eq!(harness.state().state.selection.run, Some(other));
    // And back to where one came from.
    harness.key_press_modifiers(Modifiers::ALT, Key::ArrowLeft);
    harness.run_ok();
    assert_eq!(harness.state().state.selection.run, Some(RUN));
}

#[test]
fn the_tour_has_three_cards_can_be_skipped_and_is_called_again() {
    let mut harness = window(fixture::full(), DESKTOP);
    assert_eq!(harness.state().state.overlay, None);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::F1);
    harness.run_ok();
    assert_eq!(harness.state().state.overlay, Some(Overlay::Tour(0)));
    assert!(harness.state().state.settings.tour_is_seen);
    for place in ["1 of 3", "2 of 3"] {
        harness.get_by_label(place);
        harness.get_by_label("Next").click();
        harness.run_ok();
    }
    harness.get_by_label("3 of 3");
    harness.get_by_label("Begin").click();
    harness.run_ok();
    assert_eq!(harness.state().state.overlay, None);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::F1);
    harness.run_ok();
    harness.key_press(Key::Escape);
    harness.run_ok();
    assert_eq!(harness.state().state.overlay, None);
    // By Enter alone, as its first button.
    harness.key_press_modifiers(Modifiers::SHIFT, Key::F1);
    harness.run_ok();
    for next in [Some(Overlay::Tour(1)), Some(Overlay::Tour(2)), None] {
        harness.key_press(Key::Enter);
        harness.run_ok();
        assert_eq!(harness.state().state.overlay, next);
    }
}

#[test]
fn the_bookmarks_and_the_tour() {
    let mut results = SnapshotResults::new();
    for (theme, suffix) in [(ThemeChoice::Dark, "dark"), (ThemeChoice::Light, "light")] {
        for (name, make, from) in [
            (
                "bookmarks",
                with_bookmarks as fn() -> State,
                Command::ToggleOverlay(Overlay::Bookmarks),
            ),
            ("tour_1", fixture::full, Command::ShowTour(0)),
            ("tour_2", fixture::full, Command::ShowTour(1)),
            ("tour_3", fixture::full, Command::ShowTour(2)),
        ] {
            let mut state = themed(make(), theme);
            do_all(&mut state, [from]);
            let mut harness = window(state, DESKTOP);
            harness.run_ok();
            let id = egui::Id::unique(name.split('_').next().unwrap());
            let rect = harness.ctx.memory(|memory| memory.area_rect(id)).expect("it is open");
            add_look_at(&mut results, &mut harness, &format!("{name}_{suffix}"), rect.expand(8.0));
        }
    }
}
