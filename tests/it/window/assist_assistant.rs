//! The assistant at the side of a design in hand, in the window: by keys, by its buttons, and as it looks.

use std::path::Path;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::epaint::RectShape;
use egui::{Key, Modifiers, Shape};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use egui_kittest::{Harness, SnapshotResults};

use pentimento::agent::assistant::SuggestionState;
use pentimento::editor::{Act, SelectAct, Tool};
use pentimento::run::TaskRef;
use pentimento::workbench::protocol::{AssistantNews, HandsNews};
use pentimento::workbench::{
    AssistAnswer, AssistCommand, AssistDesk, AssistStart, AssistantCommand, AssistantSource,
    Command, Event, Fetched, HelpLevel, Settings, State, ThemeChoice, apply, handle,
};

use super::accessibility::assert_all_have_names;
use super::assist::{assist_state, card};
use super::harness::{self, add_look_at};
use super::labelling::{Host, SMALL, WIDE, state, until, window};
use crate::assist::desk::{screen, set_up, shape as rest_shape};

fn at_desk(dir: &Path, size: [f32; 2], theme: ThemeChoice) -> Harness<'static, Host> {
    let task = set_up(dir);
    opened(dir, task, size, theme)
}

/// At a task of the set in this folder.
fn opened(dir: &Path, task: TaskRef, size: [f32; 2], theme: ThemeChoice) -> Harness<'static, Host> {
    let mut harness = window(Settings { theme, ..Settings::default() }, size);
    harness.state_mut().session.carry_out(Command::Open(vec![dir.to_path_buf()]));
    until(&mut harness, "the set is open", |state| {
        state.library.sets.iter().any(|set| set.set.id == "hands")
    });
    let open = Command::Assist(AssistCommand::Open(AssistStart::Task(task)));
    harness.state_mut().session.carry_out(open);
    until(&mut harness, "it is compared", |state| {
        of(state).is_some_and(|desk| desk.assistant.standing.is_some())
    });
    harness.run_steps(3);
    harness
}

/// At a design of so many red tiles that are to be blue, which is one step.
fn at_tiles(dir: &Path, count: usize) -> Harness<'static, Host> {
    let task = set_up(dir);
    let tiles = |color: [f64; 3]| {
        let tiles = (0..count).map(|at| {
            let corner = [(at % 6 * 60 + 10) as f64, (at / 6 * 60 + 10) as f64];
            let place = [corner[0], corner[1], 40.0, 40.0];
            rest_shape(&format!("6:{at}"), "RECTANGLE", place, color)
        });
        screen(&tiles.collect::<Vec<_>>()).to_string()
    };
    std::fs::write(dir.join("red.json"), tiles([0.9, 0.1, 0.1])).unwrap();
    std::fs::write(dir.join("blue.json"), tiles([0.1, 0.1, 0.9])).unwrap();
    let pair = TaskRef { id: "pair".to_owned(), ..task };
    let mut harness = opened(dir, pair, WIDE, ThemeChoice::Dark);
    press(&mut harness, Modifiers::ALT, Key::Enter);
    harness
}

fn of(state: &State) -> Option<&AssistDesk> {
    state.assist.desk.as_deref()
}

fn desk<'a>(harness: &'a Harness<'_, Host>) -> &'a AssistDesk {
    of(state(harness)).unwrap()
}

fn press(harness: &mut Harness<'_, Host>, modifiers: Modifiers, key: Key) {
    harness.key_press_modifiers(modifiers, key);
    harness.run_steps(2);
    until(harness, "it was thought about", |state| !of(state).unwrap().assistant.is_thinking());
    harness.run_steps(2);
}

#[test]
fn a_step_is_asked_for_seen_and_accepted_by_keys() {
    let dir = tempfile::tempdir().unwrap();
    let mut harness = at_desk(dir.path(), WIDE, ThemeChoice::Dark);
    harness.get_by_label("Picture of the goal");
    press(&mut harness, Modifiers::ALT, Key::Enter);
    assert!(desk(&harness).assistant.offer.is_some());
    harness.get_by_label("Accept the suggestion");
    until(&mut harness, "it was in view for long enough", |state| {
        of(state).unwrap().assistant.ledger.state(1) == Some(SuggestionState::Shown)
    });
    let steps = desk(&harness).editor.steps();
    press(&mut harness, Modifiers::COMMAND, Key::Enter);
    assert_eq!(desk(&harness).editor.steps(), steps + 1);
    assert!(desk(&harness).assistant.offer.is_none());
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    assert_eq!(desk(&harness).editor.steps(), steps + 2, "it is undone like any edit");
    assert_all_have_names(&harness, "the assistant");
}

