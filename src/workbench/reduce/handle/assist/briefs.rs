//! A brief that somebody typed: having it planned, and taking the plan's design over.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::agent::AgentKind;
use crate::agent::batch::{AgentChoice, LaunchOptions};
use crate::agent::model_agent::Mode;
use crate::agent::models::ModelChoice;
use crate::design::edit::{Edit, Transaction};
use crate::design::{Document, DocumentError, Node};
use crate::editor::Author;
use crate::environment::Compat;
use crate::graphictown::DesignType;
use crate::run::{TaskRef, slug};
use crate::task::{DesignBrief, Task};
use crate::workbench::derive::views::is_model;
use crate::workbench::model::{
    AssistDesk, AssistStart, BriefPlan, BriefPlanner, BriefStart, JobKind, NoticeLevel, PlanPhase,
    RunId, State,
};
use crate::workbench::protocol::{LaunchPlan, LaunchRun, Request};
use crate::workbench::reduce::handle::launch::remember_out_dir;

use super::recording::record;

/// The set of tasks that briefs are.
const SET: &str = "briefs";

/// What begins with the design of the plan that is ready; `None`: none is.
pub(super) fn ready_plan(state: &State) -> Option<AssistStart> {
    let (plan, phase) = state.brief_plan()?;
    let PlanPhase::Ready(dir, _) = phase else { return None };
    Some(AssistStart::Brief(BriefStart { plan: Some(dir.to_path_buf()), ..plan.start.clone() }))
}

/// Puts a plan away that is not being made any more.
pub(super) fn discard(state: &mut State) {
    if !is_planning(state) {
        state.assist.plan = None;
    }
}

fn is_planning(state: &State) -> bool {
    matches!(state.brief_plan(), Some((_, PlanPhase::Planning(..))))
}

/// Launches a planner on a brief; what keeps it from that is told.
pub(super) fn plan(state: &mut State, start: BriefStart, by: BriefPlanner) -> Vec<Request> {
    launched(state, start, by).unwrap_or_else(|why| {
        state.notify(NoticeLevel::Error, why);
        Vec::new()
    })
}

/// Launches it, as an ordinary run.
fn launched(
    state: &mut State,
    start: BriefStart,
    by: BriefPlanner,
) -> Result<Vec<Request>, String> {
    if is_planning(state) {
        return Err("A plan is being made: stop it first.".to_owned());
    }
    if let Some(why) = start.why_no_page() {
        return Err(why);
    }
    let brief = DesignBrief::described(&start.words);
    if brief.asks_nothing() {
        return Err("Nothing of the brief could be read: there is nothing to plan.".to_owned());
    }
    let agent = match &by {
        BriefPlanner::Rules => {
            AgentChoice::Kind { kind: AgentKind::Rules, script: None, command: None }
        }
        BriefPlanner::Model(name) if !is_model(state, name) => {
            return Err(format!("The model {name} is missing: choose one in the launch settings."));
        }
        BriefPlanner::Model(name) => {
            let model = &state.launch.model;
            // One that does not plan otherwise does now.
            let mode = if model.mode.plan_way().is_some() { model.mode } else { Mode::Agentic };
            AgentChoice::Model(ModelChoice { mode, ..model.named(name) })
        }
    };
    let mut query = brief.query.clone();
    // What it says it is, if that has this size: of two that are as large only the words tell.
    let said = query.design.into_iter();
    let mut designs = said.chain([DesignType::Poster, DesignType::Postcard]);
    match designs.find(|design| design.page_size() == start.size) {
        Some(design) => (query.design, query.page) = (Some(design), None),
        None => query.page = Some(start.size),
    }
    let task_ref = TaskRef { set: SET.to_owned(), id: slug(&brief.title(&start.words)) };
    let task = Arc::new(Task::of_query(task_ref.id.clone(), start.words.clone(), query));
    let options = LaunchOptions {
        out_dir: state.out_dir(),
        // What other tasks were chosen to do is not asked of this one.
        compat: Compat::default(),
        start_design: None,
        resume: false,
        at_once: 1,
        ..state.launch.options.clone()
    };
    remember_out_dir(state, &options.out_dir);
    let run_id = RunId(state.library.next_run);
    state.library.next_run += 1;
    let job = state.jobs.start(JobKind::Run, format!("{} on {}", agent.name(), task_ref.id));
    if let Some(job) = state.jobs.by_id.get_mut(&job) {
        job.run = Some(run_id);
    }
    state.in_flight.launches.insert(job, run_id);
    state.jobs.at_once = 1;
    state.assist.plan = Some(BriefPlan { start, by, job, run: run_id });
    // No set of it lies anywhere: the run holds its brief in its plan.
    let set_dir = PathBuf::new();
    let run = LaunchRun { job, run_id, task_ref, set_dir, task, agent: 0, repeat: 1 };
    let plan = LaunchPlan { agents: vec![agent], options, experiment: None };
    Ok(vec![Request::Launch { runs: vec![run], plan: Box::new(plan) }])
}

