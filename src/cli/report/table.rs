//! `pentimento report table`: the table over all runs as *Explore* exports it, and every table that it exported again.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, ValueEnum};

use crate::cli::explored::{ExploredSources, absolute, explored, plain_view, refresh};
use crate::cli::output::{note, print, write_atomic};
use crate::cli::own_metrics::OwnMetrics;
use crate::evaluate::VariantId;
use crate::evaluate::typed_table::{beside, provenance_json};
use crate::export::table_as_parquet;
use crate::workbench::{
    Column, ExploreView, RunId, SortKey, State, TableFile, TableFormat, Variants,
};

/// Print the table over all runs that the window's Explore shows: filtered, sorted, grouped
///
/// The filter is the language of Explore, the columns are its columns: task, model, turns, cost … or the id of a
/// variant, such as ssim/uniform7. Runs are scored by the variants that are shown. CSV, TSV and Parquet have every run
/// with whole numbers; Markdown and LaTeX are rounded, and of groups they print means with half a 95 % interval. What
/// Explore exports says the command that makes it again: one of these.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct TableArguments {
    /// Run folders, or folders with runs and task sets in them.
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    /// Where the tasks of these runs are; may be given several times.
    #[arg(long, value_name = "PATH")]
    tasks: Vec<PathBuf>,
    /// Only these runs, as if they were selected; may be given several times.
    #[arg(long, value_name = "RUN")]
    select: Vec<PathBuf>,
    /// Only runs that pass: a filter as in Explore.
    #[arg(long, value_name = "FILTER", default_value = "", allow_hyphen_values = true)]
    filter: String,
    /// The columns, divided by commas. Without it, those of a new window.
    #[arg(long, value_name = "COLUMN", value_delimiter = ',')]
    columns: Vec<String>,
    /// By which columns it is sorted, divided by commas; `-` before one: the largest first.
    #[arg(long, value_name = "[-]COLUMN", value_delimiter = ',', allow_hyphen_values = true)]
    sort: Vec<String>,
    /// By which column it is grouped.
    #[arg(long, value_name = "COLUMN")]
    group: Option<String>,
    /// The labelling project whose answers are counted.
    #[arg(long, value_name = "FILE.labels")]
    labels: Option<PathBuf>,
    /// Which models learned metrics go by, such as {"clip": …, "captioner": …, "judge": …}.
    #[arg(long, value_name = "FILE.json")]
    models: Option<PathBuf>,
    #[command(flatten)]
    own: OwnMetrics,
    /// Captions that were made before. Nobody is asked for others.
    #[arg(long, value_name = "FILE.json")]
    captions: Option<PathBuf>,
    /// What the table is written as.
    #[arg(long, value_name = "FORMAT", default_value = "md")]
    format: TableWord,
    /// The file to write, instead of stdout. Beside CSV and TSV, FILE.json says which command made it, and of what.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What the table is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TableWord {
    /// Markdown.
    Md,
    /// LaTeX, for the package booktabs.
    Latex,
    /// Comma-separated values.
    Csv,
    /// Tab-separated values.
    Tsv,
    /// Apache Parquet.
    Parquet,
}

impl From<TableWord> for TableFile {
    fn from(word: TableWord) -> Self {
        match word {
            TableWord::Md => Self::Text(TableFormat::Markdown),
            TableWord::Latex => Self::Text(TableFormat::Latex),
            TableWord::Csv => Self::Text(TableFormat::Csv),
            TableWord::Tsv => Self::Text(TableFormat::Tsv),
            TableWord::Parquet => Self::Parquet,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  pentimento report table runs --filter 'model:gpt ssim<0.7' --sort=-ssim/uniform7
  pentimento report table runs --columns task,model,turns,cost,ssim/uniform7 --group model --format latex
  pentimento report table runs --tasks sample_runs --format csv --out runs.csv";

/// Does the command.
pub(super) fn write(arguments: &TableArguments) -> anyhow::Result<()> {
    let file = TableFile::from(arguments.format);
    let is_text = file != TableFile::Parquet;
    anyhow::ensure!(is_text || arguments.out.is_some(), "--format parquet needs --out FILE");
    let sources = ExploredSources {
        paths: arguments.runs.clone(),
        tasks: &arguments.tasks,
        labels: arguments.labels.as_deref(),
        models: arguments.models.as_deref(),
        programs: &arguments.own.programs,
        captions: arguments.captions.as_deref(),
        ..ExploredSources::default()
    };
    let mut state = explored(&sources, |variants| view(arguments, variants))?;
    select(&mut state, &arguments.select)?;
    let rows = state.exported_runs().len();
    if rows == 0 {
        note("the filter leaves no run");
    }
    // Neither listed nor passed over in silence: somebody would take the table for whole.
    if state.explore.table.awaited > 0 {
        let awaited = state.explore.table.awaited;
        note(&format!("of {awaited} runs it cannot be said whether they pass the filter"));
    }
    let bytes = match file {
        TableFile::Text(format) => state.explored_text(format).into_bytes(),
        TableFile::Parquet => table_as_parquet(&state.explored_table())?,
    };
    let Some(out) = &arguments.out else { return Ok(print(&String::from_utf8(bytes)?)?) };
    write_atomic(out, &bytes)?;
    // A file of commas has no place for it that programs would not read as data.
    if file.lacks_provenance() {
        let about = provenance_json(&state.explored_provenance(file));
        write_atomic(&beside(out), about.as_bytes())?;
    }
    Ok(())
}

fn view(arguments: &TableArguments, variants: &Variants) -> anyhow::Result<ExploreView> {
    let plain = plain_view();
    let columns = arguments.columns.iter().map(|name| column(name, variants));
    let columns = columns.collect::<anyhow::Result<Vec<Column>>>()?;
    let sort = arguments.sort.iter().map(|key| {
        let (name, is_descending) = match key.strip_prefix('-') {
            Some(name) => (name, true),
            None => (key.as_str(), false),
        };
        Ok(SortKey { column: column(name, variants)?, is_descending })
    });
    Ok(ExploreView {
        filter: arguments.filter.clone(),
        columns: if columns.is_empty() { plain.columns } else { columns },
        sort: sort.collect::<anyhow::Result<_>>()?,
        group: arguments.group.as_ref().map(|name| column(name, variants)).transpose()?,
        ..plain
    })
}

/// The column of a name: a word, the id of a variant, or a metric's name, which stands for its first variant.
pub(super) fn column(name: &str, variants: &Variants) -> anyhow::Result<Column> {
    let column = Column::from(name.trim().to_owned());
    let Column::Score(id) = &column else { return Ok(column) };
    if variants.get(id).is_some() {
        return Ok(column);
    }
    let of_metric = variants.iter().find(|variant| variant.metric() == &**id);
    let id: Option<VariantId> = of_metric.map(|variant| variant.id.clone());
    id.map(Column::Score).with_context(|| {
        let words = Column::all().map(|column| column.id().to_owned());
        let known: Vec<String> =
            words.chain(variants.iter().map(|variant| variant.id.to_string())).collect();
        format!("there is no column {name:?}; there are {}", known.join(", "))
    })
}

/// Selects these runs by their folders.
fn select(state: &mut State, dirs: &[PathBuf]) -> anyhow::Result<()> {
    for dir in dirs {
        let whole = absolute(dir)?;
        let mut runs = state.library.runs.iter();
        let found: Option<RunId> = runs.find(|(_, run)| run.dir == whole).map(|(id, _)| *id);
        let found = found.with_context(|| format!("--select: no run lies in {}", dir.display()))?;
        state.explore.selected.insert(found);
    }
    refresh(state);
    Ok(())
}
