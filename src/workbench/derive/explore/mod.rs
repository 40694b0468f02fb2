//! The table over all runs, made of the library and of what somebody chose.
//!
//! [`State::refresh_explore`] is called whenever the state may have changed, and makes anew what follows from what did:
//! cells and the filter's answer of runs whose stamp is another, order and groups, plots. Begin there. [`cells`] says
//! what stands in a cell, [`completions`] how the filter may go on, [`order`] sorts, groups and averages, [`pair`] holds two groups of runs against each other,
//! [`export`] writes the table as text, [`command`] says what makes it again without a window, [`figures`] gathers what
//! the papers' figures are made of, [`plots`] makes figures for files of the plots, [`study`] is of studies, and
//! [`inspected`] makes tables of what the inspector shows.

mod cells;
mod command;
mod completions;
mod export;
mod figures;
mod inspected;
mod order;
mod pair;
mod plots;
mod study;

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use crate::evaluate::{PrimaryMetric, VariantId, has_come_to_end};
use crate::run::TaskRef;
use crate::study::{SCRIPTED_PARTICIPANT_KIND, study_dir_of};
use crate::workbench::derive::views::{Filter, FilterAnswer, FilterItem, shows_scripts};
use crate::workbench::model::{
    Cell, Column, ExplorePanel, ExploreTable, FilterProblem, LibraryRun, RunCells, RunId, RunState,
    State, TableSources, TaskContentsKey, TaskPlace,
};

use cells::RunFacts;
use completions::Ways;
pub(in crate::workbench) use pair::namesakes;

impl State {
    /// Makes the table anew where something changed that it follows from; cheap where nothing did. Which runs it has, in
    /// which order, is known at once. What is found of them all follows later where somebody settles it
    /// ([`Explore::settles_later`](crate::workbench::model::Explore)), unless it is to be `settled`: a frame that takes a
    /// letter in has enough to do.
    pub(in crate::workbench) fn refresh_explore(&mut self, is_settled: bool) {
        if !self.shows_explore() {
            // Runs that come meanwhile are measured by nothing that it shows: they are asked for once it is seen again.
            self.in_flight.explored_by.clear();
            return;
        }
        let made_of = self.explore_made_of();
        let mut table = std::mem::take(&mut self.explore.table);
        // Cells follow from columns and task sets, whether a run passes from the filter, all else from both: each is
        // made anew only where what it follows from changed.
        let is_new = table.made_of.columns != made_of.columns || table.made_of.sets != made_of.sets;
        if is_new {
            table.runs.clear();
            // Their names come again with the runs that have them.
            table.are_numbers.clear();
            table.are_imported.clear();
            table.columns = self.explore.view.needed();
        }
        let (filter, problem) = match self.read_filter(&self.explore.view.filter) {
            Ok(filter) => (filter, None),
            Err(error) => {
                let (message, span) = (error.message, error.span);
                // While a term is being typed all runs show, with what is wrong with it.
                (Filter::default(), Some(FilterProblem { message, span }))
            }
        };
        let is_filtered_anew = table.made_of.filter != made_of.filter;
        let mut ways = Ways::of(self, &table, &made_of, &filter, is_filtered_anew || is_new);
        let changed = self.refresh_runs(&mut table, &filter, &made_of, &mut ways);
        if ways.are_stale() {
            ways = Ways::of(self, &table, &made_of, &filter, true);
            for (id, run) in &self.library.runs {
                let place = table.runs.get(*id).and_then(|known| known.task);
                ways.add(*id, &self.filter_item(run, place));
            }
        }
        ways.finish(self, &mut table);
        if changed || is_new || is_filtered_anew || table.made_of.order != made_of.order {
            table.awaited = table.runs.values().filter(|run| run.is_awaited).count();
            order::arrange(&mut table, &self.explore.view);
            table.is_behind = true;
        }
        if table.is_behind && (is_settled || !self.explore.settles_later) {
            let (color_by, pair_by) = (&self.explore.view.color_by, &self.explore.view.pair_by);
            table.series = pair::groups(&table, color_by);
            table.sides = if pair_by == color_by {
                table.series.clone()
            } else {
                pair::groups(&table, pair_by)
            };
            table.relation = pair::relation(&table, &self.explore.view);
            table.pair = pair::pair(&table, self);
            table.studies = study::studies(&table, &self.library);
            table.study = study::study(&table, self);
            table.is_behind = false;
            table.made += 1;
        }
        table.problem = problem;
        table.made_of = made_of;
        let is_for_figures = table.figures.is_some_and(|(made, _)| made == table.made);
        if self.explore.view.panel == ExplorePanel::Figures && !is_for_figures {
            table.figures = Some((table.made, self.shown_figures_revision(&table)));
        }
        self.explore.table = table;
        let runs = &self.library.runs;
        self.explore.selected.retain(|run| runs.contains_key(run));
        self.explore.cursor = self.explore.cursor.filter(|run| runs.contains_key(run));
        if is_new || is_filtered_anew || self.in_flight.explored_by.is_empty() {
            self.ask_for_explored_scores(is_new);
        }
    }

