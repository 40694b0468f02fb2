//! The order of the rows, their groups, and the means of both.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::metric::stats::student_t_half_width;
use crate::workbench::model::{
    Cell, ColumnKind, ExploreRow, ExploreTable, ExploreView, GroupRow, RunId, Summary,
};

/// The confidence of every interval.
pub(super) const CONFIDENCE: f64 = 0.95;
/// What runs without a word stand below.
const NO_WORD: &str = "—";

/// Puts the runs that pass in order, and below their groups.
pub(super) fn arrange(table: &mut ExploreTable, view: &ExploreView) {
    let passing = table.runs.iter().filter(|(_, run)| run.passes).map(|(id, _)| id);
    let mut shown: Vec<RunId> = passing.collect();
    sort(table, view, &mut shown);
    let mut means = Means::default();
    table.all = means.of(table, &shown);
    table.groups.clear();
    table.rows.clear();
    let Some(place) = view.group.as_ref().and_then(|column| table.place(column)) else {
        table.rows.extend(shown.iter().map(|run| ExploreRow::Run(*run)));
        table.shown = shown;
        return;
    };
    // By name; within a group the order stays.
    let mut groups: BTreeMap<Arc<str>, Vec<RunId>> = BTreeMap::new();
    for run in &shown {
        let cell = table.runs.get(*run).and_then(|run| run.cells.get(place));
        groups.entry(cell.map_or_else(|| NO_WORD.into(), word_of)).or_default().push(*run);
    }
    table.shown.clear();
    for (at, (name, runs)) in groups.into_iter().enumerate() {
        let is_folded = view.folded.contains(&*name);
        let summary = means.of(table, &runs);
        table.groups.push(GroupRow { name, is_folded, runs: runs.len(), summary });
        table.rows.push(ExploreRow::Group(at));
        if !is_folded {
            table.rows.extend(runs.iter().map(|run| ExploreRow::Run(*run)));
        }
        // Those of a folded group too: they are out of sight and not left out.
        table.shown.extend(runs);
    }
}

/// What a run stands below, by a cell.
fn word_of(cell: &Cell) -> Arc<str> {
    match cell {
        Cell::Text(text) | Cell::Written(text, _) => Arc::clone(text),
        Cell::Number(number) => number.to_string().into(),
        Cell::Flag(flag) => (if *flag { "yes" } else { "no" }).into(),
        Cell::Missing(_) => NO_WORD.into(),
    }
}

/// Sorts by every column in turn; runs that are equal in all of them keep the order in which they were opened, and
/// what is missing comes last either way.
fn sort(table: &ExploreTable, view: &ExploreView, runs: &mut Vec<RunId>) {
    let keys: Vec<(usize, bool)> = view
        .sort
        .iter()
        .filter_map(|key| Some((table.place(&key.column)?, key.is_descending)))
        .collect();
    if keys.is_empty() {
        return;
    }
    // Cells are looked up once for each run and not at each comparison.
    let mut decorated: Vec<(RunId, Vec<&Cell>)> = runs
        .iter()
        .filter_map(|id| {
            let cells = &table.runs.get(*id)?.cells;
            Some((*id, keys.iter().filter_map(|(place, _)| cells.get(*place)).collect()))
        })
        .collect();
    decorated.sort_by(|(_, a), (_, b)| {
        let pairs = keys.iter().zip(a.iter().zip(b));
        let mut orders = pairs.map(|((_, is_descending), (a, b))| compare(a, b, *is_descending));
        orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    });
    *runs = decorated.into_iter().map(|(id, _)| id).collect();
}

fn compare(a: &Cell, b: &Cell, is_descending: bool) -> Ordering {
    let order = match (a, b) {
        // Returned, not reversed: what is missing stands last in either direction.
        (Cell::Missing(_), Cell::Missing(_)) => return Ordering::Equal,
        (Cell::Missing(_), _) => return Ordering::Greater,
        (_, Cell::Missing(_)) => return Ordering::Less,
        (Cell::Text(a), Cell::Text(b)) => crate::run::natural_cmp(a, b),
        // Of what is a number in some runs and words in others, numbers come first.
        (Cell::Written(..) | Cell::Number(_), Cell::Text(_)) => Ordering::Less,
        (Cell::Text(_), Cell::Written(..) | Cell::Number(_)) => Ordering::Greater,
        (a, b) => {
            let numbers = (a.number().unwrap_or(0.0), b.number().unwrap_or(0.0));
            numbers.0.total_cmp(&numbers.1)
        }
    };
    if is_descending { order.reverse() } else { order }
}

/// Means with their intervals; the quantiles are found once for every number of runs.
#[derive(Default)]
struct Means {
    quantiles: HashMap<usize, Option<f64>>,
}

impl Means {
    fn of(&mut self, table: &ExploreTable, runs: &[RunId]) -> Summary {
        let cells: Vec<&[Cell]> =
            runs.iter().filter_map(|run| table.runs.get(*run)).map(|run| &*run.cells).collect();
        let columns = table.columns.iter().enumerate();
        let means = columns.map(|(place, column)| {
            if column.kind() == ColumnKind::Text {
                return None;
            }
            let numbers = cells.iter().filter_map(|cells| cells.get(place)?.number());
            self.of_numbers(numbers)
        });
        let infinite = (0..table.columns.len()).map(|place| {
            cells.iter().filter(|cells| cells.get(place).is_some_and(Cell::is_infinite)).count()
        });
        Summary { means: means.collect(), infinite: infinite.collect() }
    }

