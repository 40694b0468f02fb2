//! The columns of the table of scores: those that were asked for, or those that fit the terminal.

use anyhow::Context as _;

use super::run::ScoredRun;
use crate::cli::table::{CellAlignment, Column, Table};
use crate::metric::{Score, VariantSpec, program};

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TableColumn {
    Run,
    Task,
    Agent,
    Outcome,
    Turns,
    Calls,
    Failed,
    /// The score of the variant at this place.
    Score(usize),
}

impl TableColumn {
    fn side(self) -> CellAlignment {
        match self {
            Self::Run | Self::Task | Self::Agent | Self::Outcome => CellAlignment::Left,
            Self::Turns | Self::Calls | Self::Failed | Self::Score(_) => CellAlignment::Right,
        }
    }

    /// Whose scores it shows, if it shows any.
    fn variant<'a>(self, variants: &[&'a VariantSpec]) -> Option<&'a VariantSpec> {
        match self {
            Self::Score(at) => variants.get(at).copied(),
            _ => None,
        }
    }
}

/// The columns beside the scores by their names, in the order of the table.
const NAMED: [(&str, TableColumn); 7] = [
    ("run", TableColumn::Run),
    ("task", TableColumn::Task),
    ("agent", TableColumn::Agent),
    ("outcome", TableColumn::Outcome),
    ("turns", TableColumn::Turns),
    ("calls", TableColumn::Calls),
    ("failed", TableColumn::Failed),
];

/// Those that go first where the terminal is narrow: the least said beside the run itself first.
const FIRST_TO_GO: [TableColumn; 5] = [
    TableColumn::Task,
    TableColumn::Agent,
    TableColumn::Failed,
    TableColumn::Turns,
    TableColumn::Calls,
];

/// How wide a table is that goes elsewhere than to a terminal.
pub(super) const USUAL_WIDTH: usize = 120;
/// Most columns of scores where none were asked for: neighbours tell little more.
const MOST_SCORES: usize = 6;

/// Characters across, of a terminal or else as usual.
pub(super) fn terminal_width() -> usize {
    // A pipe has no width: what goes there is read later, on a screen that nobody knows.
    let width = terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| width.0);
    width.map_or(USUAL_WIDTH, usize::from)
}

/// The columns that were asked for; none if those that fit are to be chosen.
pub(super) fn chosen_columns(
    names: &[String],
    variants: &[&VariantSpec],
) -> anyhow::Result<Vec<TableColumn>> {
    let mut columns = Vec::new();
    for name in names {
        let named = NAMED.iter().find(|(known, _)| known == name).map(|(_, column)| *column);
        let score = variants.iter().position(|variant| variant.id == **name);
        columns.push(named.or(score.map(TableColumn::Score)).with_context(|| {
            let known = NAMED.iter().map(|(name, _)| *name);
            let ids = variants.iter().map(|variant| &*variant.id);
            format!(
                "there is no column {name:?}; there are {}",
                known.chain(ids).collect::<Vec<_>>().join(", ")
            )
        })?);
    }
    Ok(columns)
}

/// The columns that fit: the run, how it ended, and its scores, metrics of one's own first and else those of which
/// some run has a value; then whatever else there is place for.
pub(super) fn fitting_columns(
    scored: &[ScoredRun],
    variants: &[&VariantSpec],
    width: usize,
) -> Vec<TableColumn> {
    let (with, without): (Vec<_>, Vec<_>) = (0..variants.len())
        .partition(|at| scored.iter().any(|run| run.score(*at).and_then(Score::value).is_some()));
    let mut scores: Vec<usize> = with.into_iter().chain(without).collect();
    // Whoever names one wants to see it, also why it gives no score.
    scores.sort_by_key(|at| variants[*at].metric() != program::METRIC);
    scores.truncate(MOST_SCORES);
    let mut named = NAMED.map(|(_, column)| column).to_vec();
    let mut to_go = FIRST_TO_GO.iter();
    loop {
        let columns: Vec<TableColumn> =
            named.iter().copied().chain(scores.iter().map(|at| TableColumn::Score(*at))).collect();
        // Drawn and measured: how wide a column is depends on its cells, and the table is small.
        let text = score_table(scored, variants, &columns).0;
        let widest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        // Of two scores or more the last goes before what says whose they are.
        if widest <= width {
            return columns;
        } else if scores.len() > 2 {
            scores.pop();
        } else if let Some(gone) = to_go.next() {
            named.retain(|column| column != gone);
        } else if scores.len() > 1 {
            scores.pop();
        } else {
            return columns;
        }
    }
}

