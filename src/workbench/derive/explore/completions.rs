//! How a filter that is being typed may go on, with how many runs each way would leave.

use crate::workbench::derive::views::{
    FieldNames, Filter, FilterAnswer, FilterItem, KnownNames, MOST_WAYS, Typed, WaySet, suggested,
    typed, ways_of_items,
};
use crate::workbench::model::{ExploreCompletion, ExploreTable, RunId, State, TableSources};

const _: () = assert!(MOST_WAYS <= WaySet::BITS as usize, "a bit for each way");

/// What becomes of the ways to go on while runs are brought up to date.
pub(super) enum Ways<'a> {
    /// Others are found: the filter or what the table is made of is another.
    Found(Completing<'a>),
    /// Those that are known are counted on, where a run has changed.
    Counted(Recount),
    /// Nothing: no run has changed.
    Kept,
    /// There are none.
    None,
}

impl<'a> Ways<'a> {
    /// What has to be done; `anew` where others are to be found.
    pub(super) fn of(
        state: &'a State,
        table: &ExploreTable,
        made_of: &TableSources,
        filter: &Filter,
        anew: bool,
    ) -> Self {
        let before = &table.made_of;
        if !anew && (before.runs, before.said) == (made_of.runs, made_of.said) {
            return Self::Kept;
        }
        let typed = typed(&state.explore.view.filter);
        // What stands before is held to be meant: a term that fits none of what it leaves is no help.
        let Ok(before) = state.read_filter(typed.before) else { return Self::None };
        let mut names = FieldNames::of_term(typed.term);
        // What is in a field may be more by now.
        let is_more = table.are_names_open || table.named_of != state.library.runs.len();
        if !anew && (names.is_none() || !is_more) {
            let known = table.completions.iter();
            let ways = known.map(|way| state.read_filter(&way.term).ok()).collect();
            return Self::Counted(Recount { before, ways, changes: [0; WaySet::BITS as usize] });
        }
        if let (Some(names), Some(asked)) = (&mut names, filter.names_after(&before)) {
            names.ask(asked);
        }
        let ways = if names.is_none() { suggest(typed, state, table, None) } else { Vec::new() };
        let (left, passing) = (Vec::new(), Vec::new());
        Self::Found(Completing { typed, before, names, ways, left, passing })
    }

    /// Whether every run has to be looked at for it.
    pub(super) fn wants_all(&self) -> bool {
        matches!(self, Self::Found(_))
    }

    /// Takes a run in that is asked whether it passes; gives the answer where that is found on the way.
    pub(super) fn add(&mut self, run: RunId, item: &FilterItem<'a>) -> Option<FilterAnswer> {
        let Self::Found(completing) = self else { return None };
        let has_asked = completing.add(run, item)?;
        Some(if has_asked { FilterAnswer::Passes } else { FilterAnswer::Fails })
    }

    /// Counts a run on that is another than before, when it passed these ways; gives those that it passes now.
    pub(super) fn change(&mut self, before: WaySet, now: Option<&FilterItem<'a>>) -> WaySet {
        match self {
            Self::Counted(recount) => recount.change(before, now),
            // It is known of all at the end.
            Self::Found(_) | Self::Kept | Self::None => 0,
        }
    }

    /// Puts what was found into the table.
    pub(super) fn finish(self, state: &State, table: &mut ExploreTable) {
        match self {
            Self::Found(completing) => completing.finish(state, table),
            Self::Counted(recount) => recount.finish(table),
            Self::Kept => {}
            Self::None => table.completions.clear(),
        }
    }
}

/// What is gathered while every run is asked whether it passes: what is known of thousands of runs lies far apart in
/// memory, and to look at it twice for a letter would take as long again.
pub(super) struct Completing<'a> {
    typed: Typed<'a>,
    before: Filter,
    names: Option<FieldNames<'a>>,
    /// Known beforehand, unless they depend on what runs have.
    ways: Vec<Way>,
    left: Vec<(RunId, FilterItem<'a>)>,
    /// Of each that is left which of those ways it passes.
    passing: Vec<WaySet>,
}