    fn of_numbers(
        &mut self,
        numbers: impl Iterator<Item = f64>,
    ) -> Option<(f64, Option<f64>, usize)> {
        // Welford: one pass, and no digits lost where the spread is small beside the mean.
        let (mut count, mut mean, mut squares) = (0_usize, 0.0, 0.0);
        for number in numbers {
            count += 1;
            let from_old = number - mean;
            mean += from_old / count as f64;
            squares += from_old * (number - mean);
        }
        if count == 0 || !f64::is_finite(mean) {
            return None;
        }
        let quantile = *self
            .quantiles
            .entry(count)
            .or_insert_with(|| student_t_half_width(count - 1, CONFIDENCE).ok());
        let error = (squares / (count.max(2) - 1) as f64 / count as f64).sqrt();
        Some((mean, quantile.map(|quantile| quantile * error), count))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::workbench::model::{Column, Gap, RunCells, SortKey};

    fn table_of(rows: &[(Option<i8>, i8)]) -> ExploreTable {
        let runs = rows.iter().zip(0..).map(|((a, b), id)| {
            let [a_cell, b_cell] = [*a, Some(*b)].map(|value| match value {
                Some(value) => Cell::Number(f64::from(value)),
                None => Cell::Missing(Gap::NotRecorded),
            });
            let cells = [a_cell, b_cell, Cell::Text(format!("g{}", b % 2).into())];
            (RunId(id), RunCells { cells: cells.into(), passes: true, ..RunCells::default() })
        });
        let columns = vec![Column::Turns, Column::Calls, Column::Model];
        ExploreTable { columns, runs: runs.collect(), ..ExploreTable::default() }
    }

    #[test]
    fn a_setting_is_sorted_by_its_numbers_and_words_come_behind() {
        let written = |words: &str, number| Cell::Written(words.into(), number);
        let cells = [
            Cell::Text("high".into()),
            written("0.5", 0.5),
            Cell::Missing(Gap::NotRecorded),
            written("0.25", 0.25),
            written("1e-3", 0.001),
        ];
        let column = Column::setting("model.temperature");
        let runs = (0..).zip(cells).map(|(id, cell)| {
            (RunId(id), RunCells { cells: [cell].into(), passes: true, ..RunCells::default() })
        });
        let columns = vec![column.clone()];
        let runs = runs.collect();
        let mut table = ExploreTable { columns, runs, ..ExploreTable::default() };
        let sort = vec![SortKey { column, is_descending: false }];
        arrange(&mut table, &ExploreView { sort, ..ExploreView::default() });
        assert_eq!(table.shown, [4, 3, 1, 0, 2].map(RunId));
    }

    proptest! {
        #[test]
        fn rows_are_sorted_by_every_column_in_turn_as_one_after_the_other_from_the_last(
            rows in prop::collection::vec((prop::option::of(-3_i8..3), -3_i8..3), 0..40),
            descending in (any::<bool>(), any::<bool>()),
        ) {
            let mut table = table_of(&rows);
            let sort = vec![
                SortKey { column: Column::Turns, is_descending: descending.0 },
                SortKey { column: Column::Calls, is_descending: descending.1 },
            ];
            arrange(&mut table, &ExploreView { sort, ..ExploreView::default() });
            // The slow way: a stable sort by the least important first.
            let mut slow: Vec<usize> = (0..rows.len()).collect();
            slow.sort_by_key(|at| if descending.1 { -rows[*at].1 } else { rows[*at].1 });
            slow.sort_by_key(|at| match rows[*at].0 {
                None => i16::MAX,
                Some(value) => i16::from(if descending.0 { -value } else { value }),
            });
            let found: Vec<usize> = table.shown.iter().map(|run| run.0 as usize).collect();
            prop_assert_eq!(found, slow);
        }

        #[test]
        fn groups_divide_the_runs_and_their_means_are_those_of_their_numbers(
            rows in prop::collection::vec((prop::option::of(-9_i8..9), -9_i8..9), 0..40),
        ) {
            let mut table = table_of(&rows);
            arrange(&mut table, &ExploreView { group: Some(Column::Model), ..ExploreView::default() });
            prop_assert_eq!(table.groups.iter().map(|group| group.runs).sum::<usize>(), rows.len());
            prop_assert_eq!(table.rows.len(), rows.len() + table.groups.len());
            for group in &table.groups {
                let of_group = rows.iter().filter(|row| format!("g{}", row.1 % 2) == *group.name);
                let numbers: Vec<f64> = of_group.filter_map(|row| row.0).map(f64::from).collect();
                match &group.summary.means[0] {
                    None => prop_assert!(numbers.is_empty()),
                    Some((mean, half, count)) => {
                        let slow = numbers.iter().sum::<f64>() / numbers.len() as f64;
                        prop_assert!((mean - slow).abs() < 1e-9 && *count == numbers.len());
                        prop_assert_eq!(half.is_some(), numbers.len() > 1);
                    }
                }
            }
        }
    }
}
