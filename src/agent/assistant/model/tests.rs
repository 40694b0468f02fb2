use std::sync::Mutex;

use serde_json::json;

use super::answer::{Said, words_so_far};
use super::*;
use crate::agent::assistant::{AssistContext, Freshness, changed_values};
use crate::agent::chat::{
    Answer, AssistantMessage, Attempt, ChatError, ChatListener, ChatModel, ChatRequest,
    ChatSettings, Message, ModelIdentity, Part, StopReason, TokenUsage,
};
use crate::base::{Affine, CancelToken, Size};
use crate::design::{Document, Node, NodeId, NodeKind};
use crate::environment::canvas::CanvasSettings;
use crate::render::TextMeasurer;

/// A model that says these things one after the other, and remembers what it was asked.
struct Parrot {
    answers: Mutex<Vec<(String, StopReason)>>,
    asked: Mutex<Vec<ChatRequest>>,
}

impl Parrot {
    fn saying(answers: &[&str]) -> Self {
        Self::ending(answers, &StopReason::End)
    }

    /// Each of the answers ends so.
    fn ending(answers: &[&str], stop: &StopReason) -> Self {
        let answers = answers.iter().rev().map(|it| ((*it).to_owned(), stop.clone())).collect();
        Self { answers: Mutex::new(answers), asked: Mutex::default() }
    }
}

impl ChatModel for Parrot {
    fn answer(
        &self,
        request: &ChatRequest,
        listener: &mut dyn ChatListener,
        _cancel: &CancelToken,
    ) -> Result<Answer, ChatError> {
        self.asked.lock().unwrap().push(request.clone());
        let next = self.answers.lock().unwrap().pop();
        let (text, stop) =
            next.ok_or_else(|| ChatError::Unsendable { why: "no more answers".into() })?;
        for letter in text.chars() {
            listener.text(letter.encode_utf8(&mut [0; 4]));
        }
        let usage = Some(TokenUsage { input: 100, output: 10, ..TokenUsage::default() });
        let attempt = Attempt {
            status: Some(200),
            failure: None,
            milliseconds: 1.0,
            waited_secs: 0.0,
            usage,
        };
        let message = AssistantMessage { text, ..AssistantMessage::default() };
        Ok(Answer { message, reasoning: String::new(), stop, usage, attempts: vec![attempt] })
    }

    fn identity(&self) -> ModelIdentity {
        ModelIdentity { provider: "parrot".into(), model: "parrot".into() }
    }

    fn cost_usd(&self, usage: &TokenUsage) -> Option<f64> {
        Some(usage.output as f64 * 0.001)
    }
}

fn node(id: &str, kind: NodeKind, parent: Option<&str>, [x, y, width, height]: [f64; 4]) -> Node {
    let mut node = Node::new(id.into(), id, kind);
    node.parent = parent.map(NodeId::from);
    node.transform = Affine::translate(x, y);
    node.size = Size::new(width, height);
    node
}

fn nodes() -> [Node; 3] {
    [
        node("1:1", NodeKind::Frame, None, [0.0, 0.0, 400.0, 400.0]),
        node("1:2", NodeKind::Frame, Some("1:1"), [20.0, 20.0, 200.0, 100.0]),
        node("1:3", NodeKind::Rectangle, Some("1:2"), [10.0, 10.0, 40.0, 40.0]),
    ]
}

fn design() -> Document {
    Document::from_nodes(nodes()).unwrap()
}

fn question() -> ModelQuestion {
    ModelQuestion {
        instruction: Some("A card".to_owned()),
        design: design(),
        selected: vec!["1:3".into()],
        done: vec!["Move · card".to_owned()],
        earlier: vec!["Fill → red: refused".to_owned()],
        goal_shown: Some(ShownDesign { png: vec![1_u8].into(), scale: 1.0 }),
        ..ModelQuestion::default()
    }
}

/// What came of answers, the words that were heard last, and what was asked.
fn asked(answers: &[&str]) -> (ModelAnswer, String, Vec<ChatRequest>) {
    asked_of(&Parrot::saying(answers), &question())
}

/// The same of a model, and of a design.
fn asked_of(parrot: &Parrot, question: &ModelQuestion) -> (ModelAnswer, String, Vec<ChatRequest>) {
    let canvas = CanvasSettings::default();
    let measure = TextMeasurer(&canvas.render);
    let context = AssistContext { measure: &measure, canvas: &canvas };
    let mut heard = String::new();
    let answer = ask_chat(
        parrot,
        ChatSettings::default(),
        question,
        context,
        &mut |words: &str| words.clone_into(&mut heard),
        &CancelToken::default(),
    );
    let requests = parrot.asked.lock().unwrap().clone();
    (answer.unwrap(), heard, requests)
}

