//! The room with the table over all runs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::base::Pixels;
use crate::evaluate::figures::to_svg;
use crate::evaluate::groups::{GroupSide, MatchedTask};
use crate::evaluate::typed_table::{TypedTable, provenance_json};
use crate::workbench::derive::views::quoted;
use crate::workbench::model::{
    Against, Column, ColumnKind, ExploreRow, ExportedTable, JobKind, MOST_FILTERS, MOST_SLOTS,
    NoticeLevel, PairCell, RunId, SavedFilter, Slot, SortKey, StageForm, StageView, State,
    TableFile, Workspace,
};
use crate::workbench::protocol::{ExploreCommand, Request, Selecting};

use super::save::start_saving;
use super::select::select_run;

/// By what the key groups, one after the other.
const GROUPS: [Column; 4] = [Column::Model, Column::Category, Column::Difficulty, Column::State];
/// Longest filter that is taken; what is pasted by mistake is longer.
const MOST_LETTERS: usize = 20_000;

pub(super) fn explore(state: &mut State, command: ExploreCommand) -> Vec<Request> {
    match command {
        ExploreCommand::SetFilter(filter) => set_filter(state, filter),
        ExploreCommand::FilterBack => {
            if let Some(before) = state.explore.history.pop() {
                state.explore.view.filter = before;
            }
        }
        ExploreCommand::SaveFilter(name) => save_filter(state, &name),
        ExploreCommand::ForgetFilter(name) => {
            state.explore.view.saved.retain(|saved| saved.name != name);
        }
        ExploreCommand::Sort { column, is_added } => sort(state, column, is_added),
        ExploreCommand::Group(column) => state.explore.view.group = column,
        ExploreCommand::NextGroup => {
            let group = &mut state.explore.view.group;
            let at = GROUPS.iter().position(|column| Some(column) == group.as_ref());
            // After the last there are no groups.
            *group = GROUPS.get(at.map_or(0, |at| at + 1)).cloned();
        }
        ExploreCommand::ToggleGroup(name) => {
            let folded = &mut state.explore.view.folded;
            if !folded.remove(&name) {
                folded.insert(name);
            }
        }
        ExploreCommand::ToggleColumn(column) => toggle_column(state, column),
        ExploreCommand::InSight(runs) => {
            // Runs in sight are scored first, wherever they are listed; those of the table get their small pictures,
            // too.
            state.in_flight.in_sight.clone_from(&runs);
            state.explore.in_sight = runs;
        }
        ExploreCommand::Select(selecting) => select(state, selecting),
        ExploreCommand::Axes(x, y) => state.explore.view.axes = (x, y),
        ExploreCommand::Metric(column) => state.explore.view.metric = column,
        // Numbers have no series, but those of settings, which are words too.
        ExploreCommand::ColorBy(column) if column.kind() == ColumnKind::Text => {
            state.explore.view.color_by = column;
        }
        ExploreCommand::PassesFrom(value) => {
            let view = &mut state.explore.view;
            // A threshold that is no number would let no run pass.
            match value.filter(|value| value.is_finite()) {
                Some(value) => view.thresholds.insert(view.metric.clone(), value),
                None => view.thresholds.remove(&view.metric),
            };
        }
        ExploreCommand::PairBy(column) if column.group_by().is_some() => {
            // The groups of another column are others.
            state.explore.view.pair = None;
            state.explore.view.pair_by = column;
        }
        ExploreCommand::Pair(first, second) => state.explore.view.pair = Some((first, second)),
        ExploreCommand::SelectCell(cell) => {
            let tasks = state.explore_matched(cell);
            let runs = tasks.into_iter().flat_map(MatchedTask::runs).copied().collect();
            select(state, Selecting::These(runs));
        }
        ExploreCommand::OpenPair(task) => open_pair(state, task),
        ExploreCommand::FilterCell(cell) => filter_cell(state, cell),
        ExploreCommand::Study(dir) => state.explore.view.study = Some(dir),
        ExploreCommand::SelectStudyCell { cell, participant, is_added } => {
            let runs = state.runs_of_study_cell(cell, participant.as_deref());
            if runs.is_empty() && state.has_attempts_in_study_cell(cell) {
                // Agents' runs are counted in their folders, whether they are open here or not.
                let words = "No run of this row is in the table: its folder is not open, or the filter leaves it out.";
                state.notify(NoticeLevel::Info, words);
                return Vec::new();
            }
            let selecting = if is_added { Selecting::Add(runs) } else { Selecting::These(runs) };
            select(state, selecting);
        }
        ExploreCommand::Panel(panel) => state.explore.view.panel = panel,
        ExploreCommand::Open => open(state),
        ExploreCommand::Export { table, format, path } => {
            return export(state, table, format, path);
        }
        ExploreCommand::CopyFigure(id) => return copy_figure(state, &id),
        ExploreCommand::SaveFigure { id, form, path } => {
            return save_figure(state, &id, form, path);
        }
        // It is settled by whatever command comes.
        ExploreCommand::Settle | ExploreCommand::ColorBy(_) | ExploreCommand::PairBy(_) => {}
    }
    Vec::new()
}

