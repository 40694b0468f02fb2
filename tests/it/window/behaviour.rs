//! What the window does when a person does something.

use std::sync::Arc;

use egui::accesskit::Toggled;
use egui::{Event, Key, Modifiers};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use pentimento::agent::AgentKind;
use pentimento::agent::model_agent::Mode;
use pentimento::agent::models::ModelSetup;
use pentimento::agent::providers::{EnteredKey, ProviderKind};
use pentimento::base::Size;
use pentimento::environment::Compat;
use pentimento::workbench::{
    AnnotateCommand, BriefPlan, BriefPlanner, BriefStart, Browse, Command, ExploreCommand, Fetched,
    FindCommand, JobKind, KeptKeyKey, LaunchEdit, ModelSetupKey, Note, NoteKey, Notice,
    NoticeLevel, Overlay, PlaybackCommand, RunId, RunState, Selecting, StageCommand, StagePane,
    ThemeChoice, UnfinishedLaunch, Workspace, handle, views,
};

use super::fixture;
use super::harness::{Host, Part, copied_text, window};

const SIZE: [f32; 2] = [1280.0, 800.0];

fn full<'a>() -> egui_kittest::Harness<'a, Host> {
    window(fixture::full(), SIZE)
}

fn sent(harness: &egui_kittest::Harness<'_, Host>, command: &Command) -> bool {
    harness.state().sent.contains(command)
}

#[test]
fn arrow_keys_move_over_the_steps() {
    let mut harness = full();
    harness.key_press(Key::ArrowRight);
    harness.run_ok();
    assert_eq!(harness.state().state.selection.step, 19);
    harness.key_press(Key::ArrowLeft);
    harness.key_press(Key::ArrowLeft);
    harness.run_ok();
    assert!(harness.state().state.selection.step <= 18);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::ArrowRight);
    harness.run_ok();
    assert!(sent(&harness, &Command::Playback(PlaybackCommand::TurnBy(1))));
}

#[test]
fn keys_go_to_the_best_step_and_to_the_next_error() {
    let mut harness = full();
    harness.key_press(Key::B);
    harness.run_ok();
    assert_eq!(harness.state().state.selection.step, 4);
    harness.key_press(Key::E);
    harness.run_ok();
    assert_eq!(harness.state().state.selection.step, 22);
    for (key, steps_a_second) in [(Key::Comma, 2.0), (Key::Period, 4.0), (Key::Period, 10.0)] {
        harness.key_press(key);
        harness.run_ok();
        assert_eq!(harness.state().state.playback.steps_per_second, steps_a_second, "{key:?}");
    }
}

#[test]
fn pressing_on_the_curve_selects_the_step_there() {
    let mut harness = full();
    let curve = harness.get_by_label("SSIM after each step").rect();
    let before = harness.state().state.selection.step;
    harness.drag_at(egui::pos2(curve.left() + 40.0, curve.center().y));
    harness.run_ok();
    harness.drop_at(egui::pos2(curve.left() + 40.0, curve.center().y));
    harness.run_ok();
    let after = harness.state().state.selection.step;
    assert!(after < 4 && after != before, "{after}");
}

#[test]
fn no_shortcut_acts_while_the_filter_has_focus() {
    let mut harness = full();
    harness.key_press(Key::Slash);
    harness.run_ok();
    let filter = harness.get_by_label("Filter the library");
    assert!(filter.is_focused());
    filter.type_text("be");
    harness.key_press(Key::E);
    harness.key_press(Key::ArrowRight);
    harness.run_ok();
    assert_eq!(harness.state().state.selection.step, 18);
    assert_eq!(harness.state().state.library.filter, "be");
}

#[test]
fn a_filter_leaves_only_what_it_finds() {
    let mut harness = full();
    harness.key_press(Key::Slash);
    harness.run_ok();
    harness.get_by_label("Filter the library").type_text("state:failed");
    harness.run_ok();
    assert!(harness.query_by_label("claude-3-5-sonnet").is_some());
    assert!(harness.query_by_label("gemini-2.5-pro").is_none());
    assert!(harness.query_by_label("1 of 18 runs").is_some());
}

#[test]
fn a_filter_that_is_not_understood_says_so() {
    let mut harness = full();
    harness.key_press(Key::Slash);
    harness.run_ok();
    harness.get_by_label("Filter the library").type_text("state:nonsense");
    harness.run_ok();
    assert!(harness.query_by_label_contains("`nonsense` is no state").is_some());
}

#[test]
fn a_click_on_a_run_selects_it() {
    let mut harness = full();
    harness.get_by_label("gpt-4o").click();
    harness.run_ok();
    assert!(sent(&harness, &Command::SelectRun(RunId(2))));
    assert_eq!(harness.state().state.selection.run, Some(RunId(2)));
}

