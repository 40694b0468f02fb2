//! What is on disk of a design at any moment, should the program die then.

use std::path::Path;

use pentimento::app::Session;
use pentimento::base::{Point, Size};
use pentimento::design::Document;
use pentimento::editor::{
    Act, ArrangeAct, Arrow, Pointer, PointerAct, PointerKeys, Tool, TypingAct,
};
use pentimento::workbench::protocol::ExportFormat;
use pentimento::workbench::{AssistStart, FilesCommand, Recording};
use serde_json::{Value, json};

use super::{act, assert_same, desk, files, human_actions, open, pointer, replayed, session};
use crate::nodes::until;

/// What the pointer does at a place, without keys.
fn point(session: &mut Session, does: fn(Pointer) -> PointerAct, x: f64, y: f64) {
    act(session, Act::Pointer(does(pointer(Point::new(x, y), PointerKeys::default()))));
}

/// A page with a rectangle that was drawn and then dragged twice: three steps, just done.
fn dragged_twice(dir: &Path) -> Session {
    let mut session = session(&dir.join("runs"));
    open(&mut session, AssistStart::Blank(Size::new(400.0, 300.0)));
    act(&mut session, Act::Take(Tool::Rectangle));
    for [x, y, to_x, to_y] in
        [[20.0, 20.0, 120.0, 100.0], [70.0, 60.0, 120.0, 130.0], [120.0, 130.0, 200.0, 170.0]]
    {
        point(&mut session, PointerAct::Press, x, y);
        point(&mut session, PointerAct::Move, to_x, to_y);
        point(&mut session, PointerAct::Release, to_x, to_y);
    }
    assert_eq!(desk(&session).editor.steps(), 3);
    session
}

/// What the run comes to that is on disk once all orders so far were carried out, with what it says was done. Nobody
/// waits until a burst is over.
fn on_disk(session: &mut Session, dir: &Path, when: &str) -> (Document, Vec<Value>) {
    let path = dir.join(format!("{when}.json"));
    files(session, FilesCommand::Write { format: ExportFormat::Json, path });
    until(session, "what was asked behind it is done", |state| {
        state.notices.iter().any(|notice| notice.text.contains(when))
    });
    let Recording::Kept { dir: run_dir, .. } = &desk(session).recording else {
        panic!("{:?}", desk(session).recording)
    };
    (replayed(run_dir).1, human_actions(run_dir))
}

#[test]
fn who_dies_in_the_middle_of_a_drag_loses_that_drag_alone() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = dragged_twice(dir.path());
    let document = desk(&session).editor.document().clone();
    point(&mut session, PointerAct::Press, 200.0, 170.0);
    point(&mut session, PointerAct::Move, 260.0, 210.0);
    let editor = &desk(&session).editor;
    assert!(editor.is_holding() && editor.shown() != editor.document());
    let (came_to, actions) = on_disk(&mut session, dir.path(), "asked");
    assert_same(&came_to, &document);
    // Two drags of one layer are two steps to undo, and two that are recorded, however soon they follow.
    let steps = actions.iter().map(|action| (action["step"].clone(), action["steps"].clone()));
    let steps: Vec<(Value, Value)> = steps.collect();
    assert_eq!(steps, [1, 2, 3].map(|step| (json!(step), json!(1))));
}

#[test]
fn who_dies_while_typing_loses_what_is_typed_alone() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = dragged_twice(dir.path());
    let document = desk(&session).editor.document().clone();
    act(&mut session, Act::Take(Tool::Text));
    point(&mut session, PointerAct::Press, 40.0, 250.0);
    point(&mut session, PointerAct::Release, 40.0, 250.0);
    for words in ["W", "Wo", "Words"] {
        act(&mut session, Act::Typing(TypingAct::Write(words.to_owned())));
    }
    let typed = desk(&session).editor.document().clone();
    assert_ne!(typed, document);
    let (came_to, actions) = on_disk(&mut session, dir.path(), "in the middle");
    // A slow machine may have waited until the burst was over.
    assert_same(&came_to, if came_to == typed { &typed } else { &document });
    assert_eq!(actions[2]["step"], json!(3));
    act(&mut session, Act::Typing(TypingAct::End));
    let (came_to, _) = on_disk(&mut session, dir.path(), "at the end");
    assert_same(&came_to, &typed);
}

#[test]
fn what_was_nudged_is_on_disk_once_something_else_begins() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = dragged_twice(dir.path());
    act(&mut session, Act::Arrange(ArrangeAct::Nudge(Arrow::Right, 10)));
    let nudged = desk(&session).editor.document().clone();
    point(&mut session, PointerAct::Press, 210.0, 170.0);
    point(&mut session, PointerAct::Move, 260.0, 210.0);
    let (came_to, _) = on_disk(&mut session, dir.path(), "in a drag");
    assert_same(&came_to, &nudged);
}

#[test]
fn what_undo_takes_back_at_once_is_one_turn() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = dragged_twice(dir.path());
    for arrow in [Arrow::Right, Arrow::Right, Arrow::Down] {
        act(&mut session, Act::Arrange(ArrangeAct::Nudge(arrow, 10)));
    }
    assert_eq!(desk(&session).editor.undoable(), (5, 0));
    let nudged = desk(&session).editor.document().clone();
    // Whatever is none of a burst has what came before it written first.
    act(&mut session, Act::Undo);
    act(&mut session, Act::Redo);
    let (came_to, actions) = on_disk(&mut session, dir.path(), "asked");
    assert_same(&came_to, &nudged);
    let steps: Vec<&Value> = actions.iter().map(|action| &action["step"]).collect();
    assert!(steps.ends_with(&[&json!(6), &json!(7), &json!(8)]), "{steps:?}");
    // Two to the right are one, unless the machine stood still between them.
    assert!((7..=8).contains(&actions.len()), "{actions:?}");
}
