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
mod clash;
mod heuristic;
mod layers;
mod reading;

use crate::metric::constraint::Query;

use super::errors::{self, PlanError, inconsistency, with_inconsistencies};
use super::reader::StageItem;
use super::{PlanRow, Stage};
use check::Checker;

pub use clash::{Clash, ClashRule};

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