/// Puts a plan's design onto the empty page of a desk, as one step that can be undone.
pub(super) fn take_over(desk: &mut AssistDesk, plan: &Document) -> Result<Vec<Request>, String> {
    let mut document = desk.editor.document().clone();
    let put_in = put_in(&mut document, plan).map_err(|error| error.to_string())?;
    let edit = put_in.ok_or("there is no page that it could go onto")?;
    let label = "Take over the plan's design";
    desk.editor.take_in_by(Author::AssistantAlone, label, &[], edit, None);
    desk.assistant.did(Author::AssistantAlone, label.to_owned());
    Ok(record(desk))
}

/// The edit by which a page looks as that of a plan does; `None` where one of them has none.
fn put_in(document: &mut Document, plan: &Document) -> Result<Option<Edit>, DocumentError> {
    let screen = document.main_frame().map(|screen| screen.id.clone());
    let Some((screen, frame)) = screen.zip(plan.main_frame()) else { return Ok(None) };
    let mut change = Transaction::begin(document);
    change.update(&screen, |node| node.fills.clone_from(&frame.fills))?;
    // Programs of the suite count layers as the canvas does: each gets an id of its own here. Parents come first.
    let mut made = BTreeMap::from([(&frame.id, screen)]);
    for node in plan.subtree(&frame.id).skip(1) {
        let parent = node.parent.as_ref().and_then(|parent| made.get(parent)).cloned();
        let id = change.new_id();
        change.insert(Node { id: id.clone(), ..Node::clone(node) }, parent.as_ref(), None)?;
        made.insert(&node.id, id);
    }
    Ok(Some(change.commit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Rgba, Size};
    use crate::design::{NodeKind, Paint};
    use crate::workbench::model::JobOutcome;
    use crate::workbench::protocol::{AssistCommand, BriefCommand, Command};

    fn start(words: &str) -> BriefStart {
        let size = DesignType::Poster.page_size();
        BriefStart { words: words.to_owned(), size, plan: None }
    }

    fn ask(state: &mut State, command: BriefCommand) -> Vec<Request> {
        crate::workbench::handle(state, Command::Assist(AssistCommand::Brief(command)))
    }

    #[test]
    fn a_brief_is_launched_as_a_run_of_a_task_of_its_own() {
        let mut state = State::default();
        let begun = start("A poster with the title \"Blue Notes\" on a navy blue background");
        let requests = ask(&mut state, BriefCommand::Plan(begun, BriefPlanner::Rules));
        let launched = requests.iter().find_map(|request| match request {
            Request::Launch { runs, plan } => Some((runs, plan)),
            _ => None,
        });
        let (runs, plan) = launched.unwrap();
        assert_eq!(plan.agents.iter().map(AgentChoice::name).collect::<Vec<_>>(), ["rules"]);
        let query = &runs[0].task.brief.as_ref().unwrap().query;
        assert_eq!((query.design, query.page), (Some(DesignType::Poster), None));
        assert_eq!(query.texts[0].content.as_deref(), Some("Blue Notes"));
        assert!(matches!(state.brief_plan(), Some((_, PlanPhase::Planning(..)))));
        // A second one waits for the first, and what is under way is not forgotten.
        let again = ask(&mut state, BriefCommand::Plan(start("\"Other\""), BriefPlanner::Rules));
        assert!(!again.iter().any(|request| matches!(request, Request::Launch { .. })));
        ask(&mut state, BriefCommand::Discard);
        assert!(state.assist.plan.is_some());
    }

    #[test]
    fn a_page_of_another_size_is_planned_as_it_was_chosen() {
        let mut state = State::default();
        let size = Size::new(393.0, 852.0);
        let phone = BriefStart { size, ..start("A poster with the title \"Blue Notes\"") };
        let requests = ask(&mut state, BriefCommand::Plan(phone, BriefPlanner::Rules));
        let task = requests.iter().find_map(|request| match request {
            Request::Launch { runs, .. } => Some(&runs[0].task),
            _ => None,
        });
        let task = task.unwrap();
        assert_eq!(task.canvas_size, Some(size));
        assert_eq!(task.brief.as_ref().unwrap().query.page, Some(size));
    }

    #[test]
    fn a_plan_that_failed_says_why_and_can_be_put_away() {
        let mut state = State::default();
        ask(&mut state, BriefCommand::Plan(start("\"Blue Notes\""), BriefPlanner::Rules));
        let job = state.assist.plan.as_ref().unwrap().job;
        let why = JobOutcome::Failed("no room on the disk".to_owned());
        drop(crate::workbench::apply(&mut state, crate::workbench::Event::JobEnded(job, why)));
        let phase = state.brief_plan().map(|(_, phase)| phase);
        assert_eq!(phase, Some(PlanPhase::Failed("no room on the disk")));
        ask(&mut state, BriefCommand::TakeOver);
        assert!(state.assist.opening.is_none(), "there is nothing to take over");
        ask(&mut state, BriefCommand::Discard);
        assert!(state.assist.plan.is_none());
    }

    #[test]
    fn what_cannot_be_planned_launches_nothing_and_says_why() {
        let mut state = State::default();
        let dot = BriefStart { size: Size::new(393.0, 8.0), ..start("\"Blue Notes\"") };
        let wall = BriefStart { size: Size::new(16_000.0, 800.0), ..start("\"Blue Notes\"") };
        let model = BriefPlanner::Model("nobody".to_owned());
        let cases = [
            (dot, BriefPlanner::Rules, "64 points a side or more"),
            (wall, BriefPlanner::Rules, "within 1 and 14400 points"),
            (start("something nice"), BriefPlanner::Rules, "Nothing of the brief"),
            (start("\"Blue Notes\""), model, "nobody is missing"),
        ];
        for (start, by, why) in cases {
            let requests = ask(&mut state, BriefCommand::Plan(start, by));
            assert!(!requests.iter().any(|request| matches!(request, Request::Launch { .. })));
            let said = state.notices.last().unwrap();
            assert!(said.text.contains(why), "{}", said.text);
        }
        assert!(state.assist.plan.is_none());
    }

    #[test]
    fn a_page_gets_the_ground_and_all_layers_of_a_plan() {
        fn frame(id: &str, fill: Rgba) -> Node {
            let mut frame = Node::new(id.into(), id, NodeKind::Frame);
            frame.size = Size::new(100.0, 100.0);
            frame.fills = vec![Paint::solid(fill)];
            frame
        }
        let mut page = Document::from_nodes([frame("1:1", Rgba::WHITE)]).unwrap();
        let before = page.clone();
        // The same id as the page's own.
        let mut inner = frame("1:1", Rgba::WHITE);
        inner.parent = Some("1:0".into());
        let mut leaf = Node::new("1:1/2".into(), "leaf", NodeKind::Rectangle);
        leaf.parent = Some("1:1".into());
        let plan = Document::from_nodes([frame("1:0", Rgba::BLACK), inner, leaf]).unwrap();
        let edit = put_in(&mut page, &plan).unwrap().unwrap();
        let screen = page.get(&"1:1".into()).unwrap();
        assert_eq!(screen.fills, [Paint::solid(Rgba::BLACK)]);
        let inner = page.get(screen.children.first().unwrap()).unwrap();
        assert_eq!((inner.name.as_str(), inner.children.len()), ("1:1", 1));
        let leaf = page.get(inner.children.first().unwrap()).unwrap();
        assert_eq!(leaf.name, "leaf");
        edit.inverse().apply(&mut page);
        assert_eq!(page, before);
    }
}