#[test]
fn keys_tell_more_refuse_and_show_it_on_the_canvas() {
    let dir = tempfile::tempdir().unwrap();
    let mut harness = at_desk(dir.path(), SMALL, ThemeChoice::Light);
    press(&mut harness, Modifiers::NONE, Key::F2);
    assert_eq!(desk(&harness).assistant.offer.as_ref().unwrap().level, HelpLevel::What);
    press(&mut harness, Modifiers::NONE, Key::F2);
    assert_eq!(desk(&harness).assistant.offer.as_ref().unwrap().level, HelpLevel::Where);
    press(&mut harness, Modifiers::NONE, Key::F6);
    assert!(!desk(&harness).assistant.ghost().is_empty());
    press(&mut harness, Modifiers::NONE, Key::F6);
    assert!(desk(&harness).assistant.ghost().is_empty());
    press(&mut harness, Modifiers::NONE, Key::F4);
    press(&mut harness, Modifiers::COMMAND, Key::Backspace);
    assert!(desk(&harness).assistant.offer.is_none());
    assert_eq!(desk(&harness).assistant.ledger.state(2), Some(SuggestionState::Refused));
    assert_eq!(desk(&harness).editor.steps(), 0, "nothing was changed");
    assert_all_have_names(&harness, "the assistant");
}

#[test]
fn escape_alone_puts_a_step_away_before_the_selection_and_after_what_is_under_way() {
    let dir = tempfile::tempdir().unwrap();
    let mut harness = at_tiles(dir.path(), 2);
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert!(desk(&harness).assistant.offer.is_none(), "with nothing selected");
    assert_eq!(desk(&harness).assistant.ledger.state(1), Some(SuggestionState::Refused));

    let tile = Act::Select(SelectAct::Only(vec!["6:0".into()]));
    let select = Command::Assist(AssistCommand::Act(Box::new(tile)));
    harness.state_mut().session.carry_out(select);
    press(&mut harness, Modifiers::ALT, Key::Enter);
    press(&mut harness, Modifiers::NONE, Key::R);
    assert_eq!(desk(&harness).editor.tool(), Tool::Rectangle);
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert_eq!(desk(&harness).editor.tool(), Tool::Move);
    assert!(desk(&harness).assistant.offer.is_some(), "the tool was in the hand");
    let selected = |harness: &Harness<'_, Host>| desk(harness).editor.selection().nodes.len();
    let before = selected(&harness);
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert!(desk(&harness).assistant.offer.is_none());
    assert_eq!(desk(&harness).assistant.ledger.state(2), Some(SuggestionState::Refused));
    assert_eq!(selected(&harness), before);
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert_eq!(selected(&harness), 0);
    assert_eq!(desk(&harness).editor.steps(), 0, "nothing was changed");
}

#[test]
fn brackets_with_alt_go_through_the_steps() {
    let dir = tempfile::tempdir().unwrap();
    let mut harness = at_desk(dir.path(), WIDE, ThemeChoice::Dark);
    press(&mut harness, Modifiers::ALT, Key::Enter);
    let words = |harness: &Harness<'_, Host>| {
        desk(harness).assistant.offer.as_ref().unwrap().suggestion.words.clone()
    };
    let first = words(&harness);
    press(&mut harness, Modifiers::ALT, Key::CloseBracket);
    let second = words(&harness);
    assert_ne!(first, second);
    press(&mut harness, Modifiers::ALT, Key::OpenBracket);
    assert_eq!(words(&harness), first);
    press(&mut harness, Modifiers::ALT, Key::CloseBracket);
    assert_eq!(words(&harness), second);
}

#[test]
fn what_is_typed_is_said_and_answered() {
    let dir = tempfile::tempdir().unwrap();
    let mut harness = at_desk(dir.path(), WIDE, ThemeChoice::Dark);
    press(&mut harness, Modifiers::COMMAND, Key::Slash);
    let field = harness.get_by_label("Ask the assistant");
    assert!(field.is_focused());
    field.type_text("what is missing?");
    harness.run_steps(2);
    press(&mut harness, Modifiers::NONE, Key::Enter);
    until(&mut harness, "it was answered", |state| of(state).unwrap().assistant.talk.len() > 1);
    harness.run_steps(2);
    harness.get_by_label("what is missing?");
    let said = &desk(&harness).assistant.talk;
    assert!(said.iter().any(|talk| talk.words.contains("differs from the goal")), "{said:?}");
}

