//! Planning with a model that says what the test wrote down.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::agent::chat::{
    Answer, AssistantMessage, ChatError, ChatListener, ChatModel, ChatRequest, ChatSettings,
    Exchange, Message, ModelIdentity, Part, StopReason, TokenUsage,
};
use crate::agent::model_agent::{AgentPrompts, Mode};
use crate::agent::{Agent as _, AgentError, AgentLog, AgentTurn, AgentView, Growth};
use crate::base::{CancelToken, Pixels, Size};
use crate::environment::suite::GivenPicture;
use crate::environment::{ToolCategory, ToolSpec};
use crate::graphictown::Query;
use crate::run::{Outcome, ProviderTotals, TaskRef};

use super::Planner;

/// Says these things one after the other, and remembers what it was asked.
#[derive(Default)]
struct Sayer {
    answers: Mutex<Vec<(String, StopReason)>>,
    asked: Mutex<Vec<ChatRequest>>,
}

impl ChatModel for Sayer {
    fn answer(
        &self,
        request: &ChatRequest,
        _listener: &mut dyn ChatListener,
        _cancel: &CancelToken,
    ) -> Result<Answer, ChatError> {
        self.asked.lock().unwrap().push(request.clone());
        let mut answers = self.answers.lock().unwrap();
        if answers.is_empty() {
            return Err(ChatError::Unsendable { why: "no more answers".into() });
        }
        let (text, stop) = answers.remove(0);
        Ok(Answer {
            message: AssistantMessage { text, ..AssistantMessage::default() },
            reasoning: String::new(),
            stop,
            usage: Some(TokenUsage { input: 7, output: 3, ..TokenUsage::default() }),
            attempts: Vec::new(),
        })
    }

    fn identity(&self) -> ModelIdentity {
        ModelIdentity { provider: "test".into(), model: "sayer".into() }
    }

    fn cost_usd(&self, _usage: &TokenUsage) -> Option<f64> {
        None
    }
}

/// Keeps what is told.
#[derive(Default)]
struct Kept {
    notes: Vec<String>,
    plan: Value,
}

impl AgentLog for Kept {
    fn exchange(&mut self, _exchange: &Exchange) {}
    fn count(&mut self, _provider: &str, _counts: &ProviderTotals) {}
    fn note(&mut self, text: String) {
        self.notes.push(text);
    }
    fn plan(&mut self, plan: &Value) {
        self.plan = plan.clone();
    }
    fn growing(&mut self, _growth: &Growth<'_>) {}
}

/// What came of planning to the end.
struct Planned {
    model: Arc<Sayer>,
    turns: Vec<AgentTurn>,
    kept: Kept,
}

impl Planned {
    /// The words of a request.
    fn asked(&self, at: usize) -> String {
        let asked = self.model.asked.lock().unwrap();
        let Some(Message::User(parts)) = asked[at].messages.last() else { panic!("no words") };
        let Some(Part::Text(words)) = parts.first() else { panic!("no words") };
        words.clone()
    }

