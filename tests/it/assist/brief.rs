//! A design that somebody describes: what the brief asks becomes steps, it is kept with the run, and a plan of it is
//! taken over.

use std::path::Path;

use pentimento::app::Session;
use pentimento::base::Size;
use pentimento::design::Document;
use pentimento::design::hunk::{Consequences, apply_hunks};
use pentimento::editor::Act;
use pentimento::evaluate::brief::BriefCheck;
use pentimento::graphictown::{DesignType, Query};
use pentimento::metric::constraint::Aspect;
use pentimento::render::TextMeasurer;
use pentimento::run::reader;
use pentimento::task;
use pentimento::workbench::{
    AssistCommand, AssistStart, AssistantCommand, BriefCommand, BriefPlanner, BriefStart, Command,
    PlanPhase, Recording, Settings, State,
};
use pentimento::worker::WorkerConfig;

use super::desk::{ask, asked, desk, document};
use crate::nodes::until;
use crate::shared;

pub(super) const WORDS: &str = "A poster with the title \"Blue Notes\" in huge white letters at the top center, \
                     and the date \"7 May\" small below the title, on a navy blue background";

fn session(dir: &Path) -> Session {
    let state = State::new(Settings::default(), dir.join("runs"));
    Session::start(state, WorkerConfig::default(), || {}).unwrap()
}

fn assist(session: &mut Session, command: AssistCommand) {
    session.carry_out(Command::Assist(command));
}

fn open(session: &mut Session, start: AssistStart) {
    assist(session, AssistCommand::Open(start));
    until(session, "the design is open", |state| state.assist.desk.is_some());
}

fn start(size: Size) -> BriefStart {
    BriefStart { words: WORDS.to_owned(), size, plan: None }
}

fn texts(document: &Document) -> Vec<String> {
    let texts = document.iter_depth_first().filter_map(|node| node.text());
    texts.map(|text| text.characters.clone()).collect()
}

fn unmet(query: &Query, document: &Document) -> Vec<String> {
    let check = BriefCheck::of(query, document).unwrap();
    check.unmet().map(ToString::to_string).collect()
}

fn until_kept(session: &mut Session) -> std::path::PathBuf {
    until(session, "all is on disk", |state| {
        let desk = state.assist.desk.as_ref();
        desk.is_some_and(|desk| match &desk.recording {
            Recording::Kept { step, .. } => *step >= desk.editor.steps(),
            Recording::Empty | Recording::Failing(_) => false,
        })
    });
    let Recording::Kept { dir, .. } = &desk(session).recording else { unreachable!() };
    dir.clone()
}

#[test]
fn what_a_brief_asks_is_offered_step_by_step_and_kept_with_the_run() {
    let dir = tempfile::tempdir().unwrap();
    let mut first = session(dir.path());
    open(&mut first, AssistStart::Brief(start(Size::new(393.0, 852.0))));
    assert_eq!(desk(&first).instruction.as_deref(), Some(WORDS));
    let query = desk(&first).brief.as_ref().unwrap().query.clone();
    asked(&mut first, AssistantCommand::CheckWork);
    let said: Vec<String> =
        desk(&first).assistant.talk.iter().map(|talk| talk.words.clone()).collect();
    assert!(said.iter().any(|words| words.starts_with("title: Present")), "{said:?}");
    for _ in 0..8 {
        asked(&mut first, AssistantCommand::Ask);
        if desk(&first).assistant.offer.is_none() {
            break;
        }
        ask(&mut first, AssistantCommand::Accept);
    }
    assert_eq!(unmet(&query, &document(&first)), Vec::<String>::new());
    assert_eq!(texts(&document(&first)), ["Blue Notes", "7 May"]);
    let run = until_kept(&mut first);
    let made = document(&first);
    drop(first);
    let mut second = session(dir.path());
    open(&mut second, AssistStart::Again(run));
    assert_eq!(desk(&second).instruction.as_deref(), Some(WORDS));
    assert_eq!(desk(&second).brief.as_ref().unwrap().query, query);
    assert_eq!(texts(&document(&second)), texts(&made));
}

