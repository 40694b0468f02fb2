//! Whatever can be pressed or typed into has a name.

use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{By, NodeT as _, Queryable as _};

use pentimento::workbench::{
    Browse, Command, InspectorTab, NoteKey, Overlay, State, TOUR_CARDS, TypedPath,
    UnfinishedLaunch, Workspace, handle,
};

use super::harness::window;
use super::{exchanges, explore, fixture};

/// The roles of what a person acts on.
const ACTED_ON: [Role; 14] = [
    Role::Button,
    Role::CheckBox,
    Role::RadioButton,
    Role::TextInput,
    Role::MultilineTextInput,
    Role::Slider,
    Role::SpinButton,
    Role::Link,
    Role::ComboBox,
    Role::ListBoxOption,
    Role::TreeItem,
    Role::Row,
    Role::Tab,
    Role::DisclosureTriangle,
];

/// The window's states that show different things, each with its name; those of labelling and of studies, which need
/// files, are looked at where they are tested.
fn states() -> Vec<(String, State)> {
    let mut states = vec![
        ("empty".to_owned(), fixture::empty()),
        ("busy".to_owned(), fixture::busy()),
        ("running".to_owned(), fixture::running()),
        ("paused".to_owned(), fixture::paused()),
        ("table of runs".to_owned(), explore::room()),
        ("exchanges".to_owned(), exchanges::opened()),
        ("no project".to_owned(), State { workspace: Workspace::Annotate, ..fixture::full() }),
    ];
    for tab in [
        InspectorTab::Step,
        InspectorTab::Nodes,
        InspectorTab::Scores,
        InspectorTab::Plan,
        InspectorTab::Query,
        InspectorTab::WhatIf,
        InspectorTab::Runs,
    ] {
        let mut state = fixture::full();
        state.settings.inspector_tab = tab;
        state.settings.hint_is_closed = false;
        state.find.is_open = true;
        states.push((format!("{tab:?}"), state));
    }
    let overlays = [
        Overlay::Palette,
        Overlay::Keys,
        Overlay::Launch,
        Overlay::Jobs,
        Overlay::Quit,
        Overlay::Unfinished,
        Overlay::Export,
        Overlay::Path,
        Overlay::Bookmarks,
    ];
    for overlay in overlays.into_iter().chain((0..TOUR_CARDS).map(Overlay::Tour)) {
        let mut state = fixture::busy();
        if let Some(star) = state.selected_run().map(|run| NoteKey::of(run, Some(3))) {
            drop(handle(&mut state, Command::ToggleStar(star)));
        }
        state.typed_path = Some(TypedPath { what: Browse::OpenFolder, text: "/some".to_owned() });
        state.overlay = Some(overlay);
        state.unfinished = vec![UnfinishedLaunch { runs: 3, ..UnfinishedLaunch::default() }];
        states.push((format!("{overlay:?}"), state));
    }
    states
}

/// What a person acts on.
pub(super) fn acted_on<'a>() -> By<'a> {
    By::new().predicate(|node| ACTED_ON.contains(&node.role()))
}

/// Looks at all that the window has to act on, of which there is some.
pub(super) fn assert_all_have_names<S>(harness: &Harness<'_, S>, shown: &str) {
    let mut seen = 0;
    for node in harness.query_all(acted_on()) {
        let node = node.accesskit_node();
        let label = node.label().unwrap_or_default();
        seen += 1;
        assert!(
            is_readable(&label),
            "{shown}: a {:?} at {:?} is called {label:?}",
            node.role(),
            node.bounding_box()
        );
    }
    assert!(seen >= 4, "{shown}: {seen} things to act on");
}

/// Whether a name is more than icons, which are letters of our font and nothing that can be read out.
fn is_readable(name: &str) -> bool {
    name.chars().any(|c| {
        !c.is_whitespace() && !matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}')
    })
}

#[test]
fn an_icon_alone_is_no_name() {
    assert!(is_readable("Close") && is_readable("\u{e4f6} Close"));
    assert!(!is_readable("\u{e4f6}") && !is_readable(" \u{e4f6} ") && !is_readable(""));
}

#[test]
fn everything_that_can_be_acted_on_has_a_name() {
    for (shown, state) in states() {
        let harness = window(state, [1280.0, 800.0]);
        assert_all_have_names(&harness, &shown);
    }
}
