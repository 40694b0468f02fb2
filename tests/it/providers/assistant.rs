//! A model in the assistant's place, over a server that plays what a test wrote down: asked in the room in which
//! people design by hand, without a window.

use pentimento::workbench::{
    AssistCommand, AssistantCommand, AssistantSource, Command, LookCommand, Speaker,
};
use serde_json::{Value, json};

use super::server::{Act, Server, response, stream, stream_head};
use super::streams::untyped;
use crate::assist::desk::{ask, asked, desk, document, opened, opened_at_picture};
use crate::nodes::until;

/// A streamed answer in two parts.
fn says(text: &str) -> String {
    let half = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
    let (first, second) = text.split_at(half);
    let delta = |content: &str, finish: Value| {
        let delta = json!({ "content": content });
        json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }] })
    };
    let usage =
        json!({ "choices": [], "usage": { "prompt_tokens": 900, "completion_tokens": 40 } });
    stream(&untyped(&[delta(first, Value::Null), delta(second, json!("stop")), usage]))
}

fn model(server: &Server) -> AssistantCommand {
    let name = format!("chat_completions:m@{}", server.address);
    AssistantCommand::Choose(AssistantSource::Model(name))
}

fn moved() -> String {
    json!({
        "words": "X, Y → 40, 40 on the tile", "why": "The goal has it there.", "nodes": ["5:2"],
        "calls": [{"tool": "move_node", "arguments": {"nodeId": "5:2", "x": 40, "y": 40}}],
    })
    .to_string()
}

#[test]
fn a_model_is_asked_with_what_was_done_and_its_step_is_taken_as_one_edit() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::answering(&[says(&moved()), says(&moved())]);
    let mut session = opened(dir.path());
    ask(&mut session, model(&server));
    asked(&mut session, AssistantCommand::Say("Where does the tile go?".to_owned()));
    let assistant = &desk(&session).assistant;
    let offer = assistant.offer.as_ref().unwrap_or_else(|| panic!("{:?}", assistant.talk));
    assert_eq!(offer.suggestion.words, "X, Y → 40, 40 on the tile");
    assert_eq!(offer.hunks[0].value.to, "40, 40");
    assert_eq!((assistant.costs.answers, assistant.costs.tokens), (1, [900, 40]));
    assert_eq!(assistant.costs.unknown, 1, "nobody knows its prices");
    let request = &server.asked()[0];
    for told in ["Make a card of the tile", "Where does the tile go?", "image_url", "5:2"] {
        assert!(request.contains(told), "{told} is missing");
    }
    ask(&mut session, AssistantCommand::Refuse);
    asked(&mut session, AssistantCommand::Ask);
    assert!(
        server.asked()[1].contains("40 on the tile: refused"),
        "it is told what became of its step"
    );
    let before = document(&session);
    ask(&mut session, AssistantCommand::Accept);
    assert_ne!(document(&session), before);
    assert_eq!(desk(&session).editor.steps(), 1);
    let measures = desk(&session).assistant.measures();
    assert_eq!(measures.next_requests, 2);
}

#[test]
fn a_goal_that_is_a_picture_alone_is_seen_and_sent_to_the_model() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::answering(&[says(&moved())]);
    let color = [20, 80, 160, 255];
    let mut session = opened_at_picture(dir.path(), color);
    let goal = desk(&session).goal.as_ref().unwrap();
    assert!(goal.design().is_none(), "nobody knows its layers");
    assert_eq!(desk(&session).assistant.source, AssistantSource::Flaws);
    let screen = desk(&session).goal_screen().unwrap();
    assert_eq!((screen.width, screen.height), (400.0, 400.0), "as large as the canvas");
    until(&mut session, "it is drawn", |state| {
        state.assist.desk.as_ref().unwrap().assistant.goal_picture.is_some()
    });
    let drawn = &desk(&session).assistant.goal_picture.as_ref().unwrap().pixels;
    assert_eq!((drawn.width(), drawn.height()), (400, 400));
    let seen = drawn.get(200, 200).unwrap();
    assert!(seen.iter().zip(color).all(|(seen, color)| seen.abs_diff(color) <= 1), "{seen:?}");
    let hold = LookCommand::HoldGoal(true);
    session.carry_out(Command::Assist(AssistCommand::Look(hold)));
    assert!(desk(&session).holds_goal);
    ask(&mut session, model(&server));
    asked(&mut session, AssistantCommand::Ask);
    assert!(desk(&session).assistant.offer.is_some(), "{:?}", desk(&session).assistant.talk);
    let pictures = server.asked()[0].matches("data:image/png;base64").count();
    assert_eq!(pictures, 2, "the goal and the design");
}

#[test]
fn an_answer_of_no_use_is_said_to_be_so_and_the_design_stays() {
    let dir = tempfile::tempdir().unwrap();
    let hostile = json!({
        "words": "Delete all", "nodes": ["9:9"],
        "calls": [{"tool": "delete_node", "arguments": {"nodeIds": ["5:1"]}}],
    });
    let server = Server::answering(&[says(&hostile.to_string()), says("No.")]);
    let mut session = opened(dir.path());
    let before = document(&session);
    ask(&mut session, model(&server));
    asked(&mut session, AssistantCommand::Ask);
    let assistant = &desk(&session).assistant;
    assert!(assistant.offer.is_none());
    let last = assistant.talk.last().unwrap();
    assert_eq!(last.by, Speaker::Problem);
    assert!(last.words.contains("Nothing was changed"), "{}", last.words);
    assert_eq!(document(&session), before);
    assert_eq!(server.asked().len(), 2, "asked once more, and not again");
}

#[test]
fn words_are_heard_as_they_come_and_the_model_can_be_stopped() {
    let dir = tempfile::tempdir().unwrap();
    let begin = json!({ "choices": [{ "index": 0, "delta":
        { "content": "{\"words\": \"Fill the tile" }, "finish_reason": null }] });
    let body = untyped(&[begin]);
    let chunk = format!("{:x}\r\n{body}\r\n", body.len());
    let play = vec![Act::Send(stream_head().into()), Act::Send(chunk.into_bytes()), Act::Hang];
    let server = Server::playing(vec![play]);
    let mut session = opened(dir.path());
    ask(&mut session, model(&server));
    ask(&mut session, AssistantCommand::Ask);
    until(&mut session, "its words are heard", |state| {
        state.assist.desk.as_ref().unwrap().assistant.heard() == Some("Fill the tile")
    });
    ask(&mut session, AssistantCommand::Stop);
    assert!(!desk(&session).assistant.is_thinking());
    until(&mut session, "the connection is closed", |_| !server.hung_up().is_empty());
}

#[test]
fn a_question_that_is_refused_is_said_to_be_so_and_the_design_stays() {
    let dir = tempfile::tempdir().unwrap();
    let refused = response("401 Unauthorized", "content-type: application/json\r\n", "{}");
    let server = Server::answering(&[refused]);
    let mut session = opened(dir.path());
    let before = document(&session);
    ask(&mut session, model(&server));
    asked(&mut session, AssistantCommand::Ask);
    let assistant = &desk(&session).assistant;
    let last = assistant.talk.last().unwrap();
    assert!(last.words.starts_with("The model did not answer"), "{}", last.words);
    assert!(last.words.contains("status 401"), "{}", last.words);
    assert!(assistant.offer.is_none());
    assert_eq!(document(&session), before);
    assert_eq!(server.asked().len(), 1, "it is not asked again");
}
