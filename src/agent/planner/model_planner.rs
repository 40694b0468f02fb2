//! The stages of planning with a model.

use std::sync::Arc;

use serde_json::Value;

use crate::base::CancelToken;
use crate::metric::plan::{Recruit, Stage};
use crate::run::{AgentRef, Outcome};

use super::document::PlanDocument;
use super::{answers, calls, query, team};
use crate::agent::asking::Asking;
use crate::agent::chat::{
    Answer, AssistantMessage, ChatModel, ChatRequest, ChatSettings, Message, Part, StopReason,
};
use crate::agent::model_agent::{AgentPrompts, PlanWay};
use crate::agent::{Agent, AgentError, AgentKind, AgentLog, AgentTurn, AgentView};

/// How often a stage is asked for again, because its answer was of no use.
const MOST_REPEATS: u32 = 2;
/// Most parts in which actions are asked for, each with a request of its own; the last takes all that
/// is left.
const MOST_PARTS: usize = 8;

/// A model that plans for a team of experts, and has each expert's part carried out.
///
/// A stage is a turn; its answer, or what could be read of it, is the turn's thought and part of the
/// plan that the run keeps. An answer that is no list where one is needed is asked for again, up to
/// two times; then it is kept as the text it is, as the published planner does, and planning goes on
/// with that.
pub struct Planner {
    name: String,
    mode: &'static str,
    model: Arc<dyn ChatModel>,
    settings: ChatSettings,
    prompts: Arc<AgentPrompts>,
    way: PlanWay,
    next: Next,
    plan: Option<PlanDocument>,
    recruits: Vec<Recruit>,
    parts: Vec<WorkPart>,
    /// Steps with actions so far.
    steps: usize,
}

/// What is to be planned next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Outline,
    Recruitment,
    Workflow(usize),
    Merging,
    Actions(usize),
    Everything,
}

/// A part of the merged workflow for which actions are asked.
#[derive(Clone, Debug)]
struct WorkPart {
    /// Whose it is; `None`: of several.
    expert: Option<String>,
    /// Its steps as JSON, or what stands in their place.
    steps: String,
}

/// What a stage's answer came to.
enum StageAnswer {
    /// Of use: what was read of it.
    Value(Value),
    /// It ends the run.
    Ended(Outcome),
}

impl std::fmt::Debug for Planner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut fields = f.debug_struct("Planner");
        fields.field("model", &self.model.identity()).field("way", &self.way);
        fields.field("next", &self.next).finish_non_exhaustive()
    }
}

impl Planner {
    /// A planner at the beginning; `mode` is what runs call the way.
    pub fn new(
        model: Arc<dyn ChatModel>,
        settings: ChatSettings,
        prompts: Arc<AgentPrompts>,
        (mode, way): (&'static str, PlanWay),
    ) -> Self {
        let name = model.identity().model;
        // The first question is another where nothing is asked in parts.
        let next = if way.direct { Next::Everything } else { Next::Outline };
        let (recruits, parts) = (Vec::new(), Vec::new());
        Self {
            name,
            mode,
            model,
            settings,
            prompts,
            way,
            next,
            plan: None,
            recruits,
            parts,
            steps: 0,
        }
    }

    /// The planner under the name that the user gave the model.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        Self { name: name.to_owned(), ..self }
    }

    /// A request that says this and, if pictures are shown, shows them.
    fn request(&self, words: String, view: &AgentView<'_>, asking: &mut Asking<'_>) -> ChatRequest {
        let mut parts = vec![Part::Text(words)];
        if self.way.shows_pictures {
            parts.extend(query::pictures(view, |problem| asking.note(problem)));
        }
        ChatRequest {
            system: String::new(),
            messages: vec![Message::User(parts)],
            tools: Arc::new([]),
            settings: self.settings.clone(),
        }
    }