#[test]
fn it_is_done_a_change_after_the_other() {
    let dir = tempfile::tempdir().unwrap();
    let mut harness = at_desk(dir.path(), WIDE, ThemeChoice::Dark);
    press(&mut harness, Modifiers::ALT, Key::Enter);
    let hunks = desk(&harness).assistant.offer.as_ref().unwrap().hunks.len() as u64;
    press(&mut harness, Modifiers::NONE, Key::F5);
    until(&mut harness, "it is done", |state| !of(state).unwrap().assistant.is_playing());
    assert_eq!(desk(&harness).editor.steps(), hunks);
}

#[test]
fn of_a_step_on_many_layers_each_can_be_left_out() {
    let dir = tempfile::tempdir().unwrap();
    let mut harness = at_tiles(dir.path(), 30);
    let hunks = desk(&harness).assistant.offer.as_ref().unwrap().hunks.clone();
    assert_eq!(hunks.len(), 30);
    let [first, last] = [&hunks[0], &hunks[29]].map(|hunk| format!("{}: ", hunk.name));
    let boxes = harness.query_all_by_label_contains("RECTANGLE 6:");
    let boxes = boxes.filter(|node| node.accesskit_node().role() == Role::CheckBox).count();
    assert!((3..30).contains(&boxes), "{boxes}: those in view are there");
    assert!(harness.query_by_label_contains(&last).is_none(), "it is below them");
    let list = harness.get_by_label_contains(&first).rect().center();
    harness.hover_at(list);
    harness.run_steps(1);
    harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: egui::vec2(0.0, -10_000.0),
        source: egui::MouseWheelSource::Wheel,
        phase: egui::TouchPhase::Move,
        modifiers: Modifiers::NONE,
    });
    harness.run_steps(20);
    harness.get_by_label_contains(&last).click_accesskit();
    harness.run_steps(3);
    assert_eq!(desk(&harness).assistant.offer.as_ref().unwrap().ticked_fitting().len(), 29);
    press(&mut harness, Modifiers::COMMAND | Modifiers::SHIFT, Key::Enter);
    let document = desk(&harness).editor.document();
    let [taken, also, left] =
        [0, 28, 29].map(|at| &document.get(&hunks[at].value.node).unwrap().fills);
    assert_eq!(taken, also);
    assert_ne!(taken, left, "it was left out");
}

/// The rectangles that are painted.
fn rects(harness: &Harness<'_, Host>) -> Vec<RectShape> {
    let mut shapes: Vec<&Shape> =
        harness.output().shapes.iter().map(|clipped| &clipped.shape).collect();
    let mut rects = Vec::new();
    while let Some(shape) = shapes.pop() {
        match shape {
            Shape::Vec(inside) => shapes.extend(inside),
            Shape::Rect(rect) => rects.push(rect.clone()),
            _ => {}
        }
    }
    rects
}

#[test]
fn the_pointer_over_a_change_lights_up_its_tag_and_the_other_way_round() {
    let dir = tempfile::tempdir().unwrap();
    let mut harness = at_tiles(dir.path(), 2);
    harness.remove_cursor();
    harness.run_steps(3);
    let hunk = desk(&harness).assistant.offer.as_ref().unwrap().hunks[0].clone();
    let tag = format!("~ {}  {} → {}", hunk.name, hunk.value.from, hunk.value.to);
    let tag = harness.get_by_label(&tag).rect();
    let tags = harness.query_all_by_label_contains("~ RECTANGLE").map(|node| node.rect());
    let tags: Vec<egui::Rect> = tags.collect();
    assert!(tags.len() == 2 && !tags[0].intersects(tags[1]), "none covers another: {tags:?}");
    let tick = harness.get_by_label_contains(&format!("{}: ", hunk.name)).rect();
    // Behind the row and around the tag, beside what is painted there anyway.
    let lit = |harness: &Harness<'_, Host>| -> [usize; 2] {
        let rects = rects(harness);
        let of_row = rects.iter().filter(|it| it.rect.contains_rect(tick));
        let of_tag = rects.iter().filter(|it| it.rect.center().distance(tag.center()) < 1.0);
        [of_row.count(), of_tag.count()]
    };
    let dark = lit(&harness);
    for at in [tag.center(), tick.center()] {
        harness.hover_at(at);
        harness.run_steps(3);
        let both = lit(&harness).iter().zip(dark).all(|(lit, dark)| *lit > dark);
        assert!(both, "{at}: {:?}, {dark:?} before", lit(&harness));
        harness.remove_cursor();
        harness.run_steps(3);
        assert_eq!(lit(&harness), dark, "{at}");
    }
}

