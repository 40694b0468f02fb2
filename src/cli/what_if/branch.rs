//! A run with edits, beside the run as it was.

use std::path::PathBuf;

use anyhow::Context as _;
use serde_json::{Value, json};

use crate::base::CancelToken;
use crate::cli::environments::environments;
use crate::cli::made_by::print_result_json;
use crate::cli::output::{note, print, score_text};
use crate::cli::table::{Column, Table};
use crate::environment::ToolCall;
use crate::evaluate::what_if::{
    Base, Branch, Looks, SaveBranch, branch_manifest, save_branch, taken_over_manifest,
    thoughts_of, turns_by_hand, turns_of,
};
use crate::metric::{MissingScore, Score};
use crate::run::{CallEdit, CallSource, PlannedCall, folder};
use crate::task::words_of_call;

use super::arguments::WhatIfArguments;
use super::by_hand::{check_reference, make_reference};
use super::subject::{Judges, RunSubject, all_missing};

/// Longest text of an outcome in a table, in characters.
const TEXT_CHARS: usize = 100;

/// Makes the branch, shows what came of it, and keeps it where that is asked for.
pub(super) fn branch(arguments: &WhatIfArguments) -> anyhow::Result<()> {
    let judges = Judges::of(arguments)?;
    let subject = RunSubject::open(arguments)?;
    if let Some(form) = arguments.make_reference {
        check_reference(form, &subject.run.manifest.environment)?;
    }
    let base = &subject.base;
    let edits = arguments
        .edits
        .call_edits(base.last(), |step| base.call(step).map(|call| &call.call.arguments))?;
    let calls = base.planned(&edits)?;
    let made = MadeBranch::new(arguments, &judges, &subject, &calls)?;
    // Recorded before it is printed: what is said to be in a folder is there.
    let dir = arguments.out.is_some().then(|| save(arguments, &subject, &edits, &calls));
    let dir = dir.transpose()?;
    if arguments.json {
        print_result_json(&made.json(&subject, &edits, dir.as_ref()))?;
    } else {
        print(&made.text(&subject))?;
    }
    if let Some(dir) = &dir {
        note(&format!("recorded in {}", dir.display()));
    }
    if let Some(form) = arguments.make_reference {
        let set_dir = subject.set_dir.as_deref();
        let worked = made.calls.iter().zip(&calls).filter(|(call, _)| !call.failed);
        let worked: Vec<(ToolCall, Option<&str>)> = worked
            .map(|(made, planned)| (made.as_call(), words_of_call(&subject.run, planned)))
            .collect();
        make_reference(set_dir, &subject.run.manifest.task.id, form, &worked)?;
    }
    Ok(())
}

/// A branch that was made.
struct MadeBranch<'a> {
    variants: Vec<&'a str>,
    before: Vec<Score>,
    after: Vec<Score>,
    calls: Vec<MadeCall>,
    newly_failed: Vec<u32>,
}

struct MadeCall {
    source: CallSource,
    name: String,
    arguments: Value,
    text: String,
    failed: bool,
    /// After it, if every step was scored.
    scores: Option<Vec<Score>>,
}

impl MadeCall {
    fn as_call(&self) -> ToolCall {
        let (name, arguments) = (self.name.clone(), self.arguments.clone());
        ToolCall { id: String::new(), name, arguments }
    }
}

impl<'a> MadeBranch<'a> {
    fn new(
        arguments: &WhatIfArguments,
        judges: &'a Judges,
        subject: &RunSubject,
        calls: &[PlannedCall],
    ) -> anyhow::Result<Self> {
        let never = CancelToken::new();
        let variants = judges.variants(&subject.run);
        let scores = judges.scores(subject, &variants);
        let score = |environment: &dyn crate::environment::Environment| match &scores {
            Ok(scores) => scores.of(environment, &never),
            Err(why) => Ok(all_missing(&variants, why)),
        };
        let mut branch = Branch::new(&subject.base, Looks::Made, &environments().opener())?;
        // First as it was: a call that failed then too is no fault of the edits.
        branch.run(&subject.base.unedited(), &never, |_, _| ())?;
        let before = score(branch.environment())?;
        branch.run(calls, &never, |_, _| ())?;
        let after = score(branch.environment())?;
        let newly_failed = branch.newly_failed();
        let mut made = Vec::with_capacity(calls.len());
        let steps: Vec<_> = branch.steps().to_vec();
        for (at, step) in steps.iter().enumerate() {
            let scores =
                if arguments.steps { Some(score(branch.environment_at(at + 1))?) } else { None };
            made.push(MadeCall {
                source: step.planned.source,
                name: step.call.name.clone(),
                arguments: step.call.arguments.clone(),
                text: step.told.text.clone(),
                failed: step.told.failure.is_some(),
                scores,
            });
        }
        drop(scores);
        Ok(Self { variants, before, after, calls: made, newly_failed })
    }