    /// Asks until the answer can be read, or has been asked for often enough; then it is its text.
    fn ask(
        &self,
        mut request: ChatRequest,
        asking: &mut Asking<'_>,
        read: impl Fn(&str) -> Result<Value, String>,
    ) -> Result<StageAnswer, AgentError> {
        for repeats in 0.. {
            let answer = asking.ask(&request)?;
            if let Some(outcome) = self.refusal(&answer) {
                return Ok(StageAnswer::Ended(outcome));
            }
            let text = answer.message.text.trim();
            // Why it cannot be read is best said by how it ended: a list that was cut off is no list.
            let problem = match read(text) {
                Ok(value) => return Ok(StageAnswer::Value(value)),
                Err(_) if answer.stop == StopReason::Length => {
                    format!("it was cut off at {} tokens", self.settings.max_tokens)
                }
                Err(_) if text.is_empty() => "the answer was empty".to_owned(),
                Err(problem) => problem,
            };
            // As the published planner goes on with what it got; the calls made of it will fail and show it.
            if repeats == MOST_REPEATS {
                asking.note(format!("{problem}; it is kept as the text it is"));
                return Ok(StageAnswer::Value(Value::String(text.to_owned())));
            }
            asking.note(format!("{problem}; asked again"));
            // An empty message is refused by most providers: then the same is asked once more.
            let said = AssistantMessage { text: text.to_owned(), ..AssistantMessage::default() };
            if !text.is_empty() {
                request.messages.push(Message::Assistant(said));
                let words = self.prompts.fill("plan_unreadable", &[("problem", &problem)]);
                request.messages.push(Message::User(vec![Part::Text(words)]));
            }
        }
        Ok(StageAnswer::Value(Value::Null))
    }

    /// How a refusal ends the run.
    fn refusal(&self, answer: &Answer) -> Option<Outcome> {
        let (what, why) = match &answer.stop {
            StopReason::Refused(why) => ("refused", why),
            StopReason::Filtered(why) => ("was stopped by a filter", why),
            _ => return None,
        };
        let why = if why.is_empty() { String::new() } else { format!(": {why}") };
        Some(Outcome::Failed(format!("{} {what}{why}", self.name)))
    }

    /// The words of a stage, with what every stage may use.
    fn words(&self, stage: &str, view: &AgentView<'_>, more: &[(&str, &str)]) -> String {
        let (components, pictures) = (query::components_text(view), query::pictures_text(view));
        let (mut outline, mut recruits) = (String::new(), String::new());
        if let Some(plan) = &self.plan {
            outline = plan.text("design_outline");
            recruits = plan.text("recruitment_status");
        }
        let experts = self.prompts.fill("plan_experts", &[]);
        let shared: [(&str, &str); 6] = [
            ("query", view.instruction),
            ("components", &components),
            ("pictures", &pictures),
            ("outline", &outline),
            ("recruits", &recruits),
            ("experts", &experts),
        ];
        // Which of them a stage's prompt may use, `FILES` of the prompts says.
        let values: Vec<(&str, &str)> = shared.into_iter().chain(more.iter().copied()).collect();
        self.prompts.fill(stage, &values)
    }

    fn stage(
        &mut self,
        view: &AgentView<'_>,
        asking: &mut Asking<'_>,
        known: &[&str],
    ) -> Result<AgentTurn, AgentError> {
        match self.next {
            Next::Outline => self.outline(view, asking),
            Next::Recruitment => self.recruit(view, asking, known),
            Next::Workflow(at) => self.workflow(at, view, asking),
            Next::Merging => self.merge(view, asking),
            Next::Actions(at) => self.actions(at, view, asking),
            Next::Everything => self.everything(view, asking),
        }
    }

    fn plan(&mut self, view: &AgentView<'_>) -> &mut PlanDocument {
        self.plan.get_or_insert_with(|| PlanDocument::new(view))
    }

    fn outline(
        &mut self,
        view: &AgentView<'_>,
        asking: &mut Asking<'_>,
    ) -> Result<AgentTurn, AgentError> {
        let request = self.request(self.words("plan_outline", view, &[]), view, asking);
        // Any words are an outline; only the later stages are lists.
        let answer = self.ask(request, asking, |text| match text {
            "" => Err("the answer was empty".to_owned()),
            _ => Ok(Value::String(text.to_owned())),
        })?;
        let StageAnswer::Value(outline) = answer else { return Ok(answer.into_turn()) };
        self.plan(view).set_outline(outline.as_str().unwrap_or_default());
        self.next = Next::Recruitment;
        Ok(thinking("Outline", &outline))
    }