#[test]
fn up_and_down_walk_through_the_runs() {
    let mut harness = full();
    harness.key_press(Key::ArrowDown);
    harness.run_ok();
    assert!(sent(&harness, &Command::SelectRunBy(1)));
    harness.key_press(Key::ArrowUp);
    harness.run_ok();
    assert!(sent(&harness, &Command::SelectRunBy(-1)));
}

#[test]
fn every_command_stands_in_the_key_sheet() {
    let mut harness = window(fixture::full(), [1440.0, 1400.0]);
    harness.key_press(Key::Questionmark);
    harness.run_ok();
    assert_eq!(harness.state().state.overlay, Some(Overlay::Keys));
    for words in ["Next loss", "Best step", "Zoom to 800 %", "Open", "Run agent", "Switch theme"] {
        assert!(harness.query_all_by_label(words).next().is_some(), "{words} is missing");
    }
    harness.key_press(Key::Escape);
    harness.run_ok();
    assert_eq!(harness.state().state.overlay, None);
}

#[test]
fn the_launch_dialog_sends_what_was_chosen() {
    let mut harness = full();
    harness.key_press(Key::R);
    harness.run_ok();
    assert_eq!(harness.state().state.overlay, Some(Overlay::Launch));
    harness.get_by_label("Scripted").click();
    harness.run_ok();
    assert!(sent(&harness, &Command::EditLaunch(LaunchEdit::Agent(AgentKind::Scripted))));
    let choose = harness.get_by_label("Choose a script of tool calls…");
    choose.click();
    harness.run_ok();
    assert!(sent(&harness, &Command::Browse(Browse::Script)));
    harness.get_by_label("Tracer").click();
    harness.run_ok();
    harness.get_by_label("Launch 1 run").click();
    harness.run_ok();
    assert!(sent(&harness, &Command::Launch));
}

#[test]
fn the_launch_dialog_takes_a_model_by_its_name() {
    let mut harness = full();
    harness.key_press(Key::R);
    harness.run_ok();
    harness.get_by_label("Model").click();
    harness.run_ok();
    assert!(harness.query_by_label("Name a model.").is_some());
    harness.get_by_label("The model makes all calls at once").click();
    harness.get_by_label("Name of the model").focus();
    harness.run_ok();
    harness.get_by_label("Name of the model").type_text("gemini");
    harness.run_ok();
    // No name of a file, and no KIND:MODEL: it would fail after the launch.
    assert!(harness.query_by_label_contains("is not a model: name one of the file").is_some());
    harness.get_by_label("Name of the model").type_text(":m");
    harness.run_ok();
    assert!(harness.query_by_label("Name a model.").is_none());
    harness.get_by_label("Choose a file of models…").click();
    harness.run_ok();
    assert!(sent(&harness, &Command::Browse(Browse::ModelFile)));
    let model = &harness.state().state.launch.model;
    assert_eq!((model.name.as_str(), model.mode), ("gemini:m", Mode::SingleTurn));
}

#[test]
fn what_is_no_model_cannot_be_launched() {
    let mut harness = full();
    harness.key_press(Key::R);
    harness.run_ok();
    harness.get_by_label("Model").click();
    harness.run_ok();
    for name in ["foo bar", "anthropic:", "gpt", "gemini:a b"] {
        harness.state_mut().state.launch.model.name = name.to_owned();
        harness.run_ok();
        let launch = harness.get_by_label("Launch 1 run");
        assert!(launch.accesskit_node().is_disabled(), "{name}");
        assert!(harness.query_by_label_contains("is not a model: name one of the file").is_some());
    }
    harness.state_mut().state.launch.model.name = "gemini:a, bedrock:eu.maker.m-v1:0".to_owned();
    harness.run_ok();
    assert!(!harness.get_by_label("Launch 2 runs").accesskit_node().is_disabled());
}

