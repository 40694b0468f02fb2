//! How the window looks: snapshots of every panel and everything that lies over it, in both themes.

use std::sync::Arc;

use egui_kittest::SnapshotResults;
use egui_kittest::kittest::Queryable as _;

use pentimento::agent::AgentKind;
use pentimento::agent::models::{ModelChoice, ModelSetup};
use pentimento::agent::providers::{KeyPlace, ProviderKind};
use pentimento::environment::EnvironmentKind;
use pentimento::environment::suite::GivenPicture;
use pentimento::task::DesignBrief;
use pentimento::workbench::protocol::{Answering, ListedModel, PicturesListed};
use pentimento::workbench::{
    Curves, Fetched, ModelFileKey, ModelSetupKey, Notice, NoticeLevel, Overlay, PictureFolderKey,
    RunState, State, ThemeChoice,
};

use super::fixture;
use super::harness::{Part, add_look, looks, parts_look, themed, window};

const DESKTOP: [f32; 2] = [1440.0, 900.0];
const SMALL: [f32; 2] = [1024.0, 700.0];

#[test]
fn the_workbench_at_a_desktop_size() {
    // Stage, library and inspector have pictures of their own.
    let parts = [("top_1440", Part::Top), ("transport_1440", Part::Transport)];
    parts_look(&parts, &fixture::busy(), DESKTOP);
}

#[test]
fn the_workbench_at_a_small_size() {
    looks("transport_1024", &fixture::full(), SMALL, Part::Transport);
}

#[test]
fn the_window_with_nothing_open() {
    looks("empty", &fixture::empty(), SMALL, Part::Whole);
}

#[test]
fn the_launch_dialog() {
    let mut state = fixture::full();
    state.overlay = Some(Overlay::Launch);
    for id in ["gid1-22", "gid11-16", "gid28-1"] {
        state.launch.tasks.insert(fixture::task_ref(id));
    }
    looks("launch", &state, SMALL, Part::Overlay("launch"));
}

#[test]
fn the_launch_dialog_with_an_agent_of_ones_own() {
    let mut state = fixture::full();
    state.overlay = Some(Overlay::Launch);
    state.launch.tasks.insert(fixture::task_ref("gid1-22"));
    state.launch.agent = AgentKind::Exec;
    state.launch.command = "python3 agents/card.py --fast".to_owned();
    looks("launch_own", &state, SMALL, Part::Overlay("launch"));
}

#[test]
fn the_launch_dialog_with_design_queries() {
    let mut state = fixture::full();
    state.overlay = Some(Overlay::Launch);
    let set = Arc::make_mut(&mut state.library.sets[0].set);
    let task = set.tasks.iter_mut().find(|task| task.id == "gid11-16").map(Arc::make_mut).unwrap();
    task.environment = EnvironmentKind::Suite;
    task.brief = Some(Arc::new(DesignBrief::default()));
    task.given = vec![GivenPicture { name: "moon".into(), ..GivenPicture::default() }];
    state.launch.tasks.insert(fixture::task_ref("gid11-16"));
    state.launch.agent = AgentKind::Rules;
    let path = std::path::PathBuf::from("/home/ada/design/openclipart");
    state.launch.options.pictures = Some(path.clone());
    let listed = Fetched::Ready(Arc::new(PicturesListed { pictures: 8121 }));
    state.derived.picture_folders.insert(PictureFolderKey(path), listed);
    looks("launch_query", &state, SMALL, Part::Overlay("launch"));
}

fn launching_models() -> State {
    let mut state = fixture::full();
    state.overlay = Some(Overlay::Launch);
    state.launch.tasks.insert(fixture::task_ref("gid1-22"));
    state.launch.agent = AgentKind::Model;
    state.launch.model.name = "large, small".to_owned();
    let path = std::path::PathBuf::from("/home/ada/design/agents/models.json");
    state.launch.model.file = Some(path.clone());
    let model = |name: &str, kind, has_prices| ListedModel {
        name: name.to_owned(),
        model: name.to_owned(),
        kind,
        has_prices,
    };
    let listed = vec![
        model("large", ProviderKind::Anthropic, true),
        model("local", ProviderKind::ChatCompletions, false),
        model("small", ProviderKind::Gemini, true),
    ];
    let listed = Fetched::Ready(Arc::new(listed));
    state.derived.model_files.insert(ModelFileKey(path), listed);
    state.launch.options.budget_usd = Some(25.0);
    state
}

#[test]
fn the_launch_dialog_with_models() {
    looks("launch_model", &launching_models(), SMALL, Part::Overlay("launch"));
}