    fn recruit(
        &mut self,
        view: &AgentView<'_>,
        asking: &mut Asking<'_>,
        known: &[&str],
    ) -> Result<AgentTurn, AgentError> {
        let request = self.request(self.words("plan_recruit", view, &[]), view, asking);
        let answer = self.ask(request, asking, |text| answers::recruited(text, known))?;
        let StageAnswer::Value(value) = answer else { return Ok(answer.into_turn()) };
        // An answer that was kept as text may name strangers among them: they have nothing to do.
        let found = Recruit::read_list(&value).into_iter().filter_map(|recruit| {
            let expert = team::named(known, &recruit.expert)?.to_owned();
            Some(Recruit { expert, ..recruit })
        });
        self.recruits = found.collect();
        // The plan keeps the answer as it came, strangers and all; only planning goes on without them.
        self.plan(view).set_recruitment(value.clone());
        if self.recruits.is_empty() {
            let why = format!("{} recruited nobody that there is", self.name);
            return Ok(AgentTurn {
                ends: Some(Outcome::Failed(why)),
                ..thinking("Recruitment", &value)
            });
        }
        self.next = Next::Workflow(0);
        Ok(thinking("Recruitment", &value))
    }

    fn workflow(
        &mut self,
        at: usize,
        view: &AgentView<'_>,
        asking: &mut Asking<'_>,
    ) -> Result<AgentTurn, AgentError> {
        let Some(Recruit { expert, task }) = self.recruits.get(at).cloned() else {
            return Ok(AgentTurn::default());
        };
        let more = [("expert", expert.as_str()), ("task", task.as_str())];
        let request = self.request(self.words("plan_workflow", view, &more), view, asking);
        let answer = self.ask(request, asking, answers::steps)?;
        let StageAnswer::Value(value) = answer else { return Ok(answer.into_turn()) };
        self.plan(view).push_workflow(value.clone());
        // Experts are asked one after the other, each knowing nothing of the others' workflows.
        let is_last = at + 1 >= self.recruits.len();
        self.next = if is_last { Next::Merging } else { Next::Workflow(at + 1) };
        Ok(thinking(&format!("Workflow of the {expert}"), &value))
    }

    fn merge(
        &mut self,
        view: &AgentView<'_>,
        asking: &mut Asking<'_>,
    ) -> Result<AgentTurn, AgentError> {
        let workflows = self.plan(view).text("workflows");
        let words = self.words("plan_merge", view, &[("workflows", &workflows)]);
        let request = self.request(words, view, asking);
        let answer = self.ask(request, asking, answers::steps)?;
        let StageAnswer::Value(value) = answer else { return Ok(answer.into_turn()) };
        self.plan(view).set_combined(value.clone());
        // From here on the merged workflow counts, whatever the experts planned before.
        self.parts = parts_of(&value, &self.recruits);
        self.next = Next::Actions(0);
        Ok(thinking("Merged workflow", &value))
    }

    fn actions(
        &mut self,
        at: usize,
        view: &AgentView<'_>,
        asking: &mut Asking<'_>,
    ) -> Result<AgentTurn, AgentError> {
        let Some(WorkPart { expert, steps }) = self.parts.get(at).cloned() else {
            return Ok(AgentTurn::default());
        };
        let actions = match &expert {
            Some(expert) => team::actions_text(view.tools, expert),
            None => team::all_actions_text(view.tools),
        };
        let workflow = self.plan(view).text("combined_workflow");
        let more = [
            ("expert", expert.as_deref().unwrap_or("design team")),
            ("workflow", workflow.as_str()),
            ("steps", steps.as_str()),
            ("actions", actions.as_str()),
        ];
        let request = self.request(self.words("plan_actions", view, &more), view, asking);
        let answer = self.ask(request, asking, answers::steps)?;
        let StageAnswer::Value(value) = answer else { return Ok(answer.into_turn()) };
        // Each part is carried out before the next one is asked for: its expert sees what is there by then.
        let is_last = at + 1 >= self.parts.len();
        self.next = Next::Actions(at + 1);
        let title = format!("Actions of the {}", expert.as_deref().unwrap_or("design team"));
        Ok(self.carried_out(&title, value, view, is_last))
    }

    fn everything(
        &mut self,
        view: &AgentView<'_>,
        asking: &mut Asking<'_>,
    ) -> Result<AgentTurn, AgentError> {
        let actions = team::all_actions_text(view.tools);
        let words = self.words("plan_direct", view, &[("actions", &actions)]);
        let request = self.request(words, view, asking);
        let answer = self.ask(request, asking, answers::steps)?;
        let StageAnswer::Value(value) = answer else { return Ok(answer.into_turn()) };
        Ok(self.carried_out("Plan", value, view, true))
    }

