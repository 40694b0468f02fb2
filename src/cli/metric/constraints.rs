//! `pentimento metric constraints`: designs against the components of their queries.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::base::CancelToken;
use crate::cli::collection::Collection;
use crate::cli::environments::environments;
use crate::cli::made_by::print_result_json;
use crate::cli::output::{note, print};
use crate::cli::scoring::{ScoreJob, last_step, read_runs};
use crate::cli::table::{Column, Table};
use crate::evaluate::RunCanvas;
use crate::evaluate::{check_side, compared_step};
use crate::metric::constraint::{Aspect, Findings, Verdict};

/// Hold designs against what their queries ask for, component by component
///
/// Texts present and exact, colours close to their names, sizes, places, on the page, readable: each a
/// yes, a no, or why there is no answer. No model is asked.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct ConstraintsArguments {
    /// Runs of the design suite, or folders with runs in them.
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    /// Where the queries of these runs are; imported plans have their own. May be given several times.
    #[arg(long, value_name = "PATH")]
    tasks: Vec<PathBuf>,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  pentimento metric constraints runs/graphicbench-test/poster-261/rules-01 --tasks test.jsonl
  pentimento metric constraints runs --tasks test.jsonl --json | jq .by_aspect

JSON, with the program and the command: {\"share\", \"by_aspect\": {ASPECT: {\"yes\", \"no\"}}, \"runs\": [{\"dir\", \"agent\", \"task\", \"share\",
\"findings\": [{\"component\", \"aspect\", \"verdict\", \"node\", \"why\"}]} or {…, \"problem\"}]}";

/// A run with what was found of its design, or why nothing was.
struct Checked {
    dir: String,
    agent: String,
    task: String,
    findings: Result<Findings, String>,
}

/// Does the command.
pub(super) fn measure(arguments: &ConstraintsArguments) -> anyhow::Result<()> {
    let mut collection = Collection::open(&arguments.runs, &arguments.tasks)?;
    let (jobs, problems) = read_runs(&mut collection);
    for problem in &problems {
        note(&format!("warning: {problem}"));
    }
    anyhow::ensure!(!jobs.is_empty(), "there is no run at these paths");
    let checked: Vec<Checked> = jobs.into_par_iter().map(|job| checked(&job)).collect();
    if arguments.json {
        return print_result_json(&json!({
            "share": share(&checked.iter().collect::<Vec<_>>()),
            "by_aspect": by_aspect(&checked),
            "runs": checked.iter().map(Checked::json).collect::<Vec<_>>(),
        }));
    }
    Ok(print(&text(&checked))?)
}

fn checked(job: &ScoreJob) -> Checked {
    let manifest = &job.run.manifest;
    Checked {
        dir: job.dir.display().to_string(),
        agent: manifest.agent.name.clone(),
        task: manifest.task.id.clone(),
        findings: findings(job),
    }
}

/// What its query says of the design at the end of the run.
fn findings(job: &ScoreJob) -> Result<Findings, String> {
    let brief = job.task.as_ref().and_then(|task| task.brief.as_ref());
    // Imported plans have their own query; of other runs the set has to be found.
    let brief = brief.ok_or("its task is no design query, or was not found")?;
    let canvas = RunCanvas::open(Arc::clone(&job.run), job.task.clone(), &environments().opener());
    let mut canvas = canvas.map_err(|error| error.to_string())?;
    let made = compared_step(&mut canvas, last_step(&job.run), &CancelToken::new())
        .map_err(|error| error.to_string())?;
    check_side(&brief.query, &made).map_err(|error| error.to_string())
}

fn counted<'a>(
    checked: impl Iterator<Item = &'a Checked>,
    verdict: Verdict,
    aspect: Option<Aspect>,
) -> usize {
    // A run without findings has none to count: it is said among the problems.
    checked.flat_map(|it| &it.findings).map(|found| found.count(verdict, aspect)).sum()
}

/// The share of yes among what has an answer.
fn share(checked: &[&Checked]) -> Option<f64> {
    // Over all questions of all runs, not a mean of means: a design with many components weighs more.
    let [yes, no] =
        [Verdict::Yes, Verdict::No].map(|verdict| counted(checked.iter().copied(), verdict, None));
    (yes + no > 0).then(|| yes as f64 / (yes + no) as f64)
}

/// Yes and no by aspect.
fn by_aspect(checked: &[Checked]) -> Value {
    let aspects = Aspect::ALL.into_iter().map(|aspect| {
        let [yes, no] = [Verdict::Yes, Verdict::No]
            .map(|verdict| counted(checked.iter(), verdict, Some(aspect)));
        (aspect.word().to_owned(), json!({ "yes": yes, "no": no }))
    });
    aspects.collect()
}

impl Checked {
    fn json(&self) -> Value {
        let (dir, agent, task) = (&self.dir, &self.agent, &self.task);
        match &self.findings {
            Err(why) => json!({ "dir": dir, "agent": agent, "task": task, "problem": why }),
            Ok(found) => json!({
                "dir": dir,
                "agent": agent,
                "task": task,
                "share": found.share(None),
                "findings": found.0.iter().map(finding_json).collect::<Vec<_>>(),
            }),
        }
    }
}

fn finding_json(finding: &crate::metric::constraint::Finding) -> Value {
    json!({
        "component": finding.component,
        "aspect": finding.aspect.word(),
        "asked": finding.asked,
        "verdict": finding.verdict.word(),
        "node": finding.node.as_ref().map(ToString::to_string),
        "why": finding.reason,
    })
}

/// Most runs that have a row each; of more, each agent has one.
const MOST_ROWS: usize = 50;

/// A row a run, or of many runs an agent; of a single run every finding.
fn text(checked: &[Checked]) -> String {
    // Of a single run one wants to know why; the rest of the time, where to look.
    if let [Checked { findings: Ok(found), .. }] = checked {
        let mut table = Table::new(&[
            Column::left("component"),
            Column::left("aspect"),
            Column::left(""),
            Column::left("why"),
        ]);
        for it in &found.0 {
            table.push(vec![
                it.component.clone(),
                it.aspect.word().to_owned(),
                it.verdict.word().to_owned(),
                it.reason.clone(),
            ]);
        }
        return table.to_text();
    }
    let mut table = Table::new(&[
        Column::left(if checked.len() > MOST_ROWS { "agent" } else { "run" }),
        Column::right("runs"),
        Column::right("yes"),
        Column::right("no"),
        Column::right("can't say"),
        Column::right("share of yes"),
        Column::left("problem"),
    ]);
    let mut groups: BTreeMap<&str, Vec<&Checked>> = BTreeMap::new();
    for it in checked {
        let name = if checked.len() > MOST_ROWS { &it.agent } else { &it.dir };
        groups.entry(name).or_default().push(it);
    }
    // Many runs are read by who made them, few by where they lie.
    for (name, group) in groups {
        let mut row = vec![name.to_owned(), group.len().to_string()];
        row.extend(
            [Verdict::Yes, Verdict::No, Verdict::CantSay]
                .map(|verdict| counted(group.iter().copied(), verdict, None).to_string()),
        );
        row.push(share_text(share(&group)));
        row.push(
            // The first: of many runs of one agent it is most often the same.
            group.iter().find_map(|it| it.findings.as_ref().err().cloned()).unwrap_or_default(),
        );
        table.push(row);
    }
    let all = share_text(share(&checked.iter().collect::<Vec<_>>()));
    format!("{}\nshare of yes over all: {all}\n", table.to_text())
}

fn share_text(share: Option<f64>) -> String {
    share.map_or_else(|| "—".to_owned(), |share| format!("{share:.3}"))
}