#[test]
fn a_plan_by_rules_is_a_run_whose_design_is_taken_over_as_one_step() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = session(dir.path());
    let size = DesignType::Poster.page_size();
    let plan = BriefCommand::Plan(start(size), BriefPlanner::Rules);
    assist(&mut session, AssistCommand::Brief(plan));
    until(&mut session, "the plan is ready", |state| {
        matches!(state.brief_plan(), Some((_, PlanPhase::Ready(..))))
    });
    assert!(session.state().assist.desk.is_none(), "nothing is taken over unasked");
    let runs = session.state().library.runs.values();
    let kinds: Vec<&str> = runs.map(|run| run.manifest.agent.kind.as_str()).collect();
    assert_eq!(kinds, ["rules"]);
    assist(&mut session, AssistCommand::Brief(BriefCommand::TakeOver));
    until(&mut session, "the design is open", |state| state.assist.desk.is_some());
    let taken = document(&session);
    let mut said = texts(&taken);
    said.sort();
    assert_eq!(said, ["7 May", "Blue Notes"]);
    assert_eq!(desk(&session).instruction.as_deref(), Some(WORDS));
    assert_eq!(desk(&session).editor.steps(), 1);
    assert!(session.state().brief_plan().is_none(), "it is not offered again");
    assist(&mut session, AssistCommand::Act(Box::new(Act::Undo)));
    assert_eq!(texts(&document(&session)), Vec::<String>::new());
    assist(&mut session, AssistCommand::Act(Box::new(Act::Redo)));
    assert_eq!(document(&session), taken);
    let run = reader::open(&until_kept(&mut session)).unwrap();
    assert_eq!(run.manifest.settings["brief"], WORDS);
    assert!(!run.steps.is_empty());
}

/// Each mend of the designs that published queries lead to makes its own finding hold, and loses none.
#[test]
fn published_queries_are_mended_step_by_step() {
    let Some(data) = shared::path("data/graphicbench") else { return };
    let render = crate::render::sketch::context();
    let measure = TextMeasurer(&render);
    let sets = task::open(&data).unwrap().sets;
    let tasks = sets.into_iter().flat_map(|(set, _)| set.tasks).step_by(60);
    let (mut all, mut left) = (0, 0);
    for task in tasks {
        let query = &task.brief.as_ref().unwrap().query;
        let page = Document::from_nodes([page(query)]).unwrap();
        let of_texts = |document: &Document| {
            let check = BriefCheck::of(query, document).unwrap();
            let visuals = query.visuals.iter().map(|visual| &visual.name);
            let visuals: Vec<&String> = visuals.collect();
            check.unmet().filter(|found| !visuals.contains(&&found.component)).count()
        };
        let mut document = page;
        all += of_texts(&document);
        for _ in 0..12 {
            let check = BriefCheck::of(query, &document).unwrap();
            let Some(mend) = check.mends(&measure).next() else { break };
            let mut after = document.clone();
            apply_hunks(&mut after, &mend.hunks, Consequences::Settle, &measure).unwrap();
            assert!(check.holds_in(&after), "{}: {}", task.id, mend.finding);
            if mend.finding.aspect == Aspect::Present {
                let found = BriefCheck::of(query, &after).unwrap();
                let mut unmet = found.unmet();
                let again = unmet.find(|it| {
                    it.component == mend.finding.component && it.aspect == Aspect::Present
                });
                assert_eq!(again, None, "{}", task.id);
            }
            document = after;
        }
        left += of_texts(&document);
    }
    assert!(all > 20, "{all}");
    assert!(left * 2 <= all, "{left} of {all} are left");
}

/// An empty page of the size of a query's design.
fn page(query: &Query) -> pentimento::design::Node {
    use pentimento::base::Rgba;
    use pentimento::design::{Node, NodeKind, Paint};
    let mut page = Node::new("1:1".into(), "Page", NodeKind::Frame);
    page.size = query.design.unwrap_or(DesignType::Poster).page_size();
    page.fills = vec![Paint::solid(Rgba::WHITE)];
    page
}