    fn explore_made_of(&self) -> TableSources {
        let view = &self.explore.view;
        TableSources {
            // Each by what it follows from, and by no more: a stamp that changes for nothing is a pass over all runs.
            columns: hashed(|hasher| {
                view.needed().hash(hasher);
                for variant in self.variants.iter() {
                    variant.id.hash(hasher);
                }
            }),
            filter: hashed(|hasher| {
                (1_u8, &view.filter, self.annotate.hides_labels()).hash(hasher);
            }),
            order: hashed(|hasher| {
                for key in &view.sort {
                    (&key.column, key.is_descending).hash(hasher);
                }
                (&view.group, &view.folded, &view.axes, &view.metric).hash(hasher);
                view.color_by.hash(hasher);
                (&view.pair, &view.pair_by, &view.study, &view.study_agents).hash(hasher);
                for entry in pair::namesakes(&self.library) {
                    let key = TaskContentsKey::of(&entry.set);
                    self.derived.task_contents.ready(&key).is_some().hash(hasher);
                }
            }),
            sets: hashed(|hasher| {
                for entry in &self.library.sets {
                    // A set that is read again is another one; comparing its tasks would cost what is to be saved.
                    (&entry.set.id, Arc::as_ptr(&entry.set).addr()).hash(hasher);
                }
            }),
            said: hashed(|hasher| {
                self.notes.hash_marks(hasher);
                self.annotate.by_run.hash_counts(hasher);
                self.annotate.hides_labels().hash(hasher);
            }),
            runs: self.library.runs.revision(),
        }
    }

