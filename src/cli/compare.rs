//! `pentimento compare`: runs of one task beside each other.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use crate::base::CancelToken;
use crate::environment::ToolCall;
use crate::evaluate::alignment::{
    AlignedRow, Alignment, ArgumentDifference, Consensus, ConsensusNode, DivergenceKind,
    LastingDivergence, Likeness, MOST_RUNS, RunTrace, align, argument_differences, consensus,
};
use crate::evaluate::typed_table::{TypedColumn, TypedTable};
use crate::evaluate::{ComparedTask, MadeBy, RunCanvas};
use crate::metric::MissingScore;
use crate::run::{Run, TaskRef, reader};
use crate::task::{FoundTask, Task, TaskContent};

use super::collection::Collection;
use super::compare_groups::{GroupArguments, compare_groups};
use super::environments::environments;
use super::made_by::{command_words, print_result_json};
use super::output::{note, print};
use super::progress::Progress;
use super::scoring::{compared_task, torn_words};
use super::table::{Column, Table};

/// Put two to six runs of one task beside each other, step by step
///
/// Steps that go together stand in one row: the same call, a call that changed the same, or one after which the
/// canvas looks the same. Says where the runs diverge for good, and what of the ground truth all of them have, or
/// none. With --by, two groups of runs of any tasks are held against each other, task by task.
#[derive(Args, Debug)]
pub(super) struct CompareArguments {
    /// Run folders, or folders with runs in them.
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    /// Where the task of these runs is; may be given several times.
    #[arg(long, value_name = "PATH")]
    tasks: Vec<PathBuf>,
    /// Print every row.
    #[arg(long)]
    rows: bool,
    /// A difference from the ground truth counts from here on, 0 to 1.
    #[arg(long, value_name = "SHARE", default_value = "0.35", value_parser = share)]
    threshold: f32,
    /// Print JSON, with every row.
    #[arg(long)]
    json: bool,
    /// What is a row of the table that --table writes.
    #[arg(
        long,
        value_name = "ROWS",
        requires = "table",
        conflicts_with = "by",
        default_value = "rows"
    )]
    table_of: TableRows,
    #[command(flatten)]
    groups: GroupArguments,
}

/// What is a row of the table of runs beside each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TableRows {
    /// Steps that go together, with the call of each run.
    Rows,
    /// A node of the ground truth, and which runs have it at their end.
    Nodes,
}

fn share(text: &str) -> Result<f32, String> {
    let share: f32 = text.parse().map_err(|error| format!("{error}: {text}"))?;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err("it is from 0 to 1".to_owned()) }
}

/// The runs, aligned.
struct Compared {
    task: TaskRef,
    runs: Vec<ComparedRun>,
    alignment: Alignment,
    /// Or why it cannot be told.
    consensus: Result<Consensus, MissingScore>,
}

struct ComparedRun {
    dir: PathBuf,
    run: Arc<Run>,
    trace: RunTrace,
}

/// Does the command.
pub(super) fn compare(arguments: &CompareArguments) -> anyhow::Result<()> {
    let CompareArguments { runs, tasks, groups, json, .. } = arguments;
    if let Some(by) = &groups.by {
        return compare_groups(runs, tasks, by, groups, *json);
    }
    let compared = Compared::of(arguments)?;
    if let Some(file) = &groups.table {
        file.write(&compared.to_table(arguments.table_of)?)?;
    }
    if arguments.json {
        return print_result_json(&compared.to_json());
    }
    Ok(print(&compared.to_text(arguments.rows))?)
}

