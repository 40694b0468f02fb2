//! A planned run of the design suite in the window: lanes, errors, stages.

use std::sync::Arc;

use egui::Key;
use egui_kittest::kittest::Queryable as _;

use pentimento::environment::{FailureClass, ToolCall, ToolCategory, ToolFailure};
use pentimento::metric::plan::PlanRow;
use pentimento::run::{Run, RunPlan, Step, StepOutcome};
use pentimento::workbench::{Command, InspectorTab, PlaybackCommand, State};
use serde_json::{Value, json};

use super::fixture::{self, RUN};
use super::harness::{Part, looks, window};

const PHOTO: &str = "Photo Editor";
const LAYOUT: &str = "Layout Designer";

/// Expert, action, parameters, description, category, whether it failed.
pub(super) fn steps() -> Vec<(Value, ToolCategory, bool)> {
    use ToolCategory::{Creation, Operation, Style, Text};
    let step = |expert: &str, skill: &str, parameters: Value, words: &str| json!({"expert": expert, "skill": skill, "parameters": parameters, "description": words});
    let color = json!({"red": 30, "green": 90, "blue": 110});
    let moon = || json!({"fileName": "moon.png", "layerName": "MoonLayer"});
    let place = json!({"layerName": "MoonLayer", "posX": 340, "posY": 300});
    let title = json!({"layerName": "TitleLayer", "textString": "Night sky"});
    let saved = json!({"fileName": "night", "format": "psd"});
    let wrong = json!({"fileName": "sky.psd", "layerName": "SkyLayer"});
    let size = json!({"layerName": "TitleLayer", "fontSize": 96});
    let export = json!({"fileName": "poster", "format": "pdf"});
    let poster = || json!({"docType": "poster"});
    vec![
        (
            step(PHOTO, "CreateDocument", poster(), "Create a new document for a poster."),
            Creation,
            false,
        ),
        (step(PHOTO, "SetBackgroundColor", color, "Make the background teal."), Style, false),
        (step(PHOTO, "ImportObject", moon(), "Import the moon."), Creation, false),
        (step(PHOTO, "RepositionObject", place, "Put the moon in the middle."), Operation, false),
        (step(PHOTO, "SaveDocument", saved, "Save it for the Layout Designer."), Operation, false),
        (step(LAYOUT, "CreateDocument", poster(), "Create a new document."), Creation, false),
        (
            step(LAYOUT, "ImportObject", wrong, "Import what the Photo Editor saved."),
            Creation,
            true,
        ),
        (step(LAYOUT, "CreateText", title, "Create the title."), Text, false),
        (step(LAYOUT, "ResizeText", size, "Make the title huge."), Text, false),
        (step(LAYOUT, "ExportDocument", export, "Export the poster."), Operation, false),
    ]
}

fn plan() -> RunPlan {
    let all: Vec<Value> = steps().into_iter().map(|(step, ..)| step).collect();
    let of = |expert: &str| -> Vec<&Value> {
        all.iter().filter(|step| step["expert"] == expert).collect()
    };
    let plan = json!({
        "id": "poster-1",
        "user_query": "A poster of the night sky.",
        "images": [{"content": "moon", "url": "https://example.org/moon"}],
        "recruitment_status": [
            {"expert": PHOTO, "task": "Put the moon on a teal background."},
            {"expert": LAYOUT, "task": "Set the title and export the poster."},
        ],
        "workflows": [of(PHOTO), of(LAYOUT)],
        "combined_workflow": "1. Create a new document, 2. …",
        "final_workflow": all,
    });
    let Value::Object(fields) = plan else { unreachable!() };
    RunPlan::new(PlanRow::read(&fields))
}

/// The run on the stage, planned and carried out.
pub(super) fn planned(tab: InspectorTab) -> State {
    let mut state = fixture::full();
    let entry = state.library.runs.get_mut(&RUN).unwrap();
    let loaded = entry.loaded.as_ref().unwrap();
    let step = |((step, category, failed), number): ((Value, ToolCategory, bool), u32)| {
        let mut arguments = json!({"expert": step["expert"]});
        for (name, value) in step["parameters"].as_object().unwrap() {
            arguments[name] = value.clone();
        }
        let failure = failed.then(|| ToolFailure {
            class: FailureClass::UnknownFile,
            message: "there is no file \"sky.psd\"; saved are \"night.psd\"".to_owned(),
        });
        Step {
            number,
            turn: if step["expert"] == PHOTO { 1 } else { 2 },
            call: Some(ToolCall {
                id: number.to_string(),
                name: step["skill"].as_str().unwrap().to_owned(),
                arguments,
            }),
            category,
            outcome: Some(StepOutcome {
                text: "Done.".to_owned(),
                structured: None,
                image: None,
                failure,
                latency_ms: 1.0,
            }),
        }
    };
    let run = Run {
        steps: steps().into_iter().zip(1..).map(step).collect(),
        plan: Some(Arc::new(plan())),
        ..Run::clone(loaded)
    };
    entry.steps = 10;
    entry.loaded = Some(Arc::new(run));
    state.selection.step = 7;
    state.settings.inspector_tab = tab;
    state
}

#[test]
fn the_stages_of_a_plan_stand_side_by_side() {
    looks("plan_1440", &planned(InspectorTab::Plan), [1440.0, 900.0], Part::Inspector);
}

#[test]
fn what_is_wrong_in_the_plan_stands_at_its_step() {
    looks("plan_step_1024", &planned(InspectorTab::Step), [1024.0, 700.0], Part::Timeline);
}

#[test]
fn a_step_of_the_plan_is_a_way_to_the_step_of_the_run() {
    let mut harness = window(planned(InspectorTab::Plan), [1440.0, 900.0]);
    harness.get_by_label("Go to step 3").click();
    harness.run_ok();
    assert!(harness.state().sent.contains(&Command::Playback(PlaybackCommand::Step(3))));
    let calls = "Calls of the steps, 1 failed, 1 wrong in the plan, a lane for each expert";
    assert!(harness.query_by_label(calls).is_some());
}

#[test]
fn the_tab_of_the_plan_is_there_only_for_runs_that_have_one() {
    let harness = window(fixture::full(), [1280.0, 800.0]);
    assert!(harness.query_by_label("Inspect the plan").is_none());
    let mut harness = window(planned(InspectorTab::Step), [1280.0, 800.0]);
    harness.key_press_modifiers(egui::Modifiers::SHIFT, Key::I);
    harness.run_ok();
    assert_eq!(harness.state().state.settings.inspector_tab, InspectorTab::Plan);
}