    /// Brings every run up to date, and with them the ways to go on with the filter; gives whether something of one
    /// changed.
    fn refresh_runs<'a>(
        &'a self,
        table: &mut ExploreTable,
        filter: &Filter,
        made_of: &TableSources,
        ways: &mut Ways<'a>,
    ) -> bool {
        let (runs, before) = (&self.library.runs, table.made_of.clone());
        let all_pass_anew = before.filter != made_of.filter;
        let is_said_anew = before.said != made_of.said;
        let is_emptied = table.runs.is_empty() && !runs.is_empty();
        let all_are_seen = all_pass_anew || ways.wants_all();
        if before.runs == made_of.runs && !(all_are_seen || is_said_anew || is_emptied) {
            return false;
        }
        let known = table.runs.len();
        if runs.may_lack_since(before.runs) {
            for (_, gone) in table.runs.iter().filter(|(id, _)| !runs.contains_key(id)) {
                ways.change(gone.ways, None);
            }
            table.runs.retain(|id| runs.contains_key(&id));
        }
        let mut changed = table.runs.len() != known;
        if changed {
            // Those of the runs that are gone may be of no other.
            table.are_numbers = pair::settings(runs.values(), BTreeMap::new());
            let imported = pair::imported(runs.values(), BTreeMap::new());
            if !imported.keys().eq(table.are_imported.keys()) {
                ways.heed_imported();
            }
            table.are_imported = imported;
        }
        let tasks = LazyCell::new(|| TaskPlaces::of(self));
        let hides_labels = self.annotate.hides_labels();
        let shows_scripts = shows_scripts(&self.explore.view.filter);
        let mut added = Vec::new();
        for (id, run) in runs {
            let may_differ = is_said_anew || runs.may_differ_since(*id, before.runs);
            let place = match table.runs.get(*id) {
                Some(_) if !may_differ && !all_are_seen => continue,
                Some(known) if !may_differ => known.task,
                _ => tasks.of_run(run),
            };
            let item = self.filter_item(run, place);
            let answer = ways.add(*id, &item);
            let FilterItem { task, notes, labels, .. } = item;
            let facts = RunFacts { run, task, notes, labels, hides_labels };
            let stamp = match table.runs.get(*id) {
                Some(known) if !may_differ => known.stamp,
                _ => facts.stamp(),
            };
            let before = table.runs.get(*id).map_or(0, |known| known.ways);
            let known = table.runs.get_mut(*id).filter(|known| known.stamp == stamp);
            if known.is_some() && !all_pass_anew {
                continue;
            }
            let answer = answer.unwrap_or_else(|| filter.answer(&item));
            let is_scripted = match &known {
                Some(known) => known.is_scripted,
                None => run.manifest.agent.kind == SCRIPTED_PARTICIPANT_KIND,
            };
            let is_shown = shows_scripts || !is_scripted;
            let passes = is_shown && answer == FilterAnswer::Passes;
            let is_awaited = is_shown && answer == FilterAnswer::Awaited;
            // What it is made of is the same, and only the filter is new: its cells stay.
            if let Some(known) = known {
                (known.passes, known.is_awaited) = (passes, is_awaited);
            } else {
                let cells = table.columns.iter().map(|column| facts.cell(column)).collect();
                let made = RunCells {
                    cells,
                    passes,
                    is_awaited,
                    ways: ways.change(before, Some((&item, is_scripted))),
                    task: place,
                    is_of_study: study_dir_of(&run.dir).is_some(),
                    is_scripted,
                    has_result: !matches!(run.state, RunState::Live | RunState::Interrupted)
                        && has_come_to_end(&run.manifest),
                    stamp,
                };
                if table.runs.insert(*id, made).is_none() {
                    added.push(run);
                }
                changed = true;
            }
        }
        // What a run was made with does not change.
        if !added.is_empty() {
            let known = std::mem::take(&mut table.are_numbers);
            table.are_numbers = pair::settings(added.iter().copied(), known);
            let known = std::mem::take(&mut table.are_imported);
            let known_names = known.len();
            table.are_imported = pair::imported(added.into_iter(), known);
            if table.are_imported.len() > known_names {
                ways.heed_imported();
            }
        }
        changed
    }

    /// A run as a filter is asked about it.
    fn filter_item<'a>(&'a self, run: &'a LibraryRun, place: Option<TaskPlace>) -> FilterItem<'a> {
        let set = place.and_then(|place| self.library.sets.get(place.set)).map(|entry| &*entry.set);
        let task = place.zip(set).and_then(|(place, set)| set.tasks.get(place.task?));
        FilterItem {
            set,
            task: task.map(|task| &**task),
            task_ref: &run.task,
            run: Some(run),
            notes: self.notes.of(run),
            labels: self.annotate.said_of(&run.dir),
        }
    }

    /// The runs that have no score yet by variants which the table shows or filters by, with those; without the runs
    /// that are still being made or cannot be scored. For whoever makes the table without a window.
    pub fn explored_scores_due(&self) -> Vec<(RunId, Vec<VariantId>)> {
        let variants = self.explored_variants();
        let due = self.library.runs.iter().filter_map(|(id, run)| {
            // A live run would be scored anew with each step that it makes.
            let is_over = !matches!(run.state, RunState::Live | RunState::Unreadable(_));
            let task = self.library.task(&run.task);
            let is_comparable =
                task.is_some_and(|task| task.ground_truth.is_some() || task.brief.is_some());
            let lacking = variants.iter().filter(|variant| needs_score_by(run, variant));
            let lacking: Vec<VariantId> = lacking.cloned().collect();
            (is_over && is_comparable && !lacking.is_empty()).then_some((*id, lacking))
        });
        due.collect()
    }

    /// The variants that the table shows or filters by, beside the one that stands for a run.
    pub(in crate::workbench) fn explored_variants(&self) -> Vec<VariantId> {
        if !self.shows_explore() {
            return Vec::new();
        }
        // A filter half typed asks for nothing: the columns are still to be filled.
        let filter = Filter::parse(&self.explore.view.filter, &self.variants).unwrap_or_default();
        let of_columns = self.explore.view.needed().into_iter().filter_map(|column| match column {
            Column::Score(variant) => Some(variant),
            _ => None,
        });
        let mut variants: BTreeSet<VariantId> = of_columns.collect();
        variants.extend(filter.variants().cloned());
        variants.into_iter().filter(|variant| self.variants.get(variant).is_some()).collect()
    }

    /// Queues the runs that have no score by one of those, where others are asked about than before or `anew`.
    fn ask_for_explored_scores(&mut self, anew: bool) {
        let variants: BTreeSet<VariantId> = self.explored_variants().into_iter().collect();
        if variants == self.in_flight.explored_by && !anew {
            return;
        }
        let due = self
            .library
            .runs
            .iter()
            .filter(|(_, run)| variants.iter().any(|variant| needs_score_by(run, variant)));
        let due: Vec<RunId> = due.map(|(id, _)| *id).collect();
        self.in_flight.finals_due.extend(due);
        self.in_flight.explored_by = variants;
    }
}

