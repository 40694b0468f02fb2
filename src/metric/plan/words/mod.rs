//! Inconsistencies that can be read in a plan's words, by rules of our own: `inconsistency/words`.
//!
//! | rule | a step is inconsistent if |
//! |---|---|
//! | place | its words name another part of the page than its position is in |
//! | colour | its words, or the components, name another colour than it sets |
//! | size | its words, or the components, name another size of type; a text called small is larger than one called large |
//! | wording | its words quote, or the components ask for, another text than it writes |
//! | component place | the components ask for another part of the page |
//! | one place | it puts a text where another text is, or a thing where another thing is |
//! | kind | its action is for another kind of layer than it names |
//! | action | its words can only mean another kind of action |
//!
//! A rule says something only where words and numbers name one thing each; for everything else it says nothing, so
//! what is found is a part of what there is. The papers' own judgement (GraphicWeaver, section 6.2) is not public.
//! [`heuristic`] is all that is fitted.

mod check;
mod heuristic;
mod layers;
mod reading;

use crate::metric::constraint::Query;

use super::errors::{self, PlanError, inconsistency, with_inconsistencies};
use super::reader::StageItem;
use super::{PlanRow, Stage};
use check::Checker;

/// A step that clashes with its words, the components or another step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// At which item of the workflow, from 1.
    pub step: usize,
    /// By which rule.
    pub rule: ClashRule,
    /// The words that clash, or what was there before.
    pub said: String,
    /// What the step sets.
    pub set: String,
}

/// By which rule a step is inconsistent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClashRule {
    /// Its own words name another part of the page.
    Place,
    /// The components do.
    ComponentPlace,
    /// Its own words or the components name another colour.
    Color,
    /// Its own words, the components or another text name another size.
    Size,
    /// Its own words or the components have another text.
    Wording,
    /// Another layer is in the same place.
    OnePlace,
    /// The action is for another kind of layer.
    Kind,
    /// The words can only mean another kind of action.
    Action,
}

impl ClashRule {
    /// All of them, in the order in which they are tried.
    pub const ALL: [Self; 8] = [
        Self::Kind,
        Self::Action,
        Self::Place,
        Self::Color,
        Self::Size,
        Self::Wording,
        Self::ComponentPlace,
        Self::OnePlace,
    ];

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Place => "place",
            Self::ComponentPlace => "component place",
            Self::Color => "colour",
            Self::Size => "size",
            Self::Wording => "wording",
            Self::OnePlace => "one place",
            Self::Kind => "kind of layer",
            Self::Action => "kind of action",
        }
    }
}

impl std::fmt::Display for Clash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}, but {}", self.rule.name(), self.said, self.set)
    }
}

/// The clashes of the final workflow of a plan, with its design components; a step has one at most.
pub fn of_row(row: &PlanRow) -> Vec<Clash> {
    // What is odd about components is no matter here: what can be used of them is.
    let (query, _odd) = Query::read("", &row.design, &row.images);
    of_workflow(&row.final_workflow, &query)
}

/// What is wrong with the final workflow of a plan, the clashes of its words among it: the errors of
/// [`errors::of_row`], and of each step that has none its clash as an inconsistency.
pub fn errors_of_row(row: &PlanRow) -> Vec<PlanError> {
    let clashes = of_row(row).into_iter();
    let clashes = clashes.map(|clash| inconsistency(clash.step, &clash.to_string()));
    with_inconsistencies(errors::of_row(row), clashes)
}

/// The clashes of a workflow with what was asked for.
pub fn of_workflow(workflow: &Stage, query: &Query) -> Vec<Clash> {
    let mut checker = Checker::new(query);
    let items = workflow.items.iter().zip(1..);
    let clashes = items.filter_map(|(item, number)| match item {
        StageItem::Step(step) => checker.check(number, step),
        StageItem::Unreadable(_) => None,
    });
    clashes.collect()
}
