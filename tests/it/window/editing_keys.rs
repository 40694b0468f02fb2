//! Arranging, copying and pasting by keys where people design by hand.

use std::path::Path;

use egui::{Event, Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use pentimento::design::NodeId;
use pentimento::editor::Editor;
use pentimento::run::TaskRef;
use pentimento::workbench::{AssistCommand, AssistStart, Command, CopiedForm, Settings, State};

use super::labelling::{Host, WIDE, state, until, window};

/// A window on a task of the samples.
fn at_task() -> Harness<'static, Host> {
    let mut harness = window(Settings::default(), WIDE);
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs");
    harness.state_mut().session.carry_out(Command::Open(vec![samples]));
    until(&mut harness, "the samples are open", |state| task_of(state).is_some());
    let task = task_of(state(&harness)).unwrap();
    let open = Command::Assist(AssistCommand::Open(AssistStart::Task(task)));
    harness.state_mut().session.carry_out(open);
    until(&mut harness, "the task is open", |state| {
        assert_eq!(state.assist.problem, None);
        state.assist.desk.is_some()
    });
    harness.run_steps(3);
    harness
}

fn task_of(state: &State) -> Option<TaskRef> {
    let mut runs = state.library.runs.values();
    let run = runs.find(|run| run.task.id == "trailhead-welcome")?;
    state.library.shared_task(&run.task).map(|_| run.task.clone())
}

fn editor<'a>(harness: &'a Harness<'_, Host>) -> &'a Editor {
    &shown(state(harness)).editor
}

fn shown(state: &State) -> &pentimento::workbench::AssistDesk {
    state.assist.desk.as_deref().unwrap()
}

fn press(harness: &mut Harness<'_, Host>, modifiers: Modifiers, key: Key) {
    harness.key_press_modifiers(modifiers, key);
    harness.run_steps(2);
}

fn selected(harness: &Harness<'_, Host>) -> Vec<NodeId> {
    editor(harness).selection().nodes.clone()
}

#[test]
fn layers_are_pasted_duplicated_grouped_and_walked_through_by_keys() {
    const CTRL: Modifiers = Modifiers::COMMAND;
    let mut harness = at_task();
    let start = editor(&harness).document().clone();
    harness.get_by_label("Canvas").focus();
    harness.run_steps(2);
    let svg = r##"<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">
        <rect width="40" height="20" fill="#224466"/></svg>"##;
    harness.event(Event::Paste(svg.to_owned()));
    harness.run_steps(2);
    let [pasted] = selected(&harness).try_into().unwrap();
    press(&mut harness, Modifiers::NONE, Key::Num5);
    assert_eq!(editor(&harness).document().get(&pasted).unwrap().opacity, 0.5);
    press(&mut harness, CTRL, Key::D);
    let [copy] = selected(&harness).try_into().unwrap();
    press(&mut harness, Modifiers::SHIFT, Key::ArrowRight);
    let places = [&pasted, &copy].map(|id| editor(&harness).document().absolute_box(id).unwrap());
    assert_eq!(places[1].x - places[0].x, 10.0);
    // Tab is for layers while the canvas has the keyboard, whichever way.
    press(&mut harness, Modifiers::SHIFT, Key::Tab);
    assert_eq!(selected(&harness), std::slice::from_ref(&pasted));
    press(&mut harness, Modifiers::NONE, Key::Tab);
    assert_eq!(selected(&harness), std::slice::from_ref(&copy));
    press(&mut harness, Modifiers::NONE, Key::Enter);
    let inside = selected(&harness);
    assert_eq!(editor(&harness).document().get(&inside[0]).unwrap().parent, Some(copy.clone()));
    press(&mut harness, Modifiers::SHIFT, Key::Enter);
    assert_eq!(selected(&harness), std::slice::from_ref(&copy));
    press(&mut harness, CTRL, Key::G);
    let [group] = selected(&harness).try_into().unwrap();
    assert_eq!(editor(&harness).document().get(&copy).unwrap().parent, Some(group));
    while editor(&harness).undoable().0 > 0 {
        press(&mut harness, CTRL, Key::Z);
    }
    assert_eq!(*editor(&harness).document(), start);
}

#[test]
fn what_is_copied_goes_to_the_system_as_json_svg_and_a_picture() {
    let mut harness = at_task();
    // The screen of the task is empty.
    press(&mut harness, Modifiers::NONE, Key::R);
    harness.get_by_label("Canvas").click();
    harness.run_steps(2);
    press(&mut harness, Modifiers::COMMAND, Key::A);
    harness.event(Event::Copy);
    harness.run_steps(2);
    let out = |harness: &Harness<'_, Host>| state(harness).assist.clipboard.outgoing.clone();
    let Some((1, CopiedForm::Text(json))) = out(&harness) else { panic!("{:?}", out(&harness)) };
    assert!(json.starts_with('{'), "{json}");
    let keys = Modifiers::COMMAND.plus(Modifiers::SHIFT);
    press(&mut harness, keys.plus(Modifiers::ALT), Key::S);
    until(
        &mut harness,
        "it is written",
        |state| matches!(&state.assist.clipboard.outgoing, Some((2, CopiedForm::Text(svg))) if svg.contains("<svg")),
    );
    press(&mut harness, keys, Key::C);
    until(
        &mut harness,
        "it is drawn",
        |state| matches!(&state.assist.clipboard.outgoing, Some((3, CopiedForm::Picture(pixels))) if pixels.width() > 1),
    );
}