/// What the columns are called: those of scores by the metric, and by the variant too where a metric
/// has several.
fn headings(columns: &[TableColumn], variants: &[&VariantSpec]) -> Vec<String> {
    let shown: Vec<&VariantSpec> =
        columns.iter().filter_map(|column| column.variant(variants)).collect();
    let headings = columns.iter().map(|column| {
        if let Some(variant) = column.variant(variants) {
            // The variant is named only where the metric alone would stand above two columns.
            let is_alone = shown.iter().filter(|other| other.label == variant.label).count() == 1;
            let (label, own) = (variant.label, &variant.variant_label);
            if is_alone { label.to_owned() } else { format!("{label} ({own})") }
        } else {
            let name = NAMED.iter().find(|(_, known)| known == column);
            name.map(|(name, _)| (*name).to_owned()).unwrap_or_default()
        }
    });
    headings.collect()
}

/// The table and the reasons for what is missing in it, which have the numbers from 1.
pub(super) fn score_table(
    scored: &[ScoredRun],
    variants: &[&VariantSpec],
    columns: &[TableColumn],
) -> (String, Vec<String>) {
    let headings = headings(columns, variants);
    let shown: Vec<Column<'_>> = columns
        .iter()
        .zip(&headings)
        .map(|(column, heading)| column.side().column(heading))
        .collect();
    let (mut table, mut reasons) = (Table::new(&shown), Vec::new());
    let folder = common_folder(scored);
    for run in scored {
        table
            .push(columns.iter().map(|column| cell(run, *column, &folder, &mut reasons)).collect());
    }
    (table.to_text(), reasons)
}

/// The folder that all runs lie in, with its last slash, which no cell needs to repeat.
pub(super) fn common_folder(scored: &[ScoredRun]) -> String {
    let mut dirs = scored.iter().map(|run| run.shown_dir.as_str());
    let Some(first) = dirs.next() else { return String::new() };
    // Only up to a slash: `runs/a1` and `runs/a2` have `runs/` in common, not `runs/a`.
    let mut ends = first.match_indices('/').map(|(at, _)| at + 1).rev();
    let end = ends.find(|end| scored.iter().all(|run| run.shown_dir.starts_with(&first[..*end])));
    let end = end.unwrap_or(0);
    // Of one run the folder is the run's own, and says most of what there is to say.
    if scored.len() < 2 { String::new() } else { first[..end].to_owned() }
}

/// A cell; a reason that is new is added to those that the table has already.
fn cell(run: &ScoredRun, column: TableColumn, folder: &str, reasons: &mut Vec<String>) -> String {
    let manifest = &run.run.manifest;
    let at = match column {
        TableColumn::Run => {
            let dir = run.shown_dir.strip_prefix(folder).unwrap_or(&run.shown_dir);
            return dir.to_owned();
        }
        TableColumn::Task => return manifest.task.id.clone(),
        TableColumn::Agent => return manifest.agent.name.clone(),
        TableColumn::Outcome => return run.outcome_word().to_owned(),
        TableColumn::Turns => return run.run.turns.len().to_string(),
        TableColumn::Calls => return run.run.steps.len().to_string(),
        TableColumn::Failed => return run.failures().to_string(),
        TableColumn::Score(at) => at,
    };
    match run.score(at) {
        None => String::new(),
        Some(Score::Value(value)) => format!("{value:.4}"),
        Some(Score::Missing(why)) => {
            // By their words: many runs lack a score for one reason, which has one number.
            let why = why.to_string();
            let known = reasons.iter().position(|known| *known == why);
            let number = known.unwrap_or(reasons.len()) + 1;
            if known.is_none() {
                reasons.push(why);
            }
            format!("—[{number}]")
        }
    }
}