#[test]
fn a_missing_key_is_asked_for_before_anything_is_launched() {
    let mut harness = full();
    harness.key_press(Key::R);
    harness.run_ok();
    harness.get_by_label("Model").click();
    harness.run_ok();
    let state = &mut harness.state_mut().state;
    state.launch.model.name = "anthropic:m".to_owned();
    let missing = "there is no key: set the environment variable ANTHROPIC_API_KEY, or store a key \
                   with `pentimento key store anthropic`";
    let setup = ModelSetup {
        kind: ProviderKind::Anthropic,
        address: "https://api.anthropic.com/v1".to_owned(),
        key_entry: Some("anthropic".to_owned()),
        key: Err(missing.to_owned()),
    };
    let key = ModelSetupKey { choice: state.launch.model.clone(), entered: 0 };
    state.derived.model_setups.insert(key, Fetched::Ready(Arc::new(setup)));
    harness.run_ok();
    assert!(harness.get_by_label("Launch 1 run").accesskit_node().is_disabled());
    assert!(harness.query_all_by_label_contains("pentimento key store anthropic").next().is_some());
    // Nothing can be done with nothing; what is typed can be kept here or there.
    assert!(harness.get_by_label("Save to keyring").accesskit_node().is_disabled());
    harness.get_by_label("Key for anthropic").focus();
    harness.run_ok();
    harness.get_by_label("Key for anthropic").type_text("sk-topsecret-1");
    harness.run_ok();
    harness.get_by_label("Save to keyring").click();
    harness.run_ok();
    let entered = EnteredKey::new(1, "anthropic", "x").unwrap().unwrap();
    assert!(sent(&harness, &Command::EditLaunch(LaunchEdit::KeepKey(entered.clone()))));
    // Without a keyring it says so, and the key is still there to be used now.
    let state = &mut harness.state_mut().state;
    let setup = state
        .derived
        .model_setups
        .get(&ModelSetupKey { choice: state.launch.model.clone(), entered: 0 });
    let setup = setup.cloned().unwrap();
    let choice = state.launch.model.clone();
    let why = "the system's keyring cannot be asked for \"anthropic\": no such service".to_owned();
    state.derived.kept_keys.insert(KeptKeyKey(entered), Fetched::Failed(why));
    state.derived.model_setups.insert(ModelSetupKey { choice, entered: 2 }, setup);
    harness.run_ok();
    assert!(harness.query_by_label_contains("It was not saved: the system's keyring").is_some());
    harness.get_by_label("Use this session").click();
    harness.run_ok();
    let entered = EnteredKey::new(2, "anthropic", "x").unwrap().unwrap();
    assert!(sent(&harness, &Command::EditLaunch(LaunchEdit::SessionKey(entered))));
    let launch = &harness.state().state.launch;
    assert_eq!(format!("{:?}", launch.model.session_keys), "{\"anthropic\"}");
    let written = serde_json::to_string(launch).unwrap();
    assert!(!written.contains("topsecret") && !format!("{launch:?}").contains("topsecret"));
}

#[test]
fn the_launch_dialog_takes_the_command_of_an_agent_of_ones_own() {
    let mut harness = full();
    harness.key_press(Key::R);
    harness.run_ok();
    harness.get_by_label("Your own").click();
    harness.run_ok();
    assert!(harness.query_by_label("Give the command of your agent.").is_some());
    let field = harness.get_by_label("Command of your own agent");
    field.focus();
    harness.run_ok();
    harness.get_by_label("Command of your own agent").type_text("python3 agent.py");
    harness.run_ok();
    assert!(sent(&harness, &Command::EditLaunch(LaunchEdit::Command("python3 agent.py".into()))));
    assert!(harness.query_by_label("Give the command of your agent.").is_none());
    harness.get_by_label("Launch 1 run").click();
    harness.run_ok();
    assert!(sent(&harness, &Command::Launch));
    assert_eq!(
        harness.state().state.settings.launch.command,
        "python3 agent.py",
        "for the next time"
    );
}

#[test]
fn the_launch_dialog_chooses_whose_behaviour_the_tools_follow() {
    let mut harness = full();
    harness.key_press(Key::R);
    harness.run_ok();
    let is_on = |harness: &egui_kittest::Harness<'_, Host>, name| {
        harness.get_by_label(name).accesskit_node().toggled() == Some(Toggled::True)
    };
    let (documented, published) = ("Documented", "CANVAS 2026-01");
    assert!(is_on(&harness, documented) && !is_on(&harness, published));
    harness.get_by_label(published).click();
    harness.run_ok();
    assert!(is_on(&harness, published) && !is_on(&harness, documented));
    let chosen = LaunchEdit::Compat(Compat::Canvas202601);
    assert!(sent(&harness, &Command::EditLaunch(chosen)));
    harness.get_by_label("Launch 1 run").click();
    harness.run_ok();
    assert_eq!(
        harness.state().state.settings.launch.options.compat,
        Compat::Canvas202601,
        "for the next time"
    );
}

#[test]
fn a_notice_does_not_cover_what_launches() {
    let mut state = fixture::full();
    state.overlay = Some(Overlay::Launch);
    let text =
        "the folder cannot be written: choose another, or change who may write it ".repeat(2);
    for id in 0..3 {
        let notice = Notice {
            id,
            level: NoticeLevel::Error,
            text: text.clone(),
            is_hidden: false,
            about: None,
        };
        state.notices.push(notice);
    }
    let harness = window(state, [1024.0, 700.0]);
    let notice = harness.get_by_label_contains("the folder cannot be written").rect();
    let dialog = harness.get_by_label("Run an agent").rect();
    assert!(notice.bottom() < dialog.top(), "{notice:?} {dialog:?}");
}