impl Compared {
    fn of(arguments: &CompareArguments) -> anyhow::Result<Self> {
        let mut collection = Collection::open(&arguments.runs, &arguments.tasks)?;
        let dirs: Vec<PathBuf> = collection.runs.iter().map(|found| found.dir.clone()).collect();
        let count = dirs.len();
        anyhow::ensure!(
            (2..=MOST_RUNS).contains(&count),
            "two to {MOST_RUNS} runs can be compared, and these are {count}"
        );
        let mut progress = Progress::start(count, "runs");
        let mut runs: Vec<ComparedRun> = Vec::with_capacity(count);
        let mut first_task: Option<(TaskRef, Option<FoundTask>)> = None;
        for dir in dirs {
            let run =
                reader::open(&dir).with_context(|| format!("cannot open {}", dir.display()))?;
            let own = collection.find(&dir, &run.manifest);
            // All must be of the first run's task, and are compared with its ground truth.
            let (of, found) = match &first_task {
                Some((of, found)) => (of.clone(), found.clone()),
                None => (run.manifest.task.clone(), own.clone()),
            };
            anyhow::ensure!(
                run.manifest.task == of,
                "runs of one task can be compared; {} is of {}, and {} of {}",
                runs.first().map_or_else(String::new, |first| first.dir.display().to_string()),
                name_of(&of),
                dir.display(),
                name_of(&run.manifest.task),
            );
            if let (Some(found), Some(own)) = (&found, &own) {
                anyhow::ensure!(
                    is_one_task(found, own),
                    "runs of one task can be compared, and {} is not the same in the two sets: {} is of that in {}, \
                     and {} of that in {}",
                    name_of(&of),
                    runs.first().map_or_else(String::new, |first| first.dir.display().to_string()),
                    found.set_dir.display(),
                    dir.display(),
                    own.set_dir.display(),
                );
            }
            progress.doing(dir.display().to_string());
            let run = Arc::new(run);
            let trace = trace(&dir, &run, found.as_ref().map(|found| &found.task))?;
            first_task = Some((of, found));
            progress.passed(&dir.display().to_string());
            runs.push(ComparedRun { dir, run, trace });
        }
        // The bar goes before anything is printed.
        drop(progress);
        for torn in runs.iter().filter_map(|run| torn_words(&run.dir, &run.run)) {
            note(&format!("warning: {torn}"));
        }
        let (of, found) = first_task.context("there is no run")?;
        let task = found.map(|found| found.task);
        let traces: Vec<&RunTrace> = runs.iter().map(|run| &run.trace).collect();
        // Nothing cancels on the command line but the end of the program.
        let never = CancelToken::new();
        let alignment = align(&traces, &never)?;
        let kind = runs.first().map(|first| &first.run.manifest.environment);
        // Without a ground truth the runs are compared with one another all the same.
        let consensus = match compared_task(task.as_deref(), kind) {
            Ok(task) => Ok(of_truth(&traces, &task, arguments.threshold)?),
            Err(why) => Err(why),
        };
        Ok(Self { task: of, runs, alignment, consensus })
    }

    fn traces(&self) -> Vec<&RunTrace> {
        self.runs.iter().map(|run| &run.trace).collect()
    }

    fn call_of(&self, run: usize, step: Option<u32>) -> Option<&ToolCall> {
        let at = (step? as usize).checked_sub(1)?;
        self.runs.get(run)?.run.steps.get(at)?.call.as_ref()
    }
}

/// Whether two tasks of one id are one: of the same set, or asking the same in two.
fn is_one_task(a: &FoundTask, b: &FoundTask) -> bool {
    if a.place == b.place {
        return true;
    }
    let [of_a, of_b] = [a, b].map(|found| TaskContent::of(&found.task).ok());
    of_a.is_some() && of_a == of_b
}

fn trace(dir: &Path, run: &Arc<Run>, task: Option<&Arc<Task>>) -> anyhow::Result<RunTrace> {
    let traced = RunCanvas::open(Arc::clone(run), task.cloned(), &environments().opener())
        .and_then(|mut canvas| RunTrace::of(&mut canvas, &CancelToken::new(), &|_| ()));
    traced.with_context(|| dir.display().to_string())
}

fn of_truth(
    traces: &[&RunTrace],
    task: &ComparedTask,
    threshold: f32,
) -> anyhow::Result<Consensus> {
    Ok(consensus(traces, task.truth(), threshold, &CancelToken::new())?)
}

fn name_of(task: &TaskRef) -> String {
    format!("{}/{}", task.set, task.id)
}

/// What a run is called among these: A, B, C …
fn letter(run: usize) -> char {
    char::from(b'A' + u8::try_from(run).unwrap_or(25).min(25))
}

impl Compared {
    fn to_text(&self, with_rows: bool) -> String {
        let mut text = String::new();
        // Writing to a String cannot fail.
        writeln!(text, "{} runs of {}", self.runs.len(), name_of(&self.task)).ok();
        for (at, run) in self.runs.iter().enumerate() {
            let steps = run.trace.steps.len();
            writeln!(text, "  {}  {steps} steps  {}", letter(at), run.dir.display()).ok();
        }
        text.push('\n');
        if with_rows {
            text.push_str(&self.rows_text());
            text.push('\n');
        }
        self.write_likeness(&mut text);
        text.push('\n');
        self.write_divergence(&mut text);
        text.push('\n');
        self.write_consensus(&mut text);
        text
    }