#[test]
fn a_picture_that_is_smaller_than_the_page_says_so() {
    let mut question = question();
    question.design_shown = Some(ShownDesign { png: vec![2_u8].into(), scale: 0.25 });
    let Message::User(parts) = question.message(&[]) else { panic!("not the user's") };
    let [Part::Picture(_), Part::Picture(_), Part::Text(said), Part::Text(_)] = &parts[..] else {
        panic!("{parts:?}")
    };
    assert!(said.contains("0.250 pixels"), "{said}");
}

fn moved() -> String {
    json!({
        "words": "X → 60 on the square", "why": "It stands too far left.", "nodes": ["1:3"],
        "calls": [{"tool": "move_node", "arguments": {"nodeId": "1:3", "x": 60, "y": 30}}],
    })
    .to_string()
}

#[test]
fn calls_of_a_model_become_hunks_of_the_design() {
    let (answer, heard, requests) = asked(&[&moved()]);
    assert_eq!((answer.problem, answer.answers), (None, 1));
    assert_eq!(heard, "X → 60 on the square");
    assert_eq!(answer.cost_usd, Some(0.01));
    let step = answer.suggestion.unwrap();
    assert_eq!(step.words, "X → 60 on the square");
    assert_eq!(step.why(), "It stands too far left.");
    let canvas = CanvasSettings::default();
    let measure = TextMeasurer(&canvas.render);
    let (before, mut after) = (design(), design());
    assert_eq!(step.freshness(&before), Freshness::Fresh);
    step.carry_out(&mut after, &step.all(), &measure).unwrap();
    let changed = changed_values(&before, &after);
    assert_eq!(changed.len(), 1, "{changed:?}");
    assert_eq!((changed[0].from.as_str(), changed[0].to.as_str()), ("10, 10", "40, 10"));
    // It was told all there is, pictures before words.
    let [Message::User(parts)] = requests[0].messages.as_slice() else { panic!("{requests:?}") };
    let [Part::Picture(_), Part::Text(words)] = parts.as_slice() else { panic!("{parts:?}") };
    for told in ["A card", "1:3 · RECTANGLE", "Move · card", "Fill → red: refused", "move_node"]
    {
        assert!(words.contains(told), "{told} is missing:\n{words}");
    }
    assert!(!words.contains("get_document_info"), "what only looks is not offered");
}

#[test]
fn what_is_put_in_comes_with_all_that_lies_in_it() {
    let made = json!({
        "words": "Frame tool: a button", "nodes": ["1:2"],
        "calls": [{"tool": "create_rectangle", "arguments":
            {"x": 100, "y": 40, "width": 80, "height": 30, "name": "Button", "parentId": "1:2"}}],
    });
    let (answer, _, _) = asked(&[&made.to_string()]);
    assert_eq!(answer.problem, None);
    let step = answer.suggestion.unwrap();
    let canvas = CanvasSettings::default();
    let measure = TextMeasurer(&canvas.render);
    let mut after = design();
    let edit = step.carry_out(&mut after, &step.all(), &measure).unwrap();
    assert_eq!(after.len(), 4);
    let made = after.iter_depth_first().find(|node| node.name == "Button").unwrap();
    assert_eq!(made.parent, Some(NodeId::from("1:2")));
    edit.inverse().apply(&mut after);
    assert_eq!(after, design());
}

#[test]
fn what_cannot_be_used_is_told_and_asked_for_once_more() {
    let unknown = moved().replace("\"nodes\":[\"1:3\"]", "\"nodes\":[\"9:9\"]");
    let (answer, _, requests) = asked(&[&unknown, &moved()]);
    assert_eq!((answer.problem, answer.answers), (None, 2));
    assert!(answer.suggestion.is_some());
    assert_eq!(answer.cost_usd, Some(0.02));
    let Some(Message::User(parts)) = requests[1].messages.last() else { panic!() };
    let [Part::Text(words)] = parts.as_slice() else { panic!("{parts:?}") };
    assert!(words.contains("there is no layer \"9:9\""), "{words}");
}

/// An answer with these calls.
fn calling(calls: &serde_json::Value) -> String {
    json!({ "words": "Do it", "calls": calls }).to_string()
}

fn call(tool: &str, arguments: &serde_json::Value) -> String {
    calling(&json!([{ "tool": tool, "arguments": arguments }]))
}