#[test]
fn nothing_can_be_launched_without_a_task() {
    let mut state = fixture::full();
    state.overlay = Some(Overlay::Launch);
    let harness = window(state, SIZE);
    let launch = harness.get_by_label("Launch 0 runs");
    assert!(launch.accesskit_node().is_disabled());
    assert!(harness.query_by_label("Choose at least one task.").is_some());
}

#[test]
fn the_palette_finds_a_run_and_goes_to_it() {
    let mut harness = full();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::P);
    harness.run_ok();
    harness.get_by_label("Go to a task, a run or a command").type_text("gpt-4o gid11");
    harness.run_ok();
    harness.key_press(Key::Enter);
    harness.run_ok();
    assert!(sent(&harness, &Command::SelectRun(RunId(2))));
    assert_eq!(harness.state().state.overlay, None);
}

/// Chooses what fits the words best, and draws the frame after it, in which the palette is closed.
fn choose_in_palette(harness: &mut egui_kittest::Harness<'_, Host>, words: &str) {
    harness.state_mut().state.overlay = Some(Overlay::Palette);
    harness.run_ok();
    harness.get_by_label("Go to a task, a run or a command").type_text(words);
    harness.run_ok();
    in_one_frame(harness, [key(Modifiers::NONE, Key::Enter)]);
    assert_eq!(harness.state().state.overlay, None);
    harness.step();
}

#[test]
fn the_palette_finds_what_the_window_does_by_itself_and_it_is_done() {
    let mut harness = full();
    choose_in_palette(&mut harness, "copy link");
    assert!(copied_text(&harness).unwrap().contains("@18"));
    choose_in_palette(&mut harness, "find in the run");
    harness.run_ok();
    assert!(harness.get_by_label("Find in the run").is_focused());
}

#[test]
fn a_path_is_typed_into_the_palette_in_every_room() {
    for room in [Workspace::Inspect, Workspace::Explore, Workspace::Annotate, Workspace::Assist] {
        let mut harness = full();
        let state = &mut harness.state_mut().state;
        drop(handle(state, Command::Annotate(AnnotateCommand::Show(room))));
        state.overlay = Some(Overlay::Palette);
        harness.run_ok();
        harness.get_by_label("Go to a task, a run or a command").type_text("/some/folder");
        harness.run_ok();
        harness.key_press(Key::Enter);
        harness.run_ok();
        assert!(sent(&harness, &Command::Open(vec!["/some/folder".into()])), "{room:?}");
    }
}

#[test]
fn the_wheel_zooms_at_the_pointer_and_f_fits_again() {
    let mut harness = full();
    let picture = harness.get_by_label_contains("Picture of the ground truth").rect();
    harness.hover_at(picture.center());
    harness.run_ok();
    harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: egui::vec2(0.0, 120.0),
        source: egui::MouseWheelSource::Wheel,
        phase: egui::TouchPhase::Move,
        modifiers: Modifiers::NONE,
    });
    harness.run_ok();
    assert!(harness.state().state.stage.zoom.is_some());
    harness.key_press(Key::F);
    harness.run_ok();
    assert_eq!(harness.state().state.stage.zoom, None);
}

#[test]
fn panes_can_be_hidden_by_button_and_by_key() {
    let mut harness = full();
    harness.get_by_label("Show the heat").click();
    harness.run_ok();
    assert!(!harness.state().state.stage.panes.contains(&StagePane::Heat));
    harness.key_press(Key::H);
    harness.run_ok();
    assert!(harness.state().state.stage.panes.contains(&StagePane::Heat));
}

#[test]
fn holding_g_shows_the_ground_truth_until_it_is_let_go() {
    let mut harness = full();
    harness.key_down(Key::G);
    harness.run_ok();
    assert!(harness.state().state.stage.hold_ground_truth);
    harness.key_up(Key::G);
    harness.run_ok();
    assert!(sent(&harness, &Command::Stage(StageCommand::HoldGroundTruth(false))));
    assert!(!harness.state().state.stage.hold_ground_truth);
}

#[test]
fn the_pointer_reads_out_both_pixels() {
    let mut harness = full();
    let picture = harness.get_by_label_contains("Picture of step 18").rect();
    harness.hover_at(picture.left_top() + egui::vec2(4.0, 4.0));
    harness.run_ok();
    let readout = harness.get_by_label_contains("ΔRGB");
    let words = readout.value().unwrap_or_default();
    assert!(words.contains("run #4A20D8") && words.contains("truth #4A20D8"), "{words}");
    assert!(words.ends_with("ΔRGB 0"), "{words}");
}