    fn rows_text(&self) -> String {
        let letters: Vec<String> =
            (0..self.runs.len()).map(|run| letter(run).to_string()).collect();
        let mut columns = vec![Column::right("row")];
        columns.extend(letters.iter().map(|letter| Column::left(letter)));
        columns.extend([Column::left("the same"), Column::left("look alike")]);
        let mut table = Table::new(&columns);
        let traces = self.traces();
        for (at, row) in self.alignment.rows.iter().enumerate() {
            let mut cells = vec![(at + 1).to_string()];
            for (run, step) in row.steps.iter().enumerate() {
                let tool = self.call_of(run, *step).map_or("picture", |call| call.name.as_str());
                cells.push(step.map_or_else(String::new, |step| format!("{step} {tool}")));
            }
            cells.push(row.likeness(&traces).map_or("", likeness_word).to_owned());
            cells.push(looks_text(row));
            table.push(cells);
        }
        table.to_text()
    }

    fn write_likeness(&self, text: &mut String) {
        let traces = self.traces();
        for run in 1..self.runs.len() {
            let count = |is_like: fn(Likeness) -> bool| {
                self.alignment.count_like_first(&traces, run, is_like)
            };
            let of = self.runs[run].trace.steps.len();
            writeln!(
                text,
                "{} beside A: of its {of} steps {} are the same call, {} change the same, after {} the \
                 canvas looks the same",
                letter(run),
                count(|likeness| likeness.call),
                count(|likeness| likeness.effect),
                count(|likeness| likeness.picture),
            )
            .ok();
        }
    }

    fn write_divergence(&self, text: &mut String) {
        let Some(divergence) = &self.alignment.divergence else {
            writeln!(text, "They end with the same canvas.").ok();
            return;
        };
        writeln!(text, "{}", divergence_text(divergence)).ok();
        for (run, step) in divergence.steps.iter().enumerate() {
            let Some(step) = step else {
                writeln!(text, "  {}  nothing like it", letter(run)).ok();
                continue;
            };
            let call = self.call_of(run, Some(*step)).map_or("picture", |call| &call.name);
            writeln!(text, "  {}  step {step}  {call}", letter(run)).ok();
        }
        // Only what differs: two calls of one tool mostly share all but a number.
        for difference in self.differing_arguments(divergence) {
            let values =
                difference.values.iter().enumerate().map(|(run, value)| {
                    format!("{} {}", letter(run), value.as_deref().unwrap_or("–"))
                });
            let values: Vec<String> = values.collect();
            writeln!(text, "  {}: {}", difference.name, values.join("  ")).ok();
        }
    }

    fn differing_arguments(&self, divergence: &LastingDivergence) -> Vec<ArgumentDifference> {
        if divergence.kind != DivergenceKind::Arguments {
            return Vec::new();
        }
        let calls = divergence.steps.iter().enumerate();
        let calls: Option<Vec<&ToolCall>> =
            calls.map(|(run, step)| self.call_of(run, *step)).collect();
        calls.map(|calls| argument_differences(&calls)).unwrap_or_default()
    }

    fn write_consensus(&self, text: &mut String) {
        let consensus = match &self.consensus {
            Ok(consensus) => consensus,
            Err(why) => {
                writeln!(text, "What of the ground truth they have is not known: {why}").ok();
                return;
            }
        };
        match &consensus.nodes {
            Ok(nodes) => write_nodes(text, nodes, self.runs.len()),
            Err(why) => {
                writeln!(text, "Nodes of the ground truth: not known, {why}").ok();
            }
        }
        match &consensus.areas {
            Ok(missed) => {
                writeln!(
                    text,
                    "Of its picture all have {:.1} %, some have {:.1} %, none has {:.1} %",
                    missed.had_by_all * 100.0,
                    missed.had_by_some * 100.0,
                    (1.0 - missed.had_by_all - missed.had_by_some) * 100.0,
                )
                .ok();
                for area in missed.areas.iter().take(MOST_LISTED) {
                    let place = area.area;
                    writeln!(
                        text,
                        "  {:>4.0} % of what all miss at {:.0}, {:.0}, {:.0} × {:.0} px",
                        area.share * 100.0,
                        place.x,
                        place.y,
                        place.width,
                        place.height
                    )
                    .ok();
                }
            }
            Err(why) => {
                writeln!(text, "Its picture: not known, {why}").ok();
            }
        }
    }