    /// The turn that carries out steps with actions.
    fn carried_out(
        &mut self,
        title: &str,
        value: Value,
        view: &AgentView<'_>,
        is_last: bool,
    ) -> AgentTurn {
        // Steps are numbered through the whole plan, so that step n of the run is item n of it.
        let thought = thinking(title, &value).thought;
        let before = self.steps;
        let stage: Stage = self.plan(view).extend_final(value);
        let mut calls = calls::calls_of(&stage, before);
        if stage.items.is_empty() {
            // What did not parse is a step of the plan all the same.
            calls.push(calls::unreadable(&stage.raw, before + 1));
        }
        self.steps += calls.len();
        AgentTurn {
            thought,
            calls,
            ends: is_last.then_some(Outcome::Completed),
            goes_on: true,
            ..AgentTurn::default()
        }
    }
}

impl StageAnswer {
    /// The turn that ends the run, if this does.
    fn into_turn(self) -> AgentTurn {
        match self {
            Self::Ended(outcome) => ended(outcome),
            Self::Value(value) => thinking("", &value),
        }
    }
}

fn ended(outcome: Outcome) -> AgentTurn {
    AgentTurn { ends: Some(outcome), ..AgentTurn::default() }
}

/// A turn that only says what was planned; the run goes on.
fn thinking(title: &str, value: &Value) -> AgentTurn {
    let text = match value {
        Value::String(text) => text.clone(),
        value => serde_json::to_string_pretty(value).unwrap_or_default(),
    };
    AgentTurn { thought: format!("{title}\n\n{text}"), goes_on: true, ..AgentTurn::default() }
}

/// The merged workflow in parts, each of one expert; a text that did not parse is the part of every
/// recruit.
fn parts_of(combined: &Value, recruits: &[Recruit]) -> Vec<WorkPart> {
    let stage = Stage::read(combined.clone());
    let list = combined.as_array().map(Vec::as_slice).unwrap_or_default();
    let segments = answers::segments(&stage);
    if segments.is_empty() || list.len() != stage.items.len() {
        let steps = combined.as_str().map_or_else(|| combined.to_string(), str::to_owned);
        let recruits = recruits.iter().take(MOST_PARTS);
        return recruits
            .map(|recruit| WorkPart { expert: Some(recruit.expert.clone()), steps: steps.clone() })
            .collect();
    }
    // Experts who take turns at every step would cost a request each: beyond the most, the last part
    // is of all who are left.
    let own = if segments.len() <= MOST_PARTS { segments.len() } else { MOST_PARTS - 1 };
    let (own, shared) = segments.split_at(own);
    let mut parts: Vec<WorkPart> = own
        .iter()
        .map(|(expert, places)| WorkPart {
            expert: Some(expert.clone()).filter(|expert| !expert.is_empty()),
            steps: steps_text(list, places),
        })
        .collect();
    if !shared.is_empty() {
        let places: Vec<usize> = shared.iter().flat_map(|(_, at)| at.iter().copied()).collect();
        parts.push(WorkPart { expert: None, steps: steps_text(list, &places) });
    }
    parts
}

fn steps_text(list: &[Value], places: &[usize]) -> String {
    let steps: Vec<&Value> = places.iter().filter_map(|at| list.get(*at)).collect();
    serde_json::to_string_pretty(&steps).unwrap_or_default()
}

impl Agent for Planner {
    fn identity(&self) -> AgentRef {
        let version = Some(self.model.identity().model);
        AgentRef { kind: AgentKind::Model.name().to_owned(), name: self.name.clone(), version }
    }

    fn mode(&self) -> Option<&'static str> {
        Some(self.mode)
    }

    fn next_turn(
        &mut self,
        view: &AgentView<'_>,
        log: &mut dyn AgentLog,
        cancel: &CancelToken,
    ) -> Result<AgentTurn, AgentError> {
        let known = team::experts(view.tools);
        if known.is_empty() {
            return Err(AgentError::Other(format!(
                "{} plans for a team of experts, and this task's environment has none",
                self.mode
            )));
        }
        let model = Arc::clone(&self.model);
        let mut asking = Asking::new(&*model, log, cancel);
        let turn = self.stage(view, &mut asking, &known)?;
        // After each stage, so that a run that breaks off keeps what was planned until then.
        if let Some(plan) = &self.plan {
            log.plan(&plan.to_json());
        }
        Ok(turn)
    }
}