#[test]
fn jobs_can_be_stopped_from_their_list() {
    let mut harness = window(fixture::busy(), SIZE);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::J);
    harness.run_ok();
    harness.get_by_label("Stop tracer on gid28-1").click();
    harness.run_ok();
    let stopped = |command: &Command| matches!(command, Command::CancelJob(_));
    assert!(harness.state().sent.iter().any(stopped));
}

#[test]
fn a_plan_that_has_not_begun_is_queued_as_a_run_is() {
    let mut state = fixture::empty();
    state.workspace = Workspace::Assist;
    let job = state.jobs.start(JobKind::Run, "a plan");
    let (words, size) = ("A poster".to_owned(), Size::new(400.0, 400.0));
    let start = BriefStart { words, size, plan: None };
    state.assist.plan = Some(BriefPlan { start, by: BriefPlanner::Rules, job, run: RunId(99) });
    let harness = window(state, SIZE);
    harness.get_by_label_contains("Planned by rules, without a model: queued.");
}

#[test]
fn an_empty_window_says_what_to_do() {
    let mut harness = window(fixture::empty(), SIZE);
    assert!(harness.query_by_label("Open something to look at").is_some());
    let open: Vec<_> = harness.get_all_by_label("Open…").collect();
    open[0].click();
    harness.run_ok();
    assert!(sent(&harness, &Command::Browse(Browse::OpenFolder)));
}

#[test]
fn the_theme_button_switches_to_the_other_theme() {
    let mut state = fixture::full();
    state.settings.theme = ThemeChoice::Dark;
    let mut harness = window(state, SIZE);
    harness.get_by_label("Light theme").click();
    harness.run_ok();
    assert!(sent(&harness, &Command::SetTheme(ThemeChoice::Light)));
    assert!(harness.query_by_label("Dark theme").is_some());
}

#[test]
fn a_task_without_ground_truth_and_a_picture_that_failed_say_why() {
    let mut state = fixture::full();
    let key = pentimento::workbench::PictureKey::Step(fixture::RUN, 18);
    let why = "its font is missing".to_owned();
    state.derived.pictures.insert(key, pentimento::workbench::Fetched::Failed(why));
    let harness = window(state, SIZE);
    assert!(harness.query_by_label_contains("Cannot be drawn its font is missing").is_some());
}

/// A key that goes down.
fn key(modifiers: Modifiers, key: Key) -> Event {
    Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers }
}

/// Draws one frame for all of it, as a slow one does: by `key_press` each would have a frame of its own.
fn in_one_frame(
    harness: &mut egui_kittest::Harness<'_, Host>,
    events: impl IntoIterator<Item = Event>,
) {
    harness.input_mut().events.extend(events);
    harness.step();
}

const CTRL_ALT: Modifiers = Modifiers::COMMAND.plus(Modifiers::ALT);

#[test]
fn several_presses_in_one_frame_count_each_in_their_order() {
    let mut harness = window(fixture::full(), [1024.0, 700.0]);
    let keys = [Key::Home, Key::ArrowRight, Key::ArrowRight, Key::ArrowRight, Key::ArrowLeft];
    in_one_frame(&mut harness, keys.map(|pressed| key(Modifiers::NONE, pressed)));
    assert_eq!(harness.state().state.selection.step, 2);
    // The second is against the state after the first: the theme is back where it was.
    let before = harness.state().state.shows_dark();
    let theme = || key(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::L);
    in_one_frame(&mut harness, [theme(), theme(), theme()]);
    assert_eq!(harness.state().state.shows_dark(), !before);
}

#[test]
fn a_press_means_what_it_means_in_the_room_that_the_one_before_it_led_to() {
    let mut harness = full();
    let to_explore = || key(CTRL_ALT, Key::Num2);
    in_one_frame(&mut harness, [to_explore(), key(Modifiers::NONE, Key::J)]);
    let down = Command::Explore(ExploreCommand::Select(Selecting::CursorBy(1)));
    assert!(sent(&harness, &down) && !sent(&harness, &Command::SelectRunBy(1)));
    // What is typed goes into the field there, whose key is also that of a field here.
    let mut harness = full();
    let slash = key(Modifiers::NONE, Key::Slash);
    let [own, words] = ["/", "gpt"].map(|text| Event::Text(text.to_owned()));
    in_one_frame(&mut harness, [to_explore(), slash, own, words]);
    harness.run_ok();
    let state = &harness.state().state;
    assert_eq!((&*state.explore.view.filter, &*state.library.filter), ("gpt", ""));
}