fn set_filter(state: &mut State, filter: String) {
    if filter.len() > MOST_LETTERS {
        let words = format!(
            "The filter has {} letters, and at most {MOST_LETTERS} are read: it stays as it was.",
            filter.chars().count()
        );
        state.notify(NoticeLevel::Warning, words);
        return;
    }
    let before = std::mem::replace(&mut state.explore.view.filter, filter);
    remember(state, before);
}

/// Keeps what was on before, but for what somebody is typing on from.
fn remember(state: &mut State, before: String) {
    let explore = &mut state.explore;
    let goes_on =
        explore.view.filter.starts_with(&before) || before.starts_with(&explore.view.filter);
    if before.is_empty() || goes_on && !explore.view.filter.is_empty() {
        return;
    }
    explore.history.retain(|known| *known != before);
    explore.history.push(before);
    let surplus = explore.history.len().saturating_sub(MOST_FILTERS);
    explore.history.drain(..surplus);
}

fn save_filter(state: &mut State, name: &str) {
    let filter = state.explore.view.filter.trim().to_owned();
    let name = match name.trim() {
        "" => filter.as_str(),
        name => name,
    };
    if filter.is_empty() {
        state.notify(NoticeLevel::Warning, "There is no filter to save: type one first.");
        return;
    }
    let saved = &mut state.explore.view.saved;
    saved.retain(|known| known.name != name);
    saved.push(SavedFilter { name: name.to_owned(), filter });
    let surplus = saved.len().saturating_sub(MOST_FILTERS);
    saved.drain(..surplus);
}

fn sort(state: &mut State, column: Column, is_added: bool) {
    let sort = &mut state.explore.view.sort;
    let known = sort.iter().position(|key| key.column == column);
    // The most first where there are numbers, the first letter where there are words; then the other way, then no
    // more.
    let starts_descending = column.kind() != ColumnKind::Text;
    let next = match known.and_then(|at| sort.get(at)).map(|key| key.is_descending) {
        None => Some(starts_descending),
        Some(is_descending) if is_descending == starts_descending => Some(!starts_descending),
        Some(_) => None,
    };
    let key = next.map(|is_descending| SortKey { column, is_descending });
    match (known, is_added) {
        (Some(at), true) => {
            sort.splice(at..=at, key);
        }
        (None, true) => sort.extend(key),
        (_, false) => *sort = key.into_iter().collect(),
    }
}

fn toggle_column(state: &mut State, column: Column) {
    let columns = &mut state.explore.view.columns;
    match columns.iter().position(|known| *known == column) {
        Some(_) if columns.len() == 1 => {}
        Some(at) => {
            columns.remove(at);
        }
        None => columns.push(column),
    }
}

fn select(state: &mut State, selecting: Selecting) {
    match selecting {
        Selecting::Only(run) => {
            state.explore.selected = [run].into();
            put_cursor(state, run);
        }
        Selecting::Toggle(run) => {
            if !state.explore.selected.remove(&run) {
                state.explore.selected.insert(run);
            }
            put_cursor(state, run);
        }
        Selecting::To(run) => extend_to(state, run),
        Selecting::Add(runs) => state.explore.selected.extend(runs),
        Selecting::These(runs) => {
            state.explore.selected = runs.into_iter().collect();
        }
        Selecting::All => {
            state.explore.selected = state.explore.table.shown.iter().copied().collect();
        }
        Selecting::None => {
            state.explore.selected.clear();
            // The cursor stays: the next arrow goes on from where somebody was.
            state.explore.anchor = None;
        }
        Selecting::ToggleCursor => {
            if let Some(run) = state.explore.cursor {
                select(state, Selecting::Toggle(run));
            }
        }
        Selecting::CursorBy(by) => {
            if let Some(run) = run_by(state, by) {
                put_cursor(state, run);
            }
        }
        Selecting::ExtendBy(by) => {
            if let Some(run) = run_by(state, by) {
                extend_to(state, run);
            }
        }
    }
}