/// Each is asked for once more and then given up, with the reason; the design itself is never at risk.
#[test]
fn hostile_and_broken_answers_are_said_to_be_so_and_change_nothing() {
    let deep = format!(
        "{{\"words\": \"Do\", \"calls\": [{{\"tool\": \"move_node\", \"arguments\": {{\"a\": {}{}}}}}]}}",
        "[".repeat(500),
        "]".repeat(500)
    );
    let number = |number: &str| moved().replace("\"x\":60", &format!("\"x\":{number}"));
    let cases: Vec<(String, &str)> = vec![
        // No answer at all, half of one, or several.
        (String::new(), "empty"),
        (" \n\t ".to_owned(), "empty"),
        ("I cannot help with that.".to_owned(), "no JSON"),
        ("} {".to_owned(), "no JSON"),
        ("null".to_owned(), "no JSON"),
        ("{\"words\": \"Move it\", \"calls\": [".to_owned(), "no JSON"),
        (moved().replace("]}", "}"), "not the JSON"),
        (format!("{} {}", moved(), moved()), "not the JSON"),
        (format!("I would use {{x}}: {}", moved()), "not the JSON"),
        (format!("```json\n{}\n```\n```json\n{}\n```", moved(), moved()), "not the JSON"),
        // Too much.
        ("word ".repeat(20_000), "letters"),
        (format!("{{\"words\": \"{}\"}}", "a".repeat(100_000)), "letters"),
        (calling(&vec![json!({"tool": "move_node"}); 3_000].into()), "letters"),
        (calling(&vec![json!({"tool": "move_node"}); 13].into()), "12 calls at most"),
        (deep, "recursion limit"),
        // Other types, and fields twice.
        ("{\"words\": 7}".to_owned(), "not the JSON"),
        ("{\"words\": \"Do\", \"calls\": {\"tool\": \"move_node\"}}".to_owned(), "not the JSON"),
        ("{\"words\": \"Do\", \"nodes\": [1]}".to_owned(), "not the JSON"),
        ("{\"words\": \"Do\", \"words\": \"Not\"}".to_owned(), "not the JSON"),
        (call("move_node", &json!([1, 2])), "not the JSON"),
        (call("move_node", &json!("{\"nodeId\": \"1:3\"}")), "not the JSON"),
        // Words that say nothing.
        ("{\"calls\": []}".to_owned(), "no \"words\""),
        ("{\"words\": \"\u{200b}\u{2060}\"}".to_owned(), "no \"words\""),
        ("{\"__proto__\": {\"words\": \"Do\"}, \"constructor\": []}".to_owned(), "no \"words\""),
        // Numbers that are none, or that nothing can have.
        (number("NaN"), "not the JSON"),
        (number("1e999"), "not the JSON"),
        (number("\"NaN\""), "move_node"),
        (number("\"Infinity\""), "move_node"),
        (number("1e300"), "within"),
        (number("-99999999"), "within"),
        // Tools that there are not, or not for this.
        (call("format_disk", &json!({})), "no tool"),
        (call("save_run", &json!({})), "no tool"),
        (call("apply_edit", &json!({"removed": ["1:1"]})), "no tool"),
        (call("get_document_info", &json!({})), "no tool"),
        (call("__proto__", &json!({})), "no tool"),
        (call("", &json!({})), "no tool"),
        (call(&"x".repeat(5_000), &json!({})), "no tool"),
        // Layers that there are not, and the screen itself.
        (call("move_node", &json!({"nodeId": "9:9", "x": 1, "y": 1})), "move_node"),
        (calling(&json!([{"tool": "move_node", "arguments": null}])), "move_node"),
        (call("delete_node", &json!({"nodeIds": ["1:1"]})), "the screen"),
        (call("delete_node", &json!({"nodeIds": ["1:3", "1:2", "1:1"]})), "the screen"),
        // What does nothing is no step.
        (call("move_node", &json!({"nodeId": "1:3", "x": 30, "y": 30})), "change nothing"),
    ];
    for (said, expected) in cases {
        let (answer, heard, requests) = asked(&[&said, &said]);
        let problem = answer.problem.unwrap_or_else(|| panic!("{said:.80} was used"));
        assert!(problem.contains(expected), "{problem} of {said:.80}");
        assert!(problem.chars().count() < 400, "{problem}");
        assert_eq!((answer.suggestion, answer.answers), (None, 2), "{said:.80}");
        assert!(answer.words.is_empty() && heard.chars().count() < 2_000, "{heard:.80}");
        // What is sent back with the question is bounded, whatever came.
        let sent = requests[1].messages.iter().skip(1).map(|message| format!("{message:?}").len());
        assert!(sent.sum::<usize>() < 10_000 && requests.len() == 2, "{said:.80}");
    }
}