#[test]
fn what_is_typed_behind_a_command_of_the_palette_goes_into_the_field_that_it_leads_to() {
    let mut harness = full();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::P);
    harness.run_ok();
    in_one_frame(&mut harness, [Event::Text("filter the library".to_owned())]);
    in_one_frame(&mut harness, [key(Modifiers::NONE, Key::Enter)]);
    let before = harness.state().state.selection.run;
    in_one_frame(&mut harness, [key(Modifiers::NONE, Key::J), Event::Text("j".to_owned())]);
    harness.run_ok();
    let state = &harness.state().state;
    assert_eq!((&*state.library.filter, state.overlay), ("j", None));
    assert_eq!(state.selection.run, before, "it is no key there");
}

#[test]
fn escape_leaves_what_the_key_before_it_opened() {
    let mut harness = full();
    let keys = [Key::Questionmark, Key::Escape];
    in_one_frame(&mut harness, keys.map(|pressed| key(Modifiers::NONE, pressed)));
    assert!(sent(&harness, &Command::ToggleOverlay(Overlay::Keys)));
    assert_eq!(harness.state().state.overlay, None);
    // And what is pressed after it means what it means without that.
    harness.state_mut().state.overlay = Some(Overlay::Keys);
    harness.run_ok();
    let keys = [Key::Escape, Key::ArrowRight];
    in_one_frame(&mut harness, keys.map(|pressed| key(Modifiers::NONE, pressed)));
    assert_eq!(harness.state().state.overlay, None);
    assert_eq!(harness.state().state.selection.step, 19);
}

#[test]
fn what_the_window_does_by_itself_is_done_when_its_turn_comes() {
    let mut harness = full();
    let (right, left) = (Key::ArrowRight, Key::ArrowLeft);
    let link = key(CTRL_ALT, Key::C);
    let events = [key(Modifiers::NONE, right), link, key(Modifiers::NONE, left)];
    in_one_frame(&mut harness, events);
    harness.step();
    let copied = copied_text(&harness).unwrap();
    assert!(copied.contains("@19"), "{copied}");
    // What came after it was pressed after it.
    assert_eq!(harness.state().state.selection.step, 18);
    let before = harness.state().state.selection.run;
    in_one_frame(&mut harness, [key(Modifiers::NONE, Key::ArrowDown), key(CTRL_ALT, Key::F)]);
    harness.step();
    let run = harness.state().state.selected_run().unwrap();
    assert_ne!(harness.state().state.selection.run, before);
    assert_eq!(copied_text(&harness), Some(run.dir.display().to_string()));
}

#[test]
fn a_warning_goes_by_itself_and_stays_in_the_list_of_jobs_and_an_error_stands() {
    let mut state = fixture::full();
    for (id, level, text) in
        [(1, NoticeLevel::Warning, "one task was left out"), (2, NoticeLevel::Error, "disk full")]
    {
        let text = text.to_owned();
        state.notices.push(Notice { id, level, text, is_hidden: false, about: None });
    }
    let mut harness = window(state, [1440.0, 900.0]);
    assert!(harness.query_by_label("One task was left out").is_some());
    harness.input_mut().time = Some(60.0);
    harness.step();
    harness.step();
    let hidden: Vec<bool> = harness.state().state.notices.iter().map(|it| it.is_hidden).collect();
    assert_eq!(hidden, [true, false]);
}

#[test]
fn scoring_in_the_background_is_told_in_every_room_and_in_the_list_of_jobs_and_is_paused_there() {
    let line = |harness: &egui_kittest::Harness<'_, Host>| {
        let scoring = views::library_scoring(&harness.state().state).unwrap();
        format!("Scoring · {} of {} runs", scoring.done, scoring.total)
    };
    let (state, _) = crate::workbench::opened();
    let mut harness = window(state, SIZE);
    for room in [Workspace::Inspect, Workspace::Explore, Workspace::Annotate, Workspace::Assist] {
        let show = Command::Annotate(AnnotateCommand::Show(room));
        drop(handle(&mut harness.state_mut().state, show));
        harness.run_ok();
        assert!(harness.query_by_label(&line(&harness)).is_some(), "{room:?}");
        assert!(harness.query_by_label("Pause scoring").is_some(), "{room:?}");
    }
    let state = &mut harness.state_mut().state;
    drop(handle(state, Command::ClearEndedJobs));
    state.overlay = Some(Overlay::Jobs);
    harness.run_ok();
    assert_eq!(harness.query_all_by_label(&line(&harness)).count(), 2);
    assert!(harness.query_by_label_contains("Nothing works in the background").is_none());
    harness.get_all_by_label("Pause scoring").last().unwrap().click();
    harness.run_ok();
    assert!(sent(&harness, &Command::PauseScoring(true)));
}

