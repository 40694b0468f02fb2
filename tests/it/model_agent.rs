//! A model that works on a task: what it is told, what becomes of its answers, what is kept.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex};

use pentimento::agent::chat::{
    Answer, AssistantMessage, Attempt, CallRequest, ChatError, ChatListener, ChatModel,
    ChatRequest, ChatSettings, Exchange, ExchangeEnd, MalformedArguments, Message, ModelIdentity,
    Part, Payload, Piece, RetryCause, StopReason, TokenUsage,
};
use pentimento::agent::model_agent::{AgentPrompts, Mode, ModelAgent};
use pentimento::agent::runner::{NoObserver, Observer, RunLimits};
use pentimento::agent::{Growth, PictureSource, RecordedExchange};
use pentimento::base::{CancelToken, Pixels, Size};
use pentimento::environment::{
    EnvironmentKind, FailureClass, StartState, ToolCall, open_environment,
};
use pentimento::model::wire::TimeLimit;
use pentimento::run::{Event, Manifest, Outcome, Run, exchanges, reader};
use serde_json::{Value, json};

use crate::agent::run_in;

/// A model that gives these answers one after the other, and remembers what it was asked.
struct Parrot {
    answers: Mutex<Vec<Answer>>,
    asked: Mutex<Vec<ChatRequest>>,
}

impl Parrot {
    fn new(mut answers: Vec<Answer>) -> Arc<Self> {
        answers.reverse();
        Arc::new(Self { answers: Mutex::new(answers), asked: Mutex::default() })
    }

    fn asked(&self) -> Vec<ChatRequest> {
        self.asked.lock().unwrap().clone()
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
        let answer = next.ok_or_else(|| ChatError::Unsendable { why: "no more answers".into() })?;
        listener.waiting(&RetryCause::TimedOut { limit: TimeLimit::Idle, seconds: 3 }, 0.5);
        listener.text(&answer.message.text);
        let only = Attempt {
            status: Some(200),
            failure: None,
            milliseconds: 1.0,
            waited_secs: 0.0,
            usage: answer.usage,
        };
        let attempts =
            if answer.attempts.is_empty() { vec![only] } else { answer.attempts.clone() };
        for attempt in &attempts {
            listener.exchange(&exchange(request.messages.len()), attempt);
        }
        Ok(answer)
    }

    fn identity(&self) -> ModelIdentity {
        ModelIdentity { provider: "test".into(), model: "parrot".into() }
    }

    fn cost_usd(&self, usage: &TokenUsage) -> Option<f64> {
        Some(usage.output as f64 / 100.0)
    }
}

fn exchange(messages: usize) -> Exchange {
    use base64::Engine as _;
    let png = Pixels::filled(3, 2, [1, 2, 3, 255]).unwrap().to_png().unwrap();
    let png = base64::engine::general_purpose::STANDARD.encode(png);
    Exchange {
        method: "POST".into(),
        url: "http://localhost/v1".into(),
        request_headers: Vec::new(),
        request: Payload::new(json!({"messages": messages, "image": png}).to_string().as_bytes()),
        status: Some(200),
        answer_headers: Vec::new(),
        answer: Payload::new(b"{}"),
        end: ExchangeEnd::Whole,
        started_ms: 0.0,
        milliseconds: 1.0,
    }
}

fn call(id: &str, name: &str, arguments: Value) -> CallRequest {
    let Value::Object(fields) = arguments else { panic!("fields") };
    CallRequest { id: id.into(), name: name.into(), arguments: Ok(fields) }
}

fn answer(text: &str, calls: Vec<CallRequest>, stop: StopReason) -> Answer {
    Answer {
        message: AssistantMessage { text: text.into(), calls, provider_items: None },
        reasoning: String::new(),
        stop,
        usage: Some(TokenUsage { input: 10, output: 5, ..TokenUsage::default() }),
        attempts: Vec::new(),
    }
}

fn mark(id: &str, n: u32) -> CallRequest {
    call(id, "mark", json!({ "n": n }))
}