#[test]
fn how_an_answer_ended_says_whether_it_is_asked_for_again() {
    let whole = moved();
    for (stop, said, expected, answers) in [
        (StopReason::Length, "{\"words\": \"Fill the", "cut off at the limit of tokens", 2),
        (StopReason::Length, "", "cut off at the limit of tokens", 2),
        (StopReason::Refused("policy".to_owned()), whole.as_str(), "refused to answer", 1),
        (StopReason::Filtered(String::new()), whole.as_str(), "a filter of the provider", 1),
    ] {
        let parrot = Parrot::ending(&[said, said], &stop);
        let (answer, _, requests) = asked_of(&parrot, &question());
        let problem = answer.problem.unwrap();
        assert!(problem.contains(expected), "{problem} of {stop:?}");
        assert_eq!((answer.suggestion, answer.answers), (None, answers), "{stop:?}");
        assert_eq!(requests.len(), answers as usize);
    }
    // One that is whole all the same is used.
    let parrot = Parrot::ending(&[&whole], &StopReason::Length);
    assert!(asked_of(&parrot, &question()).0.suggestion.is_some());
}

#[test]
fn what_is_locked_stays_and_what_is_hidden_may_be_changed() {
    let with = |change: fn(&mut Node)| {
        let mut nodes = nodes();
        change(&mut nodes[1]);
        ModelQuestion { design: Document::from_nodes(nodes).unwrap(), ..question() }
    };
    let told = |requests: &[ChatRequest]| format!("{:?}", requests[0].messages);
    let locked = with(|node| node.locked = true);
    let inserted = call(
        "create_rectangle",
        &json!({"x": 30, "y": 30, "width": 8, "height": 8, "name": "A", "parentId": "1:2"}),
    );
    let deleted = call("delete_node", &json!({"nodeIds": ["1:2"]}));
    for said in [&moved(), &inserted, &deleted] {
        let parrot = Parrot::saying(&[said, said]);
        let (answer, _, requests) = asked_of(&parrot, &locked);
        let problem = answer.problem.unwrap_or_else(|| panic!("{said} was used"));
        assert!(problem.contains("is locked"), "{problem} of {said}");
        assert!(told(&requests).contains("200 × 100 · locked"));
    }
    let hidden = with(|node| node.visible = false);
    let (answer, _, requests) = asked_of(&Parrot::saying(&[&moved()]), &hidden);
    assert!(answer.suggestion.is_some(), "{:?}", answer.problem);
    assert!(told(&requests).contains("200 × 100 · hidden"));
}

#[test]
fn what_turns_the_text_around_it_is_spelled_out() {
    let said = "{\"words\": \"Fill \u{202e}der\u{7f} it\", \"why\": \"\u{2066}so\"}";
    let said = Said::read(said).unwrap();
    assert_eq!(
        (said.words.as_str(), said.why.as_str()),
        ("Fill \\u{202e}der\\u{7f} it", "\\u{2066}so")
    );
}

#[test]
fn only_words_are_an_answer_without_a_step() {
    let (answer, _, _) = asked(&["```json\n{\"words\": \"It looks done.\", \"calls\": []}\n```"]);
    assert_eq!((answer.words.as_str(), answer.suggestion), ("It looks done.", None));
}

#[test]
fn what_a_model_leaves_empty_may_be_null() {
    let (answer, _, _) = asked(&["{\"words\": \"Done.\", \"why\": null, \"calls\": null}"]);
    assert_eq!((answer.words.as_str(), answer.problem), ("Done.", None));
}

#[test]
fn an_answer_of_no_use_is_paid_for_although_none_comes_after_it() {
    let (answer, _, requests) = asked(&["I cannot help with that."]);
    assert_eq!((answer.answers, requests.len(), answer.cost_usd), (1, 2, Some(0.01)));
    assert!(answer.problem.unwrap().contains("no more answers"));
}

#[test]
fn more_than_25_words_are_cut() {
    let words = vec!["ten"; 60].join(" ");
    let said = Said::read(&json!({ "words": words }).to_string()).unwrap();
    assert_eq!(said.words.split(' ').count(), 25);
    assert!(said.words.ends_with('…'));
}

#[test]
fn words_are_heard_before_the_answer_is_whole() {
    let whole = r#"{"words": "Fill → \"red\" now", "calls": []}"#;
    let mut heard = String::new();
    for end in whole.char_indices().map(|(at, _)| at) {
        let now = words_so_far(&whole[..end]);
        assert!(now.starts_with(heard.as_str()) || now == heard, "{now} after {heard}");
        heard = now;
    }
    assert_eq!(heard, "Fill → \"red\" now");
}