    fn end(&self) -> Option<&Outcome> {
        self.turns.last()?.ends.as_ref()
    }
}

const PHOTO: &str = "Photo Editor";
const LAYOUT: &str = "Layout Designer";

fn tool(name: &'static str, experts: &[&str]) -> ToolSpec {
    let schema = json!({"type": "object", "properties": {
        "expert": {"type": "string", "enum": experts}, "fileName": {"type": "string"},
    }});
    ToolSpec { name, description: "Does it.", schema, category: ToolCategory::Other }
}

fn plan_with(mode: Mode, answers: &[(&str, StopReason)], given: &[GivenPicture]) -> Planned {
    let model = Arc::new(Sayer::default());
    let said = answers.iter().map(|(text, stop)| ((*text).to_owned(), stop.clone()));
    model.answers.lock().unwrap().extend(said);
    let prompts = Arc::new(AgentPrompts::built_in());
    let way = mode.plan_way().unwrap();
    let mut planner =
        Planner::new(Arc::clone(&model) as _, ChatSettings::default(), prompts, (mode.name(), way));
    let tools = [tool("Open", &[PHOTO, LAYOUT]), tool("Blur", &[PHOTO])];
    let components = json!({"background_color": "teal", "text": {"title": {"content": "Sea"}}});
    let (query, _) = Query::read("poster", &components, &json!([{"content": "boat", "url": "u"}]));
    let task = TaskRef { set: "s".into(), id: "poster-1".into() };
    let (mut kept, mut turns) = (Kept::default(), Vec::new());
    for turn in 1..=12 {
        let view = AgentView {
            task: &task,
            turn,
            instruction: "A poster of the sea.",
            ground_truth: None,
            canvas_size: Size::new(10.0, 10.0),
            query: Some(&query),
            input_pictures: given,
            main_frame: "",
            tools: &tools,
            last_turn: &[],
        };
        match planner.next_turn(&view, &mut kept, &CancelToken::new()) {
            Ok(turn) => turns.push(turn),
            Err(error) => {
                turns.push(AgentTurn {
                    ends: Some(Outcome::Failed(error.to_string())),
                    ..AgentTurn::default()
                });
            }
        }
        if turns.last().is_some_and(|turn| turn.ends.is_some()) {
            break;
        }
    }
    Planned { model, turns, kept }
}

fn plan(mode: Mode, answers: &[&str]) -> Planned {
    let answers: Vec<_> = answers.iter().map(|text| (*text, StopReason::End)).collect();
    plan_with(mode, &answers, &[])
}

fn step(expert: &str, skill: &str) -> String {
    format!(
        "{{\"id\": 1, \"expert\": \"{expert}\", \"description\": \"Do {skill}.\", \
         \"skill\": \"{skill}\", \"parameters\": {{\"fileName\": \"a\"}}}}"
    )
}

fn list(steps: &[(&str, &str)]) -> String {
    let steps: Vec<String> = steps.iter().map(|(expert, skill)| step(expert, skill)).collect();
    format!("```json\n[{}]\n```", steps.join(",\n"))
}

const RECRUITS: &str = r#"[{"expert": "Photo Editor", "task": "The sea."},
    {"expert": "Layout Designer", "task": "The words."}]"#;

#[test]
fn planning_goes_stage_by_stage_and_each_expert_carries_out_a_part() {
    let (own, other) = (list(&[(PHOTO, "Open")]), list(&[(LAYOUT, "Open")]));
    let merged = list(&[(PHOTO, "Open"), (PHOTO, "Blur"), (LAYOUT, "Open")]);
    let part = list(&[(PHOTO, "Open"), (PHOTO, "Blur")]);
    let planned = plan(
        Mode::Agentic,
        &["Teal, with a boat.", RECRUITS, &own, &other, &merged, &part, &other],
    );
    let calls: Vec<usize> = planned.turns.iter().map(|turn| turn.calls.len()).collect();
    assert_eq!(calls, [0, 0, 0, 0, 0, 2, 1]);
    assert_eq!(planned.end(), Some(&Outcome::Completed));
    assert!(planned.turns[..6].iter().all(|turn| turn.goes_on && turn.ends.is_none()));
    let last = &planned.turns[6].calls[0];
    assert_eq!((last.id.as_str(), last.name.as_str()), ("3", "Open"));
    assert_eq!(last.arguments, json!({"expert": LAYOUT, "fileName": "a"}));
    assert!(planned.turns[0].thought.starts_with("Outline\n\nTeal"));
    // Each stage is told what it needs, and nothing is left open.
    for (at, words) in [
        (0, "A poster of the sea."),
        (1, "Teal, with a boat."),
        (2, "The sea."),
        (3, "The words."),
        (4, "Do Open."),
        (5, "Blur(fileName: string)"),
    ] {
        assert!(planned.asked(at).contains(words), "{at}: {}", planned.asked(at));
        assert!(!planned.asked(at).contains("{{"), "{at}");
    }
    assert!(!planned.asked(6).contains("Blur("), "the layout designer cannot blur");
    let plan = &planned.kept.plan;
    assert_eq!(plan["recruitment_status"][1]["task"], "The words.");
    assert_eq!(plan["workflows"].as_array().unwrap().len(), 2);
    assert_eq!(plan["final_workflow"].as_array().unwrap().len(), 3);
    assert_eq!(plan["design_components"]["background_color"], "teal");
    assert_eq!(plan["images"], json!([{"content": "boat", "url": "u"}]));
}

#[test]
fn everything_at_once_is_one_answer() {
    let planned = plan(Mode::DirectPlan, &[&list(&[(PHOTO, "Open"), (LAYOUT, "Open")])]);
    assert_eq!((planned.turns.len(), planned.turns[0].calls.len()), (1, 2));
    assert_eq!(planned.end(), Some(&Outcome::Completed));
    let words = planned.asked(0);
    for part in ["A poster of the sea.", "teal", "Photo Editor:\n- Open(", "Blur("] {
        assert!(words.contains(part), "{words}");
    }
}