fn agent(model: &Arc<Parrot>, mode: Mode) -> ModelAgent {
    let prompts = Arc::new(AgentPrompts::built_in());
    ModelAgent::new(Arc::clone(model) as _, ChatSettings::default(), mode, prompts)
}

fn run_at(dir: &Path, model: &Arc<Parrot>, mode: Mode) -> (Manifest, Run) {
    let limits = RunLimits::default();
    let mut agent = agent(model, mode);
    let manifest = run_in(dir, &mut agent, limits, &CancelToken::new(), &mut NoObserver);
    (manifest, reader::open(dir).unwrap())
}

fn run(answers: Vec<Answer>) -> (Arc<Parrot>, Manifest, Run) {
    let (dir, model) = (tempfile::tempdir().unwrap(), Parrot::new(answers));
    let (manifest, run) = run_at(dir.path(), &model, Mode::MultiTurn);
    (model, manifest, run)
}

fn has_note(run: &Run, words: &str) -> bool {
    run.notes.iter().any(|note| note.contains(words))
}

#[test]
fn thought_calls_and_outcomes_go_round_until_no_call_comes() {
    let (model, manifest, run) = run(vec![
        answer("First two.", vec![mark("a", 1), mark("b", 2)], StopReason::ToolCalls),
        answer("", vec![call("c", "look", json!({}))], StopReason::ToolCalls),
        answer("Done.", vec![], StopReason::End),
    ]);
    assert_eq!((manifest.outcome, manifest.mode.as_str()), (Outcome::Completed, "multi_turn"));
    assert_eq!((manifest.agent.kind.as_str(), manifest.agent.name.as_str()), ("model", "parrot"));
    assert_eq!((run.turns.len(), run.steps.len()), (3, 3));
    assert_eq!(
        (run.turns[0].thought.as_str(), run.turns[2].thought.as_str()),
        ("First two.", "Done.")
    );
    let totals = &manifest.totals;
    assert_eq!((totals.input_tokens, totals.output_tokens), (30, 15));
    assert!((totals.cost_usd.unwrap() - 0.15).abs() < 1e-12);
    let asked = model.asked();
    let Message::User(opening) = &asked[0].messages[0] else { panic!("no opening") };
    let Part::Text(words) = &opening[0] else { panic!("no words") };
    assert!(words.contains("Make marks.") && words.contains("1:1"), "{words}");
    assert!(!asked[0].tools.is_empty());
    let Message::ToolResults(results) = &asked[1].messages[2] else { panic!("no results") };
    let ids: Vec<&str> = results.iter().map(|result| result.call_id.as_str()).collect();
    assert_eq!(ids, ["a", "b"]);
    let Message::ToolResults(looked) = &asked[2].messages[4] else { panic!("no results") };
    assert!(looked[0].picture.is_some(), "what the tool drew is shown to the model");
}

