//! Where pointer and keys go while a dialog is open, or a field is about to be.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;

use pentimento::workbench::{
    Browse, Command, NoteKey, Overlay, Settings, StagePane, State, handle, views,
};
use pentimento::worker::WorkerConfig;

use super::harness::{Part, looks, window};
use super::{fixture, labelling};

#[test]
fn nothing_beneath_a_dialog_tells_of_itself_to_the_pointer() {
    for overlay in [Overlay::Launch, Overlay::Keys, Overlay::Palette, Overlay::Quit] {
        let mut harness = window(fixture::busy(), [1440.0, 900.0]);
        harness.run_ok();
        // Whatever lay under the pointer before the dialog opened is beneath it too.
        for at in [egui::pos2(120.0, 300.0), egui::pos2(1300.0, 700.0), egui::pos2(700.0, 20.0)] {
            harness.hover_at(at);
            for _ in 0..40 {
                harness.step();
            }
            let mut state = fixture::busy();
            state.overlay = Some(overlay);
            harness.state_mut().state = state;
            harness.hover_at(at + egui::vec2(1.0, 0.0));
            for _ in 0..40 {
                harness.step();
            }
            let tooltips = harness.ctx.memory(|memory| {
                let layers = memory.areas().visible_layer_ids();
                layers.into_iter().filter(|layer| layer.order == egui::Order::Tooltip).count()
            });
            assert_eq!(tooltips, 0, "{overlay:?} at {at:?}");
            harness.state_mut().state.overlay = None;
        }
    }
}

#[test]
fn what_is_typed_right_after_the_key_of_a_field_goes_into_the_field() {
    let press = |key: Key, modifiers: Modifiers| egui::Event::Key {
        key,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers,
    };
    // With the letter that comes with the key, as systems send it.
    for (key, modifiers, letter) in [
        (Key::F, Modifiers::COMMAND, None),
        (Key::Slash, Modifiers::NONE, Some("/")),
        (Key::N, Modifiers::SHIFT, Some("N")),
    ] {
        let mut harness = window(fixture::full(), [1440.0, 900.0]);
        // All in one slow frame: R by itself opens the launch dialog, and A sets a star.
        let events = &mut harness.input_mut().events;
        events.push(press(key, modifiers));
        events.extend(letter.map(|letter| egui::Event::Text(letter.to_owned())));
        for (key, letter) in [(Key::R, "r"), (Key::A, "a")] {
            events.push(press(key, Modifiers::NONE));
            events.push(egui::Event::Text(letter.to_owned()));
        }
        harness.run_ok();
        let state = &harness.state().state;
        assert_eq!(state.overlay, None, "{key:?}");
        let run = state.selected_run().unwrap();
        let note = state.notes.note(&NoteKey::of(run, Some(state.selection.step)));
        let texts = [&state.find.query, &state.library.filter];
        let noted = note.map(|note| (note.is_starred, note.text.as_str()));
        let typed = texts.iter().filter(|text| text.as_str() == "ra").count();
        assert_eq!(
            typed + usize::from(noted == Some((false, "ra"))),
            1,
            "{key:?}: {texts:?} {noted:?}"
        );
    }
}

/// Where the system has no dialog, whoever saves a picture types where to.
#[test]
fn a_path_is_typed_where_the_system_has_no_dialog() {
    let what = Browse::SavePicture(StagePane::Run);
    let mut state = fixture::full();
    drop(handle(&mut state, Command::TypePath(what)));
    assert_eq!(state.overlay, Some(Overlay::Path));
    looks("typed_path", &state, [1024.0, 700.0], Part::Overlay("typed_path"));

    let mut harness = window(state, [1024.0, 700.0]);
    // A name in one slow frame with the key that takes it, after what stands there already.
    let events = &mut harness.input_mut().events;
    events.push(egui::Event::Text(" v1.2".to_owned()));
    events.push(egui::Event::Key {
        key: Key::Enter,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: Modifiers::NONE,
    });
    harness.run_ok();
    let host = harness.state();
    let chosen = host.sent.iter().find_map(|command| match command {
        Command::ChoosePath(sent, path) if *sent == what => path.to_str(),
        _ => None,
    });
    assert_eq!(chosen, Some("~/run.png v1.2"));
    assert_eq!((host.state.overlay, &host.state.typed_path), (None, &None));
    // The end of the name is added as in a dialog, and the file is written by a job.
    let jobs: Vec<&str> = host.state.jobs.by_id.values().map(|job| job.label.as_str()).collect();
    assert!(jobs.iter().any(|title| title.ends_with("~/run.png v1.2.png")), "{jobs:?}");
}

/// The name gets its end only when it is written: what is there already with it is seen all the same.
#[test]
fn a_path_that_is_typed_says_that_a_file_would_be_replaced() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("run.png"), "mine").unwrap();
    let state = State::new(Settings::default(), dir.path().join("runs"));
    let mut harness = labelling::window_with(state, labelling::WIDE, WorkerConfig::default());
    let typed = |name: &str| dir.path().join(name).display().to_string();
    let what = Browse::SavePicture(StagePane::Run);
    for command in [Command::TypePath(what), Command::EditTypedPath(typed("run"))] {
        harness.state_mut().session.carry_out(command);
    }
    labelling::until(&mut harness, "the folder is read", |state| {
        !views::completions(state, &typed("run")).is_empty()
    });
    harness.run_steps(2);
    harness.get_by_label("Replace");
    harness.get_by_label("A file of this name is there and will be replaced.");
    harness.state_mut().session.carry_out(Command::EditTypedPath(typed("run 2")));
    harness.run_steps(3);
    harness.get_by_label("Save");
    assert!(harness.query_by_label("Replace").is_none());
}

/// What the launch dialog asks for has a field there, and the dialog stays.
#[test]
fn a_path_of_the_launch_dialog_has_its_field_there() {
    let mut state = fixture::full();
    state.overlay = Some(Overlay::Launch);
    drop(handle(&mut state, Command::TypePath(Browse::OutDir)));
    assert_eq!((state.overlay, &state.typed_path), (Some(Overlay::Launch), &None));
    assert!(state.notices.iter().any(|notice| notice.text.contains("zenity")));
}
