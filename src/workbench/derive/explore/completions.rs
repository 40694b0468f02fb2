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
    /// Where ways do not depend on what runs have: each that is a filter, and how many it leaves so far.
    fixed: Vec<(String, Filter, usize)>,
    left: Vec<FilterItem<'a>>,
}

impl<'a> Completing<'a> {
    /// Of no run yet; `None` where nothing can be said to what was typed.
    pub(super) fn of(state: &'a State, table: &ExploreTable) -> Option<Self> {
        let typed = typed(&state.explore.view.filter);
        // What stands before is held to be meant: a term that fits none of what it leaves is no help.
        let before = state.read_filter(typed.before).ok()?;
        let names = FieldNames::of_term(typed.term);
        let mut fixed = Vec::new();
        if names.is_none() {
            let terms = terms(typed, state, table, None).into_iter();
            fixed.extend(terms.filter_map(|term| {
                let filter = state.read_filter(&term).ok()?;
                Some((term, filter, 0))
            }));
        }
        Some(Self { typed, before, names, fixed, left: Vec::new() })
    }

    /// Adds a run, if what stands before leaves it.
    pub(super) fn add(&mut self, item: &FilterItem<'a>) {
        if !self.before.matches(item) {
            return;
        }
        for (_, filter, count) in &mut self.fixed {
            *count += usize::from(filter.matches(item));
        }
        if let Some(names) = &mut self.names {
            names.add(item);
        }
        self.left.push(*item);
    }

    /// How the filter may go on, once every run was added.
    pub(super) fn ways(self, state: &State, table: &ExploreTable) -> Vec<ExploreCompletion> {
        let Self { typed, names, fixed, left, .. } = self;
        let terms = terms(typed, state, table, names.as_ref());
        let counted = |term: &str| fixed.iter().find(|(known, ..)| known == term).map(|it| it.2);
        let known: Vec<Option<usize>> = terms.iter().map(|term| counted(term)).collect();
        let asked = terms.iter().zip(&known);
        let asked: Vec<Option<Filter>> = asked
            .map(|(term, known)| known.is_none().then(|| state.read_filter(term).ok())?)
            .collect();
        let counts = count_passing(&asked, &left, names.as_ref());
        let ways = terms.into_iter().zip(known.into_iter().zip(counts));
        let ways = ways.map(|(term, (known, counted))| {
            let filter = format!("{}{term}", typed.before);
            ExploreCompletion { term, filter, runs: known.or(counted) }
        });
        ways.collect()
    }
}

fn terms(
    typed: Typed<'_>,
    state: &State,
    table: &ExploreTable,
    names: Option<&FieldNames<'_>>,
) -> Vec<String> {
    let imported: Vec<String> = table.imported().map(str::to_owned).collect();
    suggested(typed.term, KnownNames { variants: &state.variants, imported: &imported }, names)
}