#[test]
fn closing_with_runs_under_way_asks_and_an_unfinished_launch_is_offered() {
    let mut state = fixture::busy();
    state.overlay = Some(Overlay::Quit);
    let mut harness = window(state, [1024.0, 700.0]);
    assert!(harness.query_by_label_contains("runs and close?").is_some());
    harness.get_by_label("Stop and close").click();
    harness.run_ok();
    assert!(harness.state().sent.contains(&Command::Quit));
    harness.key_press(Key::Escape);
    harness.run_ok();
    assert_eq!(harness.state().state.overlay, None);

    let mut state = fixture::full();
    state.jobs.start(JobKind::Save, "exporting 200 runs");
    state.overlay = Some(Overlay::Quit);
    let harness = window(state, [1024.0, 700.0]);
    assert!(harness.query_by_label("Stop what is at work and close?").is_some());
    assert!(harness.query_by_label_contains("Exporting 200 runs. It is cut off").is_some());

    let mut state = fixture::full();
    state.unfinished = vec![UnfinishedLaunch { runs: 14, ..UnfinishedLaunch::default() }];
    state.overlay = Some(Overlay::Unfinished);
    let mut harness = window(state, [1024.0, 700.0]);
    assert!(harness.query_by_label("Resume 14 runs?").is_some());
    harness.get_by_label("Don't ask again").click();
    harness.run_ok();
    let state = &harness.state().state;
    assert!(state.unfinished.is_empty() && state.overlay.is_none());
}

#[test]
fn words_are_found_in_the_run_and_gone_to() {
    let mut harness = full();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::F);
    harness.run_ok();
    let field = harness.get_by_label("Find in the run");
    assert!(field.is_focused());
    field.type_text("NODE");
    harness.run_ok();
    let find = &harness.state().state.find;
    let steps: Vec<u32> = find.found.iter().map(|found| found.step).collect();
    assert!(!steps.is_empty() && steps.is_sorted(), "{steps:?}");
    let first = find.at.unwrap();
    assert_eq!(harness.state().state.selection.step, steps[first]);
    harness.key_press(Key::Enter);
    harness.run_ok();
    let at = harness.state().state.find.at.unwrap();
    assert_eq!(at, (first + 1) % steps.len());
    assert_eq!(harness.state().state.selection.step, steps[at]);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::Enter);
    harness.run_ok();
    assert_eq!(harness.state().state.find.at, Some(first));
    harness.key_press(Key::Escape);
    harness.run_ok();
    assert!(harness.query_by_label("Find in the run").is_none());
    // Closed, the words are kept and F3 means nothing.
    assert_eq!(harness.state().state.find.query, "NODE");
    assert!(harness.state().state.find.found.is_empty());
}

#[test]
fn a_step_is_starred_and_noted_and_the_run_is_found_by_it() {
    let mut harness = full();
    harness.key_press(Key::A);
    harness.run_ok();
    let key = NoteKey::of(harness.state().state.selected_run().unwrap(), Some(18));
    let starred = Note { is_starred: true, text: String::new() };
    assert_eq!(harness.state().state.notes.note(&key), Some(&starred));
    harness.key_press_modifiers(Modifiers::SHIFT, Key::N);
    harness.run_ok();
    let field = harness.get_all_by_label("Note on the step").find(egui_kittest::Node::is_focused);
    field.unwrap().type_text("The header is lost here.");
    harness.run_ok();
    let note = harness.state().state.notes.note(&key).unwrap();
    assert_eq!((note.is_starred, &*note.text), (true, "The header is lost here."));
    harness.key_press(Key::Escape);
    harness.run_ok();
    for filter in ["is:starred", "is:noted", "-is:starred"] {
        drop(handle(&mut harness.state_mut().state, Command::SetFilter(filter.into())));
        let run = harness.state().state.selection.run.unwrap();
        let passes = views::run_order(&harness.state().state).contains(&run);
        assert_eq!(passes, !filter.starts_with('-'), "{filter}");
    }
    // Another step has a note of its own.
    harness.key_press(Key::Home);
    harness.run_ok();
    harness.key_press(Key::Z);
    harness.run_ok();
    assert_eq!(harness.state().state.selection.step, 18);
}

