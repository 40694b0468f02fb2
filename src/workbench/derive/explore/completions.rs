//! How a filter that is being typed may go on, with how many runs each way would leave.

use crate::workbench::derive::views::{
    FieldNames, Filter, FilterItem, KnownNames, Typed, count_passing, suggested, typed,
};
use crate::workbench::model::{ExploreCompletion, ExploreTable, State};

/// What is gathered for it while every run is asked whether it passes: what is known of thousands of runs lies far apart
/// in memory, and to look at it twice for a letter would take as long again.
pub(super) struct Completing<'a> {
    typed: Typed<'a>,
    before: Filter,
    names: Option<FieldNames<'a>>,
    left: Vec<FilterItem<'a>>,
}

impl<'a> Completing<'a> {
    /// Of no run yet; `None` where nothing can be said to what was typed.
    pub(super) fn of(state: &'a State) -> Option<Self> {
        let typed = typed(&state.explore.view.filter);
        // What stands before is held to be meant: a term that fits none of what it leaves is no help.
        let before = state.read_filter(typed.before).ok()?;
        let names = FieldNames::of_term(typed.term);
        Some(Self { typed, before, names, left: Vec::new() })
    }

    /// Adds a run, if what stands before leaves it.
    pub(super) fn add(&mut self, item: &FilterItem<'a>) {
        if !self.before.matches(item) {
            return;
        }
        if let Some(names) = &mut self.names {
            names.add(item);
        }
        self.left.push(*item);
    }

    /// How the filter may go on, once every run was added.
    pub(super) fn ways(self, state: &State, table: &ExploreTable) -> Vec<ExploreCompletion> {
        let Self { typed, names, left, .. } = self;
        let imported: Vec<String> = table.imported().map(str::to_owned).collect();
        let known = KnownNames { variants: &state.variants, imported: &imported };
        let terms = suggested(typed.term, known, names.as_ref());
        let added: Vec<Option<Filter>> =
            terms.iter().map(|term| state.read_filter(term).ok()).collect();
        let counts = count_passing(&added, &left, names.as_ref());
        let ways = terms.into_iter().zip(counts).map(|(term, runs)| {
            let filter = format!("{}{term}", typed.before);
            ExploreCompletion { term, filter, runs }
        });
        ways.collect()
    }
}