    fn to_table(&self, rows: TableRows) -> anyhow::Result<TypedTable> {
        let columns = match rows {
            TableRows::Rows => self.row_columns(),
            TableRows::Nodes => self.node_columns()?,
        };
        let named = self.runs.iter().enumerate();
        let named = named.map(|(at, run)| format!("{}: {}", letter(at), run.dir.display()));
        let divergence = match &self.alignment.divergence {
            Some(divergence) => divergence_text(divergence),
            None => "They end with the same canvas".to_owned(),
        };
        let made_by = MadeBy {
            command: command_words(),
            runs: named.collect::<Vec<_>>().join(", "),
            choices: vec![("task", name_of(&self.task)), ("divergence", divergence)],
            ..MadeBy::default()
        };
        Ok(TypedTable { columns, about: made_by.entries() })
    }

    fn row_columns(&self) -> Vec<TypedColumn> {
        let rows = &self.alignment.rows;
        let numbers = (1..=rows.len()).map(|row| Some(row as f64));
        let mut columns = vec![TypedColumn::numbers("row", numbers.collect())];
        for run in 0..self.runs.len() {
            let steps = rows.iter().map(|row| row.steps.get(run).copied().flatten());
            let calls = steps.clone().map(|step| {
                let call = self.call_of(run, step).map_or("picture", |call| call.name.as_str());
                step.map(|_| call.to_owned())
            });
            let calls = TypedColumn::texts(format!("call {}", letter(run)), calls.collect());
            let steps = steps.map(|step| step.map(f64::from));
            let steps = TypedColumn::numbers(format!("step {}", letter(run)), steps.collect());
            columns.extend([steps, calls]);
        }
        let traces = self.traces();
        let same = rows.iter().map(|row| row.likeness(&traces).map_or("", likeness_word));
        let same = same.map(|word| (!word.is_empty()).then(|| word.to_owned()));
        columns.push(TypedColumn::texts("the same", same.collect()));
        let looks = rows.iter().map(|row| Some(looks_text(row)).filter(|alike| !alike.is_empty()));
        columns.push(TypedColumn::texts("look alike", looks.collect()));
        columns
    }

    fn node_columns(&self) -> anyhow::Result<Vec<TypedColumn>> {
        let consensus = self.consensus.as_ref();
        let consensus = consensus.map_err(|why| {
            anyhow::anyhow!("what of the ground truth the runs have is not known: {why}")
        })?;
        let nodes = consensus.nodes.as_ref();
        let nodes = nodes
            .map_err(|why| anyhow::anyhow!("nodes of the ground truth: not known, {why}"))?
            .iter();
        let mut columns = vec![
            TypedColumn::texts("id", nodes.clone().map(|node| Some(node.id.to_string())).collect()),
            TypedColumn::texts("name", nodes.clone().map(|node| Some(node.name.clone())).collect()),
            TypedColumn::texts("type", nodes.clone().map(|node| Some(node.kind.clone())).collect()),
        ];
        for run in 0..self.runs.len() {
            let had = nodes.clone().map(|node| node.had_by.get(run).copied());
            columns.push(TypedColumn::flags(format!("had by {}", letter(run)), had.collect()));
        }
        Ok(columns)
    }

    fn to_json(&self) -> Value {
        let traces = self.traces();
        let rows = self.alignment.rows.iter().map(|row| {
            let steps: Vec<Value> = row.steps.iter().map(|step| json!(step)).collect();
            json!({
                "steps": steps,
                "same": row.likeness(&traces).map(likeness_json),
                "looks": row.looks,
            })
        });
        let rows: Vec<Value> = rows.collect();
        let runs = self.runs.iter().map(|run| {
            let manifest = &run.run.manifest;
            json!({
                "dir": run.dir, "run": manifest.id, "agent": manifest.agent.name,
                "steps": run.trace.steps.len(),
            })
        });
        let runs: Vec<Value> = runs.collect();
        json!({
            "task": { "set": self.task.set, "id": self.task.id },
            "runs": runs,
            "rows": rows,
            "divergence": self.alignment.divergence.as_ref().map(|divergence| self.divergence_json(divergence)),
            "consensus": match &self.consensus {
                Ok(consensus) => consensus_json(consensus),
                Err(why) => json!({ "missing": why.to_string() }),
            },
        })
    }

    fn divergence_json(&self, divergence: &LastingDivergence) -> Value {
        let arguments = self.differing_arguments(divergence).into_iter();
        let arguments: Vec<Value> = arguments
            .map(|difference| json!({ "name": difference.name, "values": difference.values }))
            .collect();
        json!({
            "row": divergence.row.map(|row| row + 1),
            "kind": kind_word(divergence.kind),
            "steps": divergence.steps,
            "arguments": arguments,
            "reconverged": divergence.reconverged,
        })
    }
}