    fn json(&self, subject: &RunSubject, edits: &[CallEdit], dir: Option<&PathBuf>) -> Value {
        let calls = self.calls.iter().map(|call| {
            let mut json = json!({
                "name": call.name, "arguments": call.arguments, "failed": call.failed, "text": call.text,
            });
            let (key, number) = match call.source {
                CallSource::Recorded(step) => ("step", step),
                CallSource::Inserted(number) => ("inserted", number),
            };
            json[key] = json!(number);
            if let Some(scores) = &call.scores {
                json["scores"] = scores_json(scores);
            }
            json
        });
        json!({
            "run": subject.dir,
            "edits": edits,
            "variants": self.variants,
            "with": scores_json(&self.after),
            "without_edits": scores_json(&self.before),
            "calls": calls.collect::<Vec<_>>(),
            "newly_failed": self.newly_failed,
            "dir": dir,
        })
    }

    fn text(&self, subject: &RunSubject) -> String {
        let columns = [
            Column::left("variant"),
            Column::right("run"),
            Column::right("what-if"),
            Column::right("change"),
        ];
        let mut table = Table::new(&columns);
        for ((variant, before), after) in self.variants.iter().zip(&self.before).zip(&self.after) {
            let change = before.value().zip(after.value());
            let change = change.map_or("—".to_owned(), |(before, after)| {
                // Adding zero makes 0 of −0, which would be printed with its sign.
                format!("{:+.4}", after - before + 0.0)
            });
            table.push(vec![(*variant).to_owned(), score_text(before), score_text(after), change]);
        }
        let (was, is) = (subject.base.last(), self.calls.len());
        let mut text = format!("{was} calls, what-if {is}\n\n{}", table.to_text());
        let failed = self.calls.iter().filter(|call| match call.source {
            CallSource::Recorded(step) => self.newly_failed.contains(&step),
            CallSource::Inserted(_) => call.failed,
        });
        for call in failed {
            let told: String = call.text.chars().take(TEXT_CHARS).collect();
            text += &[&place(call.source), " ", &call.name, " fails: ", &told, "\n"].concat();
        }
        if self.calls.iter().any(|call| call.scores.is_some()) {
            text += "\n";
            text += &self.step_table().to_text();
        }
        text
    }

    fn step_table(&self) -> Table<'_> {
        let mut columns = vec![Column::left("call"), Column::left("tool")];
        columns.extend(self.variants.iter().map(|variant| Column::right(variant)));
        let mut table = Table::new(&columns);
        for call in &self.calls {
            let mut row = vec![place(call.source), call.name.clone()];
            row.extend(call.scores.iter().flatten().map(score_text));
            table.push(row);
        }
        table
    }
}

/// How a call is named.
fn place(source: CallSource) -> String {
    match source {
        CallSource::Recorded(step) => format!("step {step}"),
        CallSource::Inserted(number) => format!("+{number}"),
    }
}

/// Values, or null with the reason.
pub(super) fn scores_json(scores: &[Score]) -> Value {
    let scores = scores.iter().map(|score| match score {
        Score::Value(value) => json!({ "value": value }),
        Score::Missing(why) => {
            json!({ "value": null, "reason": MissingScore::reason(why), "message": why.to_string() })
        }
    });
    scores.collect()
}

fn save(
    arguments: &WhatIfArguments,
    subject: &RunSubject,
    edits: &[CallEdit],
    calls: &[PlannedCall],
) -> anyhow::Result<PathBuf> {
    let out = arguments.out.clone().unwrap_or_default();
    let base: &Base = &subject.base;
    let now = jiff::Timestamp::now().to_string();
    let thoughts = thoughts_of(&subject.run);
    let (manifest, turns) = if arguments.by_hand {
        // Of a run that only lost calls nothing is anybody's work: that is another branch of the agent's own.
        let is_inserted = |call: &PlannedCall| matches!(call.source, CallSource::Inserted(_));
        let why = "nothing is done by hand: put a call in with --insert";
        anyhow::ensure!(calls.iter().any(is_inserted), why);
        let manifest = taken_over_manifest(&subject.run, edits.to_vec(), &now);
        (manifest, turns_by_hand(base, calls))
    } else {
        (branch_manifest(&subject.run, edits.to_vec(), &now), turns_of(base, calls))
    };
    let dir = folder::claim(&out, &manifest.task, &manifest.agent.name)
        .with_context(|| format!("cannot make a folder in {}", out.display()))?;
    let order = SaveBranch {
        dir: &dir,
        manifest: &manifest,
        calls,
        turns: &turns,
        thoughts: &thoughts,
        now: &now,
    };
    save_branch(&order, base, &environments().opener(), &CancelToken::new())?;
    Ok(dir)
}