#[test]
fn all_that_went_over_the_wire_is_kept_and_pictures_once() {
    let dir = tempfile::tempdir().unwrap();
    let answers = vec![
        answer("", vec![mark("a", 1)], StopReason::ToolCalls),
        answer("Done.", vec![], StopReason::End),
    ];
    let (_, run) = run_at(dir.path(), &Parrot::new(answers), Mode::MultiTurn);
    let kept: Vec<RecordedExchange> = exchanges::read(dir.path()).unwrap();
    assert_eq!(kept.iter().map(|kept| kept.turn).collect::<Vec<_>>(), [1, 2]);
    let names: Vec<&str> = kept
        .iter()
        .flat_map(|kept| &kept.exchange.request.0)
        .filter_map(|piece| match piece {
            Piece::Picture { picture } => Some(picture.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(names.len(), 2);
    assert_eq!(names[0], names[1]);
    let mut read = |name: &str| std::fs::read(dir.path().join("images").join(name)).ok();
    for kept in &kept {
        let bytes = kept.exchange.request.bytes(&mut read).unwrap();
        let whole = exchange(if kept.turn == 1 { 1 } else { 3 });
        assert_eq!(bytes, whole.request.bytes(&mut |_| None).unwrap());
    }
    assert!(has_note(&run, "asked again after 0.5 s"), "{:?}", run.notes);
}

#[test]
fn an_answer_of_no_use_is_asked_for_again_and_every_token_counts() {
    let malformed = StopReason::MalformedCall("set_fill({".into());
    for (bad, note, said) in [
        (answer("", vec![], StopReason::End), "the answer was empty", None),
        (
            answer("I begin with", vec![], StopReason::Length),
            "cut off at 2048 tokens",
            Some("too long"),
        ),
        (answer("", vec![], malformed), "could not be read: set_fill({", Some("set_fill({")),
    ] {
        let good = answer("", vec![mark("a", 1)], StopReason::ToolCalls);
        let (model, manifest, run) = run(vec![bad, good, answer("Done.", vec![], StopReason::End)]);
        assert_eq!(manifest.outcome, Outcome::Completed);
        assert_eq!((run.turns.len(), manifest.totals.input_tokens), (2, 30), "{note}");
        assert!(has_note(&run, note), "{note}: {:?}", run.notes);
        let said_last = format!("{:?}", model.asked()[1].messages.last());
        assert!(said.is_none_or(|said| said_last.contains(said)), "{said_last}");
    }
}

#[test]
fn what_never_gets_better_ends_the_run_with_a_reason() {
    let empty = || answer("", vec![], StopReason::End);
    let (model, manifest, _) = run(vec![empty(), empty(), empty(), empty()]);
    assert_eq!((manifest.outcome, model.asked().len()), (Outcome::Completed, 3));
    assert_eq!(manifest.totals.input_tokens, 30);
    let cut = || answer("On and on", vec![], StopReason::Length);
    let (_, manifest, _) = run(vec![cut(), cut(), cut()]);
    assert_eq!(manifest.outcome, Outcome::LimitReached("2048 tokens in an answer".into()));
    let malformed = || answer("", vec![], StopReason::MalformedCall("x(".into()));
    let (_, manifest, _) = run(vec![malformed(), malformed(), malformed()]);
    let Outcome::Failed(why) = manifest.outcome else { panic!("{manifest:?}") };
    assert_eq!(why, "parrot made no call that could be read: x(");
}

#[test]
fn a_refusal_is_a_failure_with_the_models_words_and_its_cost() {
    let refused = answer("No.", vec![mark("a", 1)], StopReason::Refused("I will not".into()));
    let (_, manifest, run) = run(vec![refused]);
    let Outcome::Failed(why) = manifest.outcome else { panic!("{manifest:?}") };
    assert_eq!(why, "parrot refused: I will not");
    assert_eq!((run.turns.len(), run.steps.len(), manifest.totals.output_tokens), (1, 0, 5));
}

#[test]
fn a_call_whose_arguments_cannot_be_read_is_made_with_their_text_and_noted() {
    let broken = CallRequest {
        id: "a".into(),
        name: "mark".into(),
        arguments: Err(MalformedArguments { raw: "{\"n\": ".into(), why: "it ends early".into() }),
    };
    let (model, manifest, run) = run(vec![
        answer("", vec![broken], StopReason::ToolCalls),
        answer("Done.", vec![], StopReason::End),
    ]);
    assert_eq!((manifest.outcome, manifest.totals.calls), (Outcome::Completed, 1));
    assert_eq!(run.steps[0].call.as_ref().unwrap().arguments, json!("{\"n\": "));
    assert!(has_note(&run, "it ends early"), "{:?}", run.notes);
    let Message::Assistant(said) = &model.asked()[1].messages[1] else { panic!("no answer") };
    assert!(said.calls[0].arguments.is_ok(), "what is sent back is an object");
    // The tools say what is wrong with it.
    let start = StartState {
        environment: EnvironmentKind::Canvas,
        canvas_size: Size::new(100.0, 100.0),
        document: None,
        pictures: None,
        given: Vec::new(),
        compat: None,
        hands: pentimento::environment::canvas::HandTools::default(),
        fonts: pentimento::environment::FontSource::default(),
    };
    let mut canvas = open_environment(&start).unwrap();
    let call = run.steps[0].call.clone().unwrap();
    let call = ToolCall { name: "create_rectangle".into(), ..call };
    assert_eq!(
        canvas.call(&call, &CancelToken::default()).failure.unwrap().class,
        FailureClass::BadArguments
    );
}

#[test]
fn all_calls_at_once_is_one_answer_whatever_the_model_would_say_next() {
    let dir = tempfile::tempdir().unwrap();
    let model = Parrot::new(vec![
        answer("All.", vec![mark("a", 1), mark("b", 2)], StopReason::ToolCalls),
        answer("More.", vec![mark("c", 3)], StopReason::ToolCalls),
    ]);
    let (manifest, run) = run_at(dir.path(), &model, Mode::SingleTurn);
    assert_eq!((manifest.outcome, manifest.mode.as_str()), (Outcome::Completed, "single_turn"));
    assert_eq!((run.turns.len(), run.steps.len(), model.asked().len()), (1, 2, 1));
    assert!(run.turns[0].observation.is_some());
}

#[test]
fn tokens_of_attempts_that_failed_are_counted_too() {
    let mut paid_twice = answer("Done.", vec![], StopReason::End);
    paid_twice.attempts = vec![
        Attempt {
            status: Some(200),
            failure: Some(RetryCause::BrokenOff { why: "gone".into() }),
            milliseconds: 1.0,
            waited_secs: 0.0,
            usage: Some(TokenUsage { input: 7, output: 1, ..TokenUsage::default() }),
        },
        Attempt {
            status: Some(200),
            failure: None,
            milliseconds: 1.0,
            waited_secs: 1.0,
            usage: paid_twice.usage,
        },
    ];
    let (_, manifest, _) = run(vec![paid_twice]);
    assert_eq!((manifest.totals.input_tokens, manifest.totals.output_tokens), (17, 6));
}

#[derive(Default)]
struct Hearing(String);

impl Observer for Hearing {
    fn started(&mut self, _manifest: &Manifest) {}
    fn recorded(&mut self, _manifest: &Manifest, _event: &Event) {}
    fn growing(&mut self, turn: u32, growth: &Growth<'_>) {
        match growth {
            Growth::Asked => write!(self.0, "[{turn}]").unwrap(),
            Growth::Text(text) => self.0 += text,
            Growth::Waiting { secs, .. } => write!(self.0, "({secs})").unwrap(),
            _ => {}
        }
    }
}

#[test]
fn an_answer_is_heard_while_it_grows() {
    let dir = tempfile::tempdir().unwrap();
    let model = Parrot::new(vec![answer("Done.", vec![], StopReason::End)]);
    let mut hearing = Hearing::default();
    let mut agent = agent(&model, Mode::MultiTurn);
    run_in(dir.path(), &mut agent, RunLimits::default(), &CancelToken::new(), &mut hearing);
    assert_eq!(hearing.0, "[1](0.5)Done.");
}

#[test]
fn a_page_is_one_answer_without_tools_and_is_asked_for_again_if_it_is_missing() {
    let dir = tempfile::tempdir().unwrap();
    let page = "So:\n```html\n<p>1</p>\n```";
    let model = Parrot::new(vec![
        answer("", vec![], StopReason::End),
        answer("I cannot.", vec![], StopReason::End),
        answer(page, vec![], StopReason::End),
    ]);
    let (manifest, run) = run_at(dir.path(), &model, Mode::Code);
    assert_eq!((manifest.outcome, manifest.mode.as_str()), (Outcome::Completed, "code"));
    let call = run.steps[0].call.as_ref().unwrap();
    assert_eq!((run.steps.len(), &call.arguments), (1, &json!({ "html": "<p>1</p>" })));
    assert_eq!(run.turns[0].thought, "So:");
    assert!(has_note(&run, "the answer was empty") && has_note(&run, "no page in the answer"));
    assert!(model.asked().iter().all(|request| request.tools.is_empty()));
}

#[test]
fn a_page_that_is_cut_off_is_shown_and_one_that_never_comes_is_a_failure() {
    let cut = answer("```html\n<p>1", vec![], StopReason::Length);
    let dir = tempfile::tempdir().unwrap();
    let (manifest, run) = run_at(dir.path(), &Parrot::new(vec![cut]), Mode::Code);
    assert_eq!(manifest.outcome, Outcome::LimitReached("2048 tokens in an answer".into()));
    assert_eq!(run.steps.len(), 1);
    let never = || answer("No.", vec![], StopReason::End);
    let dir = tempfile::tempdir().unwrap();
    let model = Parrot::new(vec![never(), never(), never()]);
    let (manifest, _) = run_at(dir.path(), &model, Mode::Code);
    assert_eq!(manifest.outcome, Outcome::Failed("parrot wrote no page".into()));
}

/// What the loop itself costs: everything but the provider. Prints it; `benches/README.md` says how it
/// is measured.
#[test]
#[ignore = "measures time, so nothing else should run"]
fn the_cost_of_a_turn_on_150_nodes() {
    const NODES: usize = 150;
    const TURNS: usize = 40;
    let shape = |at: usize| {
        let (x, y) = ((at % 10) as f64 * 38.0 + 6.0, (at / 10) as f64 * 55.0 + 6.0);
        let (name, id) = (format!("Node {at}"), format!("n{at}"));
        match at % 3 {
            0 => call(
                &id,
                "create_text",
                json!({"x": x, "y": y, "width": 34, "height": 12, "text": name, "name": name, "fontSize": 9}),
            ),
            _ => call(
                &id,
                "create_rectangle",
                json!({"x": x, "y": y, "width": 32, "height": 40, "name": name, "cornerRadius": 6,
                    "fillColor": {"r": 0.2, "g": 0.4, "b": 0.8}}),
            ),
        }
    };
    let mut answers = vec![answer("All.", (0..NODES).map(shape).collect(), StopReason::ToolCalls)];
    for turn in 0..TURNS {
        let more = json!({"x": 20, "y": turn * 20, "width": 60, "height": 12, "name": "More"});
        let look = call("look", "get_result_image", json!({}));
        let calls = vec![call("more", "create_rectangle", more), look];
        answers.push(answer("Next.", calls, StopReason::ToolCalls));
    }
    answers.push(answer("Done.", vec![], StopReason::End));
    let dir = tempfile::tempdir().unwrap();
    let model = Parrot::new(answers);
    let task = crate::agent::task();
    let attempt = pentimento::agent::runner::Attempt {
        set: "s",
        task: &task,
        limits: RunLimits::default(),
        settings: serde_json::Map::new(),
        dir: dir.path(),
        open_environment: &open_environment,
        pictures: &PictureSource::Nowhere,
        durability: pentimento::run::recorder::Durability::EveryTurn,
        cpu: &pentimento::agent::CpuPool::default(),
    };
    let mut agent = agent(&model, Mode::MultiTurn);
    let never = CancelToken::new();
    pentimento::agent::runner::run_task(&attempt, &mut agent, &never, &mut NoObserver).unwrap();
    let run = reader::open(dir.path()).unwrap();
    assert_eq!((run.turns.len(), run.manifest.totals.failures), (TURNS + 2, 0));
    let mut millis: Vec<f64> =
        run.turns.range(2..TURNS + 1).filter_map(|turn| Some(turn.seconds? * 1e3)).collect();
    millis.sort_by(f64::total_cmp);
    let latency = |name: &str| {
        let steps = run.steps.iter().skip(NODES + 2);
        let of = steps.filter(|step| step.call.as_ref().is_some_and(|call| call.name == name));
        let mut all: Vec<f64> =
            of.filter_map(|step| Some(step.outcome.as_ref()?.latency_ms)).collect();
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    };
    let [makes, looks] = ["create_rectangle", "get_result_image"].map(latency);
    eprintln!("making a node {makes:.1} ms, looking {looks:.1} ms");
    let at = |share: f64| millis[((millis.len() - 1) as f64 * share) as usize];
    eprintln!(
        "a turn: {:.1} ms in the median, {:.1} ms at the 90th of a hundred",
        at(0.5),
        at(0.9)
    );
}