/// Most nodes and areas that are named.
const MOST_LISTED: usize = 12;

fn write_nodes(text: &mut String, nodes: &[ConsensusNode], runs: usize) {
    let had_by = |node: &ConsensusNode| node.had_by.iter().filter(|it| **it).count();
    let all = nodes.iter().filter(|node| had_by(node) == runs).count();
    let none: Vec<&str> =
        nodes.iter().filter(|node| had_by(node) == 0).map(|node| node.name.as_str()).collect();
    let some = nodes.len() - all - none.len();
    writeln!(
        text,
        "Of the {} nodes of the ground truth all have {all}, some have {some}, none has {}",
        nodes.len(),
        none.len()
    )
    .ok();
    for name in none.iter().take(MOST_LISTED) {
        writeln!(text, "  no run has {name}").ok();
    }
    if none.len() > MOST_LISTED {
        writeln!(text, "  and {} more", none.len() - MOST_LISTED).ok();
    }
}

fn looks_text(row: &AlignedRow) -> String {
    if row.is_same_for_all() {
        return "all".to_owned();
    }
    // A run of its own is not alike to any.
    let kinds = 0..row.looks.len();
    let groups = kinds.filter_map(|kind| {
        let members = row.looks.iter().enumerate().filter(|it| usize::from(*it.1) == kind);
        let members: String = members.map(|(run, _)| letter(run)).collect();
        (members.len() > 1).then_some(members)
    });
    groups.collect::<Vec<_>>().join(" ")
}

fn likeness_word(likeness: Likeness) -> &'static str {
    match likeness {
        Likeness { call: true, .. } => "call",
        Likeness { effect: true, .. } => "change",
        Likeness { picture: true, .. } => "picture",
        Likeness { tool: true, .. } => "tool",
        _ => "",
    }
}

fn likeness_json(likeness: Likeness) -> Value {
    let Likeness { tool, call, effect, picture } = likeness;
    json!({ "tool": tool, "call": call, "effect": effect, "picture": picture })
}

fn kind_word(kind: DivergenceKind) -> &'static str {
    match kind {
        DivergenceKind::Start => "start",
        DivergenceKind::Outcome => "outcome",
        DivergenceKind::Arguments => "arguments",
        DivergenceKind::Tools => "tools",
        DivergenceKind::OnlySome => "only_some",
    }
}

fn divergence_text(divergence: &LastingDivergence) -> String {
    // As people count, and as the table above numbers its rows.
    let row = divergence.row.map_or(0, |row| row + 1);
    let mut text = match divergence.kind {
        DivergenceKind::Start => "They begin with different canvases".to_owned(),
        DivergenceKind::Outcome => {
            format!("They diverge for good in row {row}: one call, two outcomes")
        }
        DivergenceKind::Arguments => format!("They diverge for good in row {row}: other arguments"),
        DivergenceKind::Tools => format!("They diverge for good in row {row}: other tools"),
        DivergenceKind::OnlySome => {
            format!("They diverge for good in row {row}: only some have the step")
        }
    };
    match divergence.reconverged {
        0 => {}
        1 => text.push_str("; they had diverged once before and reconverged"),
        times => {
            write!(text, "; they had diverged {times} times before and reconverged").ok();
        }
    }
    text
}

fn consensus_json(consensus: &Consensus) -> Value {
    let nodes = match &consensus.nodes {
        Ok(nodes) => {
            let nodes = nodes.iter().map(|node| {
                json!({
                    "id": node.id.to_string(), "name": node.name, "type": node.kind,
                    "had_by": node.had_by,
                })
            });
            Value::Array(nodes.collect())
        }
        Err(why) => json!({ "missing": why }),
    };
    let picture = match &consensus.areas {
        Ok(missed) => {
            let areas = missed.areas.iter().map(|area| {
                let place = area.area;
                json!({
                    "x": place.x, "y": place.y, "width": place.width, "height": place.height,
                    "share": area.share,
                })
            });
            let areas: Vec<Value> = areas.collect();
            json!({
                "had_by_all": missed.had_by_all, "had_by_some": missed.had_by_some,
                "missed_by_all": areas,
            })
        }
        Err(why) => json!({ "missing": why }),
    };
    json!({ "nodes": nodes, "picture": picture })
}