/// Whether a run may have a score by a variant and it is not known. The score that stands for runs of one
/// environment is none of those of another.
pub(in crate::workbench) fn needs_score_by(run: &LibraryRun, variant: &str) -> bool {
    let primary = [PrimaryMetric::Similarity, PrimaryMetric::Constraints];
    let own = PrimaryMetric::of_run(&run.manifest).variant();
    let is_of_others = primary.iter().any(|it| it.variant() == variant && variant != own);
    !is_of_others && run.last_score_by(variant).is_none()
}

pub(in crate::workbench::derive) fn hashed(hash: impl FnOnce(&mut DefaultHasher)) -> u64 {
    let mut hasher = DefaultHasher::new();
    hash(&mut hasher);
    hasher.finish()
}

/// Where every open task is, by what refers to it: a table asks for thousands.
struct TaskPlaces<'a>(HashMap<&'a str, (usize, HashMap<&'a str, usize>)>);

impl<'a> TaskPlaces<'a> {
    fn of(state: &'a State) -> Self {
        let sets = state.library.sets.iter().enumerate().map(|(place, entry)| {
            let tasks = entry.set.tasks.iter().enumerate();
            let tasks = tasks.map(|(place, task)| (task.id.as_str(), place)).collect();
            (entry.set.id.as_str(), (place, tasks))
        });
        Self(sets.collect())
    }

    /// The place of a run's task.
    fn of_run(&self, run: &LibraryRun) -> Option<TaskPlace> {
        let TaskRef { set, id } = &run.task;
        let (set, tasks) = self.0.get(set.as_str())?;
        Some(TaskPlace { set: *set, task: tasks.get(id.as_str()).copied() })
    }
}

impl State {
    /// The words of a cell, as a table of text has them.
    pub fn explore_cell_words(&self, run: RunId, column: &Column) -> String {
        match self.explore.table.cell(run, column) {
            Some(Cell::Number(number)) => export::number_words(*number),
            Some(Cell::Text(text) | Cell::Written(text, _)) => text.to_string(),
            Some(Cell::Flag(flag)) => (if *flag { "yes" } else { "no" }).to_owned(),
            Some(Cell::Missing(_)) | None => String::new(),
        }
    }
}