fn put_cursor(state: &mut State, run: RunId) {
    state.explore.cursor = Some(run);
    state.explore.anchor = Some(run);
}

/// The runs whose rows are drawn, in order.
fn rows(state: &State) -> Vec<RunId> {
    let rows = state.explore.table.rows.iter();
    rows.filter_map(|row| match row {
        ExploreRow::Run(run) => Some(*run),
        ExploreRow::Group(_) => None,
    })
    .collect()
}

fn run_by(state: &State, by: i32) -> Option<RunId> {
    let rows = rows(state);
    let last = rows.len().checked_sub(1)?;
    let at = state.explore.cursor.and_then(|run| rows.iter().position(|row| *row == run));
    let at = match at {
        Some(at) => at.saturating_add_signed(by as isize).min(last),
        None if by >= 0 => 0,
        None => last,
    };
    rows.get(at).copied()
}

fn extend_to(state: &mut State, run: RunId) {
    let rows = rows(state);
    let anchor = state.explore.anchor.or(state.explore.cursor).unwrap_or(run);
    let places = [anchor, run].map(|run| rows.iter().position(|row| *row == run));
    let [Some(from), Some(to)] = places else {
        select(state, Selecting::Only(run));
        return;
    };
    let between = rows.get(from.min(to)..=from.max(to)).unwrap_or_default();
    state.explore.selected = between.iter().copied().collect();
    state.explore.cursor = Some(run);
    state.explore.anchor = Some(anchor);
}

fn filter_cell(state: &mut State, cell: PairCell) {
    let Some(pair) = &state.explore.table.pair else { return };
    let tasks = state.explore_matched(cell);
    if tasks.is_empty() {
        return;
    }
    let mut ids: Vec<String> = tasks.iter().map(|task| quoted(&task.task.id)).collect();
    ids.dedup();
    let groups = format!("{},{}", quoted(&pair.first), quoted(&pair.second));
    let by = state.explore.view.pair_by.id();
    let filter = format!("{by}={groups} task={}", ids.join(","));
    set_filter(state, filter);
}

/// Shows the first run of each group at a task beside the other; where only one has runs, that alone.
fn open_pair(state: &mut State, task: usize) {
    let matched = state.explore_matched(PairCell::Task(task));
    let Some(matched) = matched.first() else { return };
    let runs = GroupSide::BOTH.map(|side| matched.side(side).runs.first().copied());
    let mut runs = runs.into_iter().flatten();
    let Some(first) = runs.next() else { return };
    select_run(state, first);
    state.workspace = Workspace::Inspect;
    if let Some(second) = runs.next() {
        // In the place of whatever stood there: two are compared.
        state.stage.slots = vec![Slot::Run { run: second, pinned: None }];
        state.stage.against = Against::Slot(0);
        state.stage.view = StageView::SideBySide;
    }
}

/// Shows the run under the arrows, or else the first that is selected, on the stage, the others that are beside it.
fn open(state: &mut State) {
    let shown = state.explore.table.shown.iter();
    let selected = shown.copied().find(|run| state.explore.selected.contains(run));
    let cursor = state.explore.cursor;
    let cursor = cursor
        .filter(|run| state.explore.selected.is_empty() || state.explore.selected.contains(run));
    let Some(run) = cursor.or(selected) else {
        state.notify(NoticeLevel::Info, "Choose a run first: with the arrows, or by a click.");
        return;
    };
    select_run(state, run);
    state.workspace = Workspace::Inspect;
    open_beside(state, run);
}