#[test]
fn an_answer_that_is_no_list_is_asked_for_again_and_then_kept_as_it_is() {
    let good = list(&[(PHOTO, "Open")]);
    let planned = plan(Mode::DirectPlan, &["First, open it.", &good]);
    assert_eq!(planned.turns[0].calls.len(), 1);
    assert!(planned.kept.notes[0].contains("no JSON list of steps; asked again"));
    assert!(planned.asked(1).contains("cannot be used"), "{}", planned.asked(1));
    let planned = plan(Mode::DirectPlan, &["No.", "No!", "Never."]);
    let call = &planned.turns[0].calls[0];
    assert_eq!((call.name.as_str(), &call.arguments), ("", &json!("Never.")));
    assert_eq!(planned.kept.plan["final_workflow"], json!(["Never."]));
}

#[test]
fn what_did_not_parse_goes_on_as_text() {
    let (own, part) = (list(&[(PHOTO, "Open")]), list(&[(PHOTO, "Open")]));
    let recruits = r#"[{"expert": "Photo Editor", "task": "All."}]"#;
    let text = "1. Open, 2. Save";
    let planned = plan(Mode::Agentic, &["So.", recruits, &own, text, text, text, &part]);
    assert_eq!(planned.kept.plan["combined_workflow"], text);
    assert!(planned.asked(6).contains(text));
    assert_eq!(planned.end(), Some(&Outcome::Completed));
}

#[test]
fn nobody_recruited_a_refusal_and_a_limit_end_the_run_with_a_reason() {
    let poet = r#"[{"expert": "Poet", "task": "Rhyme."}]"#;
    let planned = plan(Mode::Agentic, &["So.", poet, poet, poet]);
    assert!(
        matches!(planned.end(), Some(Outcome::Failed(why)) if why.contains("recruited nobody"))
    );
    assert!(planned.asked(2).contains("there is no expert \"Poet\""), "{}", planned.asked(2));
    let refused = [("No.", StopReason::Refused("policy".into()))];
    let planned = plan_with(Mode::DirectPlan, &refused, &[]);
    assert_eq!(planned.end(), Some(&Outcome::Failed("sayer refused: policy".into())));
    let cut = ("[{\"id\": 1,", StopReason::Length);
    let planned = plan_with(Mode::DirectPlan, &[cut.clone(), cut.clone(), cut], &[]);
    assert!(planned.kept.notes[0].contains("cut off at 2048 tokens"), "{:?}", planned.kept.notes);
}

#[test]
fn the_vision_variant_shows_the_pictures_that_there_are() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("boat.png");
    Pixels::filled(2, 2, [1, 2, 3, 255]).unwrap().save_png(&path).unwrap();
    let given = [
        GivenPicture { name: "boat".into(), file: Some(path), ..GivenPicture::default() },
        GivenPicture { name: "moon".into(), file: None, ..GivenPicture::default() },
    ];
    let good = list(&[(PHOTO, "Open")]);
    let shown = |mode| {
        let planned = plan_with(mode, &[(&good, StopReason::End)], &given);
        let asked = planned.model.asked.lock().unwrap();
        let Message::User(parts) = &asked[0].messages[0] else { panic!("no words") };
        let pictures = parts.iter().filter(|part| matches!(part, Part::Picture(_))).count();
        (pictures, planned.kept.notes.len())
    };
    assert_eq!(shown(Mode::DirectPlan), (0, 0));
    assert_eq!(shown(Mode::DirectPlanVision), (1, 1), "the moon is a note");
}

#[test]
fn an_environment_without_experts_is_refused_before_anything_is_asked() {
    let model = Arc::new(Sayer::default());
    let prompts = Arc::new(AgentPrompts::built_in());
    let way = Mode::Agentic.plan_way().unwrap();
    let mut planner =
        Planner::new(Arc::clone(&model) as _, ChatSettings::default(), prompts, ("agentic", way));
    let task = TaskRef { set: "s".into(), id: "t".into() };
    let view = AgentView {
        task: &task,
        turn: 1,
        instruction: "",
        ground_truth: None,
        canvas_size: Size::new(10.0, 10.0),
        query: None,
        input_pictures: &[],
        main_frame: "",
        tools: &[],
        last_turn: &[],
    };
    let error = planner.next_turn(&view, &mut Kept::default(), &CancelToken::new()).unwrap_err();
    assert!(matches!(error, AgentError::Other(why) if why.contains("team of experts")));
    assert!(model.asked.lock().unwrap().is_empty());
}