#[test]
fn a_key_is_changed_in_the_sheet_and_works_at_once() {
    let mut harness = window(fixture::full(), [1440.0, 1400.0]);
    harness.key_press(Key::Questionmark);
    harness.run_ok();
    harness.get_by_label("Search commands and keys").focus();
    harness.run_ok();
    harness.get_by_label("Search commands and keys").type_text("best st");
    harness.run_ok();
    assert!(harness.query_by_label("Zoom to 800 %").is_none());
    // The timeline below has a button of that name too.
    let row = harness.get_all_by_label("Best step").last();
    row.unwrap().click();
    harness.run_ok();
    // The key of another command: that one loses it.
    harness.key_press(Key::E);
    harness.run_ok();
    assert!(harness.query_by_label("It was the key of Next error.").is_some());
    harness.key_press(Key::Escape);
    harness.run_ok();
    assert_eq!(harness.state().state.overlay, None);
    harness.key_press(Key::E);
    harness.run_ok();
    assert_eq!(harness.state().state.selection.step, 4);
    assert!(!sent(&harness, &Command::Playback(PlaybackCommand::NextError)));
}

#[test]
fn text_is_scaled_by_key_and_stays_within_bounds() {
    let mut harness = window(fixture::full(), [1024.0, 700.0]);
    for _ in 0..3 {
        harness.key_press_modifiers(Modifiers::COMMAND, Key::Plus);
    }
    harness.step();
    assert_eq!(harness.state().state.settings.text_scale, 1.3);
    assert_eq!(harness.state().state.stage.zoom, None, "the pictures are not zoomed by it");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Num0);
    harness.step();
    assert_eq!(harness.state().state.settings.text_scale, 1.0);
    for scale in [9.0, f32::NAN, f32::INFINITY, 0.0] {
        drop(handle(&mut harness.state_mut().state, Command::SetTextScale(scale)));
        assert!((0.5..=3.0).contains(&harness.state().state.settings.text_scale));
    }
}

#[test]
fn a_newcomer_is_shown_three_things_to_try_until_he_closes_them() {
    let mut state = fixture::full();
    state.settings.hint_is_closed = false;
    let mut harness = window(state, [1024.0, 700.0]);
    assert!(harness.query_by_label("Three things to try").is_some());
    harness.get_by_label("Close the hint").click();
    harness.run_ok();
    assert!(harness.query_by_label("Three things to try").is_none());
    assert!(harness.state().state.settings.hint_is_closed);
}

#[test]
fn what_to_try_shows_after_the_tour_and_not_behind_it() {
    let mut state = fixture::full();
    state.settings.hint_is_closed = false;
    drop(handle(&mut state, Command::ShowTour(0)));
    let mut harness = window(state, [1024.0, 700.0]);
    for _ in 0..2 {
        assert!(harness.query_by_label("Three things to try").is_none());
        harness.get_by_label("Next").click();
        harness.run_ok();
    }
    assert!(harness.query_by_label("Three things to try").is_none());
    harness.get_by_label("Begin").click();
    harness.run_ok();
    harness.get_by_label("Three things to try");
}

#[test]
fn in_a_small_window_following_a_live_run_and_the_next_error_have_each_their_place() {
    let mut state = fixture::full();
    state.library.runs.get_mut(&fixture::RUN).unwrap().state = RunState::Live;
    for size in [[1024.0, 700.0], [1440.0, 900.0]] {
        let harness = window(state.clone(), size);
        let [follow, error] =
            ["Follow the live run", "Next error"].map(|name| harness.get_by_label(name).rect());
        assert!(error.right() <= follow.left(), "{size:?}: {error:?} {follow:?}");
        let timeline = Part::Timeline.rect_in(&harness);
        assert!(follow.right() <= timeline.right() && follow.width() > 20.0, "{follow:?}");
    }
}

#[test]
fn what_was_opened_before_is_at_hand_beside_open() {
    let mut state = fixture::full();
    state.settings.recent = vec!["/sets/a/screens".into(), "/sets/b/screens".into()];
    let mut harness = window(state, [1280.0, 800.0]);
    harness.get_by_label("Opened before").click();
    harness.run_ok();
    let items: Vec<_> = harness.get_all_by_label_contains("screens").collect();
    assert_eq!(items.len(), 2);
    items[1].click();
    harness.run_ok();
    assert!(sent(&harness, &Command::Open(vec!["/sets/b/screens".into()])));
}

#[test]
fn a_note_that_is_written_while_its_words_are_looked_for_is_found() {
    let mut state = fixture::full();
    for command in [FindCommand::Open, FindCommand::SetQuery("zebra".to_owned())] {
        drop(handle(&mut state, Command::Find(command)));
    }
    assert_eq!(state.find.found.len(), 0);
    let key = NoteKey::of(state.selected_run().unwrap(), Some(4));
    let note = Note { text: "a zebra crossing".to_owned(), ..Note::default() };
    drop(handle(&mut state, Command::PutNote(key, note)));
    assert_eq!(state.find.found.len(), 1, "{:?}", state.find.found);
}
