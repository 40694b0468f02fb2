//! How the design at the selected step stands to the query it was made from.

use crate::metric::constraint::{Finding, Findings, Verdict};
use crate::workbench::model::{CheckKey, Fetched, FindingRef, RunState, ShownIn, State};

use super::stage::PaneStatus;

/// How the design at the selected step stands to its query.
#[derive(Debug)]
pub struct QueryAnswers<'a> {
    /// The step that the answers are of, 0 the start: the selected one, or the one shown before while
    /// that is checked.
    pub step: u32,
    /// All answers; `None` while there are none, as the status says.
    pub findings: Option<&'a Findings>,
    /// The components with those of their answers that pass the filter, in the order of the query.
    pub components: Vec<ComponentAnswers<'a>>,
    /// Whether the answers are those asked for.
    pub status: PaneStatus<'a>,
}

/// The answers about a component.
#[derive(Debug)]
pub struct ComponentAnswers<'a> {
    /// Its name in the query, or `background`.
    pub name: &'a str,
    /// How many answers are yes.
    pub yes: usize,
    /// How many are yes or no.
    pub answered: usize,
    /// Those that pass the filter.
    pub rows: Vec<AnswerRow<'a>>,
}

/// One answer.
#[derive(Clone, Debug)]
pub struct AnswerRow<'a> {
    /// What it is called.
    pub at: FindingRef,
    /// What was found.
    pub finding: &'a Finding,
    /// Whether it is the selected one.
    pub is_selected: bool,
}

const NO_RUN: &str = "Choose a run to see what of its query the design has.";
const NO_QUERY: &str = "The task of this run is no design query, so nothing is asked of the design \
                        component by component.";
const NO_COMPONENTS: &str = "The query names no background, no text and no picture.";

/// The answers at the selected step.
pub fn query(state: &State) -> QueryAnswers<'_> {
    let step = state.selection.step;
    let Some(run) = state.selected_run() else { return empty(step, PaneStatus::Nothing(NO_RUN)) };
    if let RunState::Unreadable(why) = &run.state {
        return empty(step, PaneStatus::Failed(why));
    }
    let Some(key) = state.check_key() else {
        // A plan may bring a query, which is known only once the run is read.
        let is_read = run.loaded.is_some() || state.selected_task().is_some();
        let status = if is_read { PaneStatus::Nothing(NO_QUERY) } else { PaneStatus::Loading };
        return empty(step, status);
    };
    // While answers are worked out, those shown before stand in, so that the list does not blink at every step.
    let (shown, status) = match state.derived.checks.get(&key) {
        Some(Fetched::Ready(_)) => (Some(key), PaneStatus::Current),
        Some(Fetched::Failed(why)) => (None, PaneStatus::Failed(why)),
        Some(Fetched::Pending) | None => (shown_before(state, key), PaneStatus::Loading),
    };
    match shown.and_then(|shown| Some((shown, state.ready_check(shown)?))) {
        None => empty(step, status),
        Some((_, findings)) if findings.0.is_empty() => {
            empty(step, PaneStatus::Nothing(NO_COMPONENTS))
        }
        Some((shown, findings)) => QueryAnswers {
            step: shown.step,
            findings: Some(findings),
            components: components(state, findings),
            status,
        },
    }
}

fn empty(step: u32, status: PaneStatus<'_>) -> QueryAnswers<'_> {
    QueryAnswers { step, findings: None, components: Vec::new(), status }
}

/// What was shown last, if it is of the same run.
fn shown_before(state: &State, wanted: CheckKey) -> Option<CheckKey> {
    state.derived.checks.shown(ShownIn::Main).copied().filter(|shown| shown.run == wanted.run)
}

fn components<'a>(state: &State, findings: &'a Findings) -> Vec<ComponentAnswers<'a>> {
    let panel = &state.query;
    let mut components: Vec<ComponentAnswers<'a>> = Vec::new();
    for (at, finding) in FindingRef::of_all(findings) {
        // The answers about a component follow each other.
        if components.last().is_none_or(|last| last.name != finding.component) {
            let name = finding.component.as_str();
            components.push(ComponentAnswers { name, yes: 0, answered: 0, rows: Vec::new() });
        }
        let Some(component) = components.last_mut() else { continue };
        // Counted whether the answer passes the filter or not: the heading speaks of all of them.
        component.yes += usize::from(finding.verdict == Verdict::Yes);
        component.answered += usize::from(finding.verdict != Verdict::CantSay);
        if panel.only.is_none_or(|only| only == finding.verdict) {
            let is_selected = panel.selected.as_ref() == Some(&at);
            component.rows.push(AnswerRow { at, finding, is_selected });
        }
    }
    components.retain(|component| !component.rows.is_empty());
    components
}