#[test]
fn what_is_not_ticked_is_not_named_on_the_canvas_though_it_is_outlined() {
    let dir = tempfile::tempdir().unwrap();
    let mut drawn = state(&at_tiles(dir.path(), 2)).clone();
    let assistant = &mut drawn.assist.desk.as_deref_mut().unwrap().assistant;
    // Without a look at what would come of it: what moves with others is outlined, too.
    assert!(assistant.offer.as_mut().unwrap().ticked.remove(&0));
    assert_eq!(assistant.ghost().len(), 2);
    let harness = harness::window(drawn, WIDE);
    assert_eq!(harness.query_all_by_label_contains("~ RECT").count(), 1);
}

#[test]
fn a_key_is_held_to_see_the_design_without_the_step() {
    let dir = tempfile::tempdir().unwrap();
    let mut harness = at_tiles(dir.path(), 2);
    let tags = |harness: &Harness<'_, Host>| harness.query_all_by_label_contains("~ RECT").count();
    assert_eq!(tags(&harness), 2);
    harness.key_down(Key::B);
    harness.run_steps(3);
    assert_eq!(tags(&harness), 0);
    assert!(desk(&harness).assistant.offer.is_some(), "it is still offered");
    harness.key_up(Key::B);
    harness.run_steps(3);
    assert_eq!(tags(&harness), 2);
}

#[test]
fn a_model_is_heard_while_it_answers_can_be_stopped_and_says_what_it_cost() {
    let ask = |state: &mut State, command: AssistantCommand| {
        drop(handle(state, Command::Assist(AssistCommand::Assistant(command))));
    };
    let mut asked = assist_state(card());
    let model = AssistantSource::Model("tiny".to_owned());
    ask(&mut asked, AssistantCommand::Choose(model));
    ask(&mut asked, AssistantCommand::Ask);
    let number = of(&asked).unwrap().assistant.answer_key().unwrap().number;
    let words = "Make the dot blue".to_owned();
    let growing = AssistantNews::Growing { desk: 1, number, words };
    drop(apply(&mut asked, Event::Hands(HandsNews::Assistant(growing))));
    let mut harness = harness::window(asked, WIDE);
    harness.get_by_label("Make the dot blue");
    harness.get_by_label("Stop the assistant").click();
    harness.run_steps(3);
    let state = &mut harness.state_mut().state;
    assert!(!of(state).unwrap().assistant.is_thinking());
    ask(state, AssistantCommand::Ask);
    let key = of(state).unwrap().assistant.answer_key().unwrap().clone();
    let answer = AssistAnswer {
        words: "Nothing to add.".to_owned(),
        step: None,
        problem: None,
        tokens: Some([120, 30]),
        cost_usd: Some(0.0021),
    };
    state.derived.assist_answers.insert(key, Fetched::Ready(Arc::new(answer)));
    ask(state, AssistantCommand::ShowMeasures(false));
    harness.run_steps(3);
    harness.get_by_label("Nothing to add.");
    // Of the answer that was stopped nothing is known.
    harness.get_by_label("1 answer · 120 + 30 tokens · $0.0021");
    assert_eq!(of(&harness.state().state).unwrap().editor.steps(), 0);
}

#[test]
fn the_assistant_looks() {
    let mut results = SnapshotResults::new();
    for (theme, suffix) in [(ThemeChoice::Dark, "dark"), (ThemeChoice::Light, "light")] {
        let dir = tempfile::tempdir().unwrap();
        let mut harness = at_desk(dir.path(), WIDE, theme);
        press(&mut harness, Modifiers::ALT, Key::Enter);
        press(&mut harness, Modifiers::NONE, Key::F3);
        harness.remove_cursor();
        harness.run_steps(4);
        let title = harness.get_by_label("Assistant").rect();
        let look = egui::Rect::from_min_max(
            title.left_top() - egui::vec2(12.0, 10.0),
            egui::pos2(WIDE[0], WIDE[1] - 24.0),
        );
        add_look_at(&mut results, &mut harness, &format!("assistant_{suffix}"), look);
    }
}
