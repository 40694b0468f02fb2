//! How a filter that is being typed may go on, with how many runs each way would leave.

use crate::workbench::derive::views::{
    FieldNames, Filter, FilterAnswer, FilterItem, KnownNames, MOST_WAYS, Typed, Way, WaySet,
    shows_scripts, suggested, typed, ways_of_items,
};
use crate::workbench::model::{ExploreCompletion, ExploreTable, RunId, State, TableSources};

/// Beside the bits of ways: what stands before the term in its alternative lets the run through.
const LEFT: WaySet = 1 << 15;
/// What it has in the field that the term names is known.
const KNOWN: WaySet = 1 << 14;

const _: () = assert!(MOST_WAYS <= 14, "a bit for each way, beside the two above");

/// What becomes of the ways to go on while runs are brought up to date.
pub(super) enum Ways<'a> {
    /// Others are found: the filter or what the table is made of is another.
    Found(Completing<'a>),
    /// Those that are known are counted on, where a run has changed.
    Counted(Recount<'a>),
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
        let Some(typed) = typed(&state.explore.view.filter) else { return Self::None };
        // What stands before is held to be meant: a term that fits none of what it leaves is no help.
        let earlier = typed.earlier.map(|text| state.read_filter(text)).transpose();
        let (Ok(earlier), Ok(before)) = (earlier, state.read_filter(typed.before)) else {
            return Self::None;
        };
        let mut names = FieldNames::of_term(typed.term, before.step_tests());
        // That no step is so is less than that one is otherwise, which a term about a step makes of it.
        let left_by = before.plain_part().filter(|_| typed.term.starts_with("step:"));
        let before = Before { typed, earlier, left_by, filter: before };
        if !anew {
            let ways = table.completions.iter();
            let ways = ways.map(|way| before.way(state, way.term.clone())).collect();
            return Self::Counted(Recount::new(before, names, ways));
        }
        if let Some(names) = &mut names
            && let Some(asked) = filter.names_after(&before.filter, names.are_of_steps())
        {
            names.ask(asked);
        }
        let ways = match names {
            None => before.suggest(state, table, None),
            Some(_) => Vec::new(),
        };
        let (left, passing, is_stale) = (Vec::new(), Vec::new(), false);
        Self::Found(Completing { before, names, ways, early: Vec::new(), left, passing, is_stale })
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
    pub(super) fn change(
        &mut self,
        before: WaySet,
        now: Option<(&FilterItem<'_>, bool)>,
    ) -> WaySet {
        match self {
            Self::Counted(recount) => recount.change(before, now),
            // It is known of all at the end.
            Self::Found(_) | Self::Kept | Self::None => 0,
        }
    }

    /// Heeds that what others scored has other names than before.
    pub(super) fn heed_imported(&mut self) {
        match self {
            Self::Found(completing) => completing.is_stale |= completing.names.is_none(),
            Self::Counted(recount) => recount.is_stale |= recount.names.is_none(),
            Self::Kept | Self::None => {}
        }
    }

    /// Whether there may be other ways than those, so that they have to be found anew.
    pub(super) fn are_stale(&self) -> bool {
        match self {
            Self::Found(completing) => completing.is_stale,
            Self::Counted(recount) => recount.is_stale,
            Self::Kept | Self::None => false,
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

/// What stands before the term that is being typed.
struct Before<'a> {
    typed: Typed<'a>,
    /// The alternatives before its own, if there are any.
    earlier: Option<Filter>,
    /// Of its own alternative.
    filter: Filter,
    /// What has to let a run through so that the term can, if that is another.
    left_by: Option<Filter>,
}

impl Before<'_> {
    fn lets_through_early(&self, item: &FilterItem<'_>) -> bool {
        self.earlier.as_ref().is_some_and(|earlier| earlier.matches(item))
    }

    fn leaves(&self, item: &FilterItem<'_>) -> bool {
        self.left_by.as_ref().unwrap_or(&self.filter).matches(item)
    }

    fn suggest(
        &self,
        state: &State,
        table: &ExploreTable,
        names: Option<&FieldNames<'_>>,
    ) -> Vec<Way> {
        let imported: Vec<String> = table.imported().map(str::to_owned).collect();
        let known = KnownNames { variants: &state.variants, imported: &imported };
        let terms = suggested(self.typed.term, known, names).into_iter();
        terms.map(|term| self.way(state, term)).collect()
    }

    fn way(&self, state: &State, text: String) -> Way {
        let term = state.read_filter(&text).ok();
        let is_of_step = term.as_ref().is_some_and(|term| term.step_tests().next().is_some());
        // Terms about a step are of one and the same.
        let is_joined = is_of_step && self.filter.step_tests().next().is_some();
        let joined = is_joined
            .then(|| state.read_filter(&format!("{}{text}", self.typed.before)).ok())
            .flatten();
        Way { text, term, joined }
    }

    /// The ways that are filters already, and of these the ones that let scripts through.
    fn sets(&self, ways: &[Way]) -> (WaySet, WaySet) {
        let shows_all = shows_scripts(self.typed.head);
        let sets = ways.iter().enumerate().filter(|(_, way)| way.term.is_some());
        sets.fold((0, 0), |(all, scripts), (at, way)| {
            let shows = shows_all || shows_scripts(&way.text);
            (all | 1 << at, scripts | WaySet::from(shows) << at)
        })
    }
}

/// What is gathered while every run is asked whether it passes: what is known of thousands of runs lies far apart in
/// memory, and to look at it twice for a letter would take as long again.
pub(super) struct Completing<'a> {
    before: Before<'a>,
    names: Option<FieldNames<'a>>,
    /// Known beforehand, unless they depend on what runs have.
    ways: Vec<Way>,
    /// The runs that an earlier alternative lets through, whatever follows.
    early: Vec<RunId>,
    /// Those that what stands before in its own lets through.
    left: Vec<(RunId, FilterItem<'a>)>,
    /// Of each of these which of those ways it passes.
    passing: Vec<WaySet>,
    is_stale: bool,
}

impl<'a> Completing<'a> {
    /// Gives whether it passes the whole filter, where that is known from its names.
    fn add(&mut self, run: RunId, item: &FilterItem<'a>) -> Option<bool> {
        if self.before.lets_through_early(item) {
            self.early.push(run);
        }
        if !self.before.leaves(item) {
            return None;
        }
        self.left.push((run, *item));
        let Some(names) = &mut self.names else {
            self.passing.push(ways_passed(&self.ways, item) | KNOWN);
            return None;
        };
        names.add(item)
    }

    fn finish(mut self, state: &State, table: &mut ExploreTable) {
        if let Some(names) = &self.names {
            self.ways = self.before.suggest(state, table, Some(names));
            self.passing = ways_of_items(&self.ways, self.left.iter().map(|left| &left.1), names);
            for (passing, (_, item)) in self.passing.iter_mut().zip(&self.left) {
                *passing |= if names.is_known(item) { KNOWN } else { 0 };
            }
        }
        for run in table.runs.values_mut() {
            run.ways = 0;
        }
        for ((run, _), passing) in self.left.iter().zip(&self.passing) {
            if let Some(run) = table.runs.get_mut(*run) {
                run.ways = passing | LEFT;
            }
        }
        let (all, scripts) = self.before.sets(&self.ways);
        for run in self.early {
            if let Some(run) = table.runs.get_mut(run) {
                run.ways |= all;
            }
        }
        let mut counts = [0; MOST_WAYS];
        for run in table.runs.values_mut() {
            if run.is_scripted {
                run.ways &= scripts | LEFT | KNOWN;
            }
            for (way, count) in counts.iter_mut().enumerate() {
                *count += usize::from(run.ways >> way & 1);
            }
        }
        let head = self.before.typed.head;
        let ways = self.ways.into_iter().zip(counts);
        let ways = ways.map(|(Way { text: term, term: is_filter, .. }, count)| {
            let (filter, runs) = (format!("{head}{term}"), is_filter.map(|_| count));
            ExploreCompletion { term, filter, runs }
        });
        table.completions = ways.collect();
    }
}

/// The ways that are shown, while runs change.
pub(super) struct Recount<'a> {
    before: Before<'a>,
    names: Option<FieldNames<'a>>,
    ways: Vec<Way>,
    /// The ways that are filters already, and of these the ones that let scripts through.
    sets: (WaySet, WaySet),
    /// By how many each leaves more than before.
    changes: [isize; MOST_WAYS],
    is_stale: bool,
}

impl<'a> Recount<'a> {
    fn new(before: Before<'a>, names: Option<FieldNames<'a>>, ways: Vec<Way>) -> Self {
        let sets = before.sets(&ways);
        Self { before, names, ways, sets, changes: [0; MOST_WAYS], is_stale: false }
    }

    fn change(&mut self, before: WaySet, now: Option<(&FilterItem<'_>, bool)>) -> WaySet {
        let now = now.map_or(0, |(item, is_scripted)| self.ways_of(item, is_scripted));
        if let Some(names) = &self.names {
            // What is in the field is what those runs have that are left.
            let differs = (now ^ before) & (LEFT | KNOWN) != 0;
            self.is_stale |= differs || (names.may_grow() && now & LEFT != 0);
        }
        for (way, change) in self.changes.iter_mut().enumerate() {
            *change += isize::from(now >> way & 1 == 1) - isize::from(before >> way & 1 == 1);
        }
        now
    }

    fn ways_of(&self, item: &FilterItem<'_>, is_scripted: bool) -> WaySet {
        let mut ways = 0;
        if self.before.leaves(item) {
            let is_known = self.names.as_ref().is_none_or(|names| names.is_known(item));
            ways = ways_passed(&self.ways, item) | LEFT | if is_known { KNOWN } else { 0 };
        }
        let (all, scripts) = self.sets;
        if self.before.lets_through_early(item) {
            ways |= all;
        }
        if is_scripted { ways & (scripts | LEFT | KNOWN) } else { ways }
    }

    fn finish(self, table: &mut ExploreTable) {
        for (way, change) in table.completions.iter_mut().zip(self.changes) {
            way.runs = way.runs.map(|runs| runs.saturating_add_signed(change));
        }
    }
}

fn ways_passed(ways: &[Way], item: &FilterItem<'_>) -> WaySet {
    let passes = |way: &Way| way.filter().is_some_and(|filter| filter.matches(item));
    ways.iter().enumerate().fold(0, |set, (at, way)| set | WaySet::from(passes(way)) << at)
}