#[test]
fn the_launch_dialog_with_a_key_that_is_missing() {
    let mut state = launching_models();
    let setup = |kind, key| ModelSetup {
        kind,
        address: String::new(),
        key_entry: Some("anthropic".to_owned()),
        key,
    };
    let missing = "there is no key: set the environment variable ANTHROPIC_API_KEY, or store a key \
                   with `pentimento key store anthropic`";
    let setups = [
        ("large", setup(ProviderKind::Anthropic, Err(missing.to_owned()))),
        (
            "small",
            setup(ProviderKind::Gemini, Ok(KeyPlace::Environment("GEMINI_API_KEY".to_owned()))),
        ),
    ];
    for (name, setup) in setups {
        let choice = ModelChoice { name: name.to_owned(), ..state.launch.model.clone() };
        let setup = Fetched::Ready(Arc::new(setup));
        state.derived.model_setups.insert(ModelSetupKey { choice, entered: 0 }, setup);
    }
    looks("launch_key", &state, SMALL, Part::Overlay("launch"));
}

#[test]
fn the_launch_dialog_with_models_at_a_desktop_size() {
    looks("launch_model_1440", &launching_models(), DESKTOP, Part::Overlay("launch"));
}

#[test]
fn a_run_whose_answer_grows() {
    let mut state = fixture::full();
    let run_id = state.selection.run.unwrap();
    let run = state.library.runs.get_mut(&run_id).unwrap();
    run.state = RunState::Live;
    run.answering = Some(Answering {
        turn: 15,
        text: "The list ends too early: the fifth row is missing. I copy the fourth and move it \
               down by the same distance, then recolour its mark.\n→ copy_node\n→ move_node"
            .to_owned(),
        waiting: None,
    });
    state.selection.step = run.steps;
    looks("answering", &state, SMALL, Part::Inspector);
}

#[test]
fn the_key_sheet() {
    let mut state = fixture::full();
    state.overlay = Some(Overlay::Keys);
    looks("keys", &state, SMALL, Part::Overlay("key_sheet"));
}

#[test]
fn the_palette() {
    let mut state = fixture::full();
    state.overlay = Some(Overlay::Palette);
    looks("palette", &state, SMALL, Part::Overlay("palette"));
}

#[test]
fn the_list_of_jobs() {
    let mut state = fixture::busy();
    state.overlay = Some(Overlay::Jobs);
    looks("jobs", &state, SMALL, Part::Overlay("jobs"));
}

#[test]
fn the_list_of_runs_at_work() {
    let mut state = fixture::running();
    state.overlay = Some(Overlay::Jobs);
    looks("jobs_runs", &state, SMALL, Part::Overlay("jobs"));
}

#[test]
fn a_paused_run() {
    looks("paused", &fixture::paused(), SMALL, Part::Rows);
}

#[test]
fn notices_and_a_failed_call() {
    let mut state = fixture::full();
    state.selection.step = 22;
    let texts = [
        (NoticeLevel::Info, "Saved the picture of step 18 to /home/someone/step-18.png"),
        (
            NoticeLevel::Error,
            "The disk is full, the run was stopped: free some space and run again",
        ),
    ];
    for (id, (level, text)) in texts.into_iter().enumerate() {
        state.notices.push(Notice {
            id: id as u64,
            level,
            text: text.to_owned(),
            is_hidden: false,
            about: None,
        });
    }
    looks("failed_call", &state, SMALL, Part::Inspector);
}

#[test]
fn a_node_under_the_pointer() {
    let mut results = SnapshotResults::new();
    for (theme, suffix) in [(ThemeChoice::Dark, "dark"), (ThemeChoice::Light, "light")] {
        let mut harness = window(themed(fixture::full(), theme), DESKTOP);
        let picture = harness.get_by_label_contains("Picture of step 18").rect();
        harness.hover_at(picture.min + picture.size() * egui::vec2(0.3, 0.5));
        harness.run_ok();
        add_look(&mut results, &mut harness, &format!("hover_{suffix}"), Part::Stage);
    }
}

#[test]
fn pixels_with_their_values() {
    let mut state = fixture::full();
    state.stage.zoom = Some(48.0);
    state.stage.center = [0.0865, 0.405];
    looks("pixels", &state, SMALL, Part::Stage);
}

#[test]
fn a_task_without_a_run() {
    let mut state = fixture::full();
    state.selection.run = None;
    looks("task", &state, SMALL, Part::Stage);
}

#[test]
fn a_live_run_without_scores_yet() {
    let mut state = fixture::full();
    let run = state.library.runs.get_mut(&fixture::RUN).expect("the fixture has it");
    run.state = RunState::Live;
    run.curves = Curves::default();
    state.derived.maps.clear();
    looks("live", &state, SMALL, Part::Timeline);
}