/// Puts the other selected runs of a run's task beside it, in the order of the table and in the place of whatever stood
/// there, as far as there is room, and says how many are not.
fn open_beside(state: &mut State, run: RunId) {
    let Some(entry) = state.library.runs.get(&run) else { return };
    let others = state.explore.table.shown.iter().copied();
    let others = others.filter(|other| *other != run && state.explore.selected.contains(other));
    let (mut beside, elsewhere): (Vec<RunId>, Vec<RunId>) = others.partition(|other| {
        state.library.runs.get(other).is_some_and(|other| other.task == entry.task)
    });
    let surplus = beside.len().saturating_sub(MOST_SLOTS);
    beside.truncate(MOST_SLOTS);
    // Whoever opens one run keeps what stands beside it.
    if !beside.is_empty() {
        let slots = beside.iter().map(|run| Slot::Run { run: *run, pinned: None });
        state.stage.slots = slots.collect();
        // Of two it is clear what is compared; more stand beside each other, and each beside the ground truth.
        state.stage.against =
            if beside.len() == 1 { Against::Slot(0) } else { Against::GroundTruth };
        state.stage.view = StageView::SideBySide;
    }
    let mut left_out: Vec<String> = Vec::new();
    match elsewhere.len() {
        0 => {}
        1 => left_out.push("1 of another task".to_owned()),
        runs => left_out.push(format!("{runs} of other tasks")),
    }
    if surplus > 0 {
        left_out.push(format!("{surplus} for which there is no room beside the run"));
    }
    if !left_out.is_empty() {
        let words = format!("Not opened of the selected runs: {}.", left_out.join(", "));
        state.notify(NoticeLevel::Info, words);
    }
}

/// A figure as the window shows it, on white, with what is to be said of it below: as SVG, and in words for the file.
/// Where it is not made, people are told why.
fn figure_svg(state: &mut State, id: &str) -> Option<(String, String)> {
    match state.explore_figure(id) {
        Ok(figure) => {
            let command = state.explore_figure_command(id);
            Some((to_svg(&figure, &command), figure.about(&command)))
        }
        Err(why) => {
            state.notify(NoticeLevel::Error, format!("the figure is not made: {why}"));
            None
        }
    }
}

fn save_figure(state: &mut State, id: &str, form: StageForm, path: PathBuf) -> Vec<Request> {
    let Some((svg, about)) = figure_svg(state, id) else { return Vec::new() };
    let folder = path.parent().map(Path::to_path_buf);
    let job = start_saving(state, "saving", &path, folder);
    vec![Request::SaveDrawing { job, svg, about, form, path }]
}

fn copy_figure(state: &mut State, id: &str) -> Vec<Request> {
    let Some((svg, _)) = figure_svg(state, id) else { return Vec::new() };
    let job = state.jobs.start(JobKind::Save, "copying the figure");
    vec![Request::CopyDrawing { job, svg }]
}

/// Has the window put what was drawn onto the system's clipboard.
pub(in crate::workbench::reduce) fn drawing_copied(
    state: &mut State,
    result: Result<Arc<Pixels>, String>,
) {
    match result {
        Ok(pixels) => {
            let number = state.explore.outgoing.as_ref().map_or(1, |(number, _)| number + 1);
            state.explore.outgoing = Some((number, pixels));
            state.notify(NoticeLevel::Info, "Copied as a picture.");
        }
        Err(why) => state.notify(NoticeLevel::Error, format!("not copied: {why}")),
    }
}

fn export(
    state: &mut State,
    table: ExportedTable,
    format: TableFile,
    path: PathBuf,
) -> Vec<Request> {
    if table == ExportedTable::Runs && state.exported_runs().is_empty() {
        state.notify(NoticeLevel::Error, "There is no run to export: the filter leaves none.");
        return Vec::new();
    }
    let made = match format {
        TableFile::Text(text) => state.exported_text(table, text).map(WrittenTable::Text),
        TableFile::Parquet => state.exported_table(table, format).map(WrittenTable::Typed),
    };
    let made = match made {
        Ok(made) => made,
        Err(why) => {
            state.notify(NoticeLevel::Error, format!("the table is not made: {why}"));
            return Vec::new();
        }
    };
    let folder = path.parent().map(Path::to_path_buf);
    let job = start_saving(state, "exporting", &path, folder);
    vec![match made {
        WrittenTable::Text((text, about)) => {
            let about = format.lacks_provenance().then(|| provenance_json(&about));
            Request::SaveText { job, text, about, path }
        }
        WrittenTable::Typed(table) => Request::SaveTable { job, table: Box::new(table), path },
    }]
}

/// A table on its way into a file.
enum WrittenTable {
    /// As text, with what it says of itself.
    Text((String, Vec<(String, String)>)),
    /// With its types.
    Typed(TypedTable),
}