/// A term, and the filter that it is, if it is one already.
type Way = (String, Option<Filter>);

impl<'a> Completing<'a> {
    /// Gives whether it passes the whole filter, where that is known from its names.
    fn add(&mut self, run: RunId, item: &FilterItem<'a>) -> Option<bool> {
        if !self.before.matches(item) {
            return None;
        }
        self.left.push((run, *item));
        let Some(names) = &mut self.names else {
            self.passing.push(ways_passed(self.ways.iter().map(|way| &way.1), item));
            return None;
        };
        names.add(item)
    }

    fn finish(mut self, state: &State, table: &mut ExploreTable) {
        table.are_names_open = self.names.as_ref().is_some_and(FieldNames::are_open);
        table.named_of = state.library.runs.len();
        if let Some(names) = &self.names {
            self.ways = suggest(self.typed, state, table, Some(names));
            let filters: Vec<Option<&Filter>> =
                self.ways.iter().map(|(_, filter)| filter.as_ref()).collect();
            self.passing = ways_of_items(&filters, self.left.iter().map(|left| &left.1), names);
        }
        for run in table.runs.values_mut() {
            run.ways = 0;
        }
        let mut counts = [0; WaySet::BITS as usize];
        for ((run, _), passing) in self.left.iter().zip(self.passing) {
            if let Some(run) = table.runs.get_mut(*run) {
                run.ways = passing;
            }
            for (way, count) in counts.iter_mut().enumerate() {
                *count += usize::from(passing >> way & 1);
            }
        }
        let before = self.typed.before;
        let ways = self.ways.into_iter().zip(counts);
        let ways = ways.map(|((term, is_filter), count)| {
            let (filter, runs) = (format!("{before}{term}"), is_filter.map(|_| count));
            ExploreCompletion { term, filter, runs }
        });
        table.completions = ways.collect();
    }
}

/// The ways that are shown, while runs change.
pub(super) struct Recount {
    before: Filter,
    ways: Vec<Option<Filter>>,
    /// By how many each leaves more than before.
    changes: [isize; WaySet::BITS as usize],
}

impl Recount {
    fn change(&mut self, before: WaySet, now: Option<&FilterItem<'_>>) -> WaySet {
        let now = now.filter(|item| self.before.matches(item));
        let now = now.map_or(0, |item| ways_passed(self.ways.iter(), item));
        for (way, change) in self.changes.iter_mut().enumerate() {
            *change += isize::from(now >> way & 1 == 1) - isize::from(before >> way & 1 == 1);
        }
        now
    }

    fn finish(self, table: &mut ExploreTable) {
        for (way, change) in table.completions.iter_mut().zip(self.changes) {
            way.runs = way.runs.map(|runs| runs.saturating_add_signed(change));
        }
    }
}

fn ways_passed<'f>(
    ways: impl Iterator<Item = &'f Option<Filter>>,
    item: &FilterItem<'_>,
) -> WaySet {
    let passes = |filter: &Option<Filter>| filter.as_ref().is_some_and(|it| it.matches(item));
    ways.enumerate().fold(0, |set, (way, filter)| set | WaySet::from(passes(filter)) << way)
}

fn suggest(
    typed: Typed<'_>,
    state: &State,
    table: &ExploreTable,
    names: Option<&FieldNames<'_>>,
) -> Vec<Way> {
    let imported: Vec<String> = table.imported().map(str::to_owned).collect();
    let known = KnownNames { variants: &state.variants, imported: &imported };
    let terms = suggested(typed.term, known, names).into_iter();
    let ways = terms.map(|term| {
        let filter = state.read_filter(&term).ok();
        (term, filter)
    });
    ways.collect()
}
