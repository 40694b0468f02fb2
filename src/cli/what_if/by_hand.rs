//! A run of calls from a file, and the reference of a task.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context as _;
use serde_json::{Map, Value, json};

use crate::agent::runner::RunSettings;
use crate::agent::scripted::read_script;
use crate::agent::{AgentTurn, PictureSource, PreparedTask};
use crate::base::CancelToken;
use crate::cli::chosen_task::choose;
use crate::cli::environments::{environments, fonts};
use crate::cli::made_by::print_result_json;
use crate::cli::output::{ScoreJson, note, print, score_text};
use crate::cli::scoring::{Cache, check_variants, models, score_end, scorer};
use crate::environment::{EnvironmentKind, FontSource, ToolCall};
use crate::evaluate::PrimaryMetric;
use crate::evaluate::what_if::{Base, SaveBranch, save_branch};
use crate::metric::Measured;
use crate::run::{
    AgentRef, BY_HAND_KIND, CallEdit, Run, TASKS_SETTING, TaskRef, Totals, folder, inserted_name,
    reader,
};
use crate::task::{PictureFolder, Reference, write_reference};

use super::arguments::{ReferenceForm, WhatIfArguments};

/// Makes the run, scores its end, and makes its calls the reference where that is asked for.
pub(super) fn make(words: &str, arguments: &WhatIfArguments) -> anyhow::Result<()> {
    let chosen = choose(words)?;
    if let Some(form) = arguments.make_reference {
        check_reference(form, &chosen.task.environment)?;
    }
    let calls = arguments.calls.as_deref().context("say which calls: --calls FILE")?;
    let out = arguments.out.as_deref().context("say where the run goes: --out DIR")?;
    // Before anything is made: a wrong name should not cost a run.
    let scorer = scorer(Cache::None, &models(arguments.models.as_deref())?);
    let only: Vec<&str> = arguments.only.iter().map(String::as_str).collect();
    check_variants(scorer.registry(), &only)?;
    let script = read_script(calls)?;
    let settings = RunSettings { fonts: fonts(None::<FontSource>), ..RunSettings::default() };
    let pictures = arguments.pictures.as_deref().map(PictureFolder::open).transpose()?;
    let pictures = PictureSource::in_folder(pictures);
    let open = environments().opener();
    let prepared = PreparedTask::new(&chosen.task, &settings, &pictures, &open)?;
    let task = TaskRef::new(&chosen.set, &chosen.task.id);
    let mut told: Map<String, Value> = settings.to_json();
    told.insert(TASKS_SETTING.to_owned(), json!(chosen.set_dir.display().to_string()));
    if let Some(folder) = pictures.folder() {
        told.insert(crate::agent::PICTURES_SETTING.to_owned(), json!(folder));
    }
    let mut manifest = prepared.manifest(task, AgentRef::by_hand(), told);
    BY_HAND_KIND.clone_into(&mut manifest.mode);
    let base = Base::by_hand(prepared.start, &open)?;
    let (edits, turns, thoughts) = put_in(&script)?;
    let planned = base.planned(&edits)?;
    let dir = folder::claim(out, &manifest.task, &manifest.agent.name)
        .with_context(|| format!("cannot make a folder in {}", out.display()))?;
    let now = manifest.started.clone();
    let order = SaveBranch {
        dir: &dir,
        manifest: &manifest,
        calls: &planned,
        turns: &turns,
        thoughts: &thoughts,
        now: &now,
    };
    let recorded = save_branch(&order, &base, &open, &CancelToken::new())?;
    // Read back, so that what is scored is what others will open.
    let run = std::sync::Arc::new(reader::open(&dir)?);
    let variants: Vec<&str> = match arguments.only.as_slice() {
        [] => vec![PrimaryMetric::of_task(&chosen.task).variant()],
        only => only.iter().map(String::as_str).collect(),
    };
    let scores = score_end(&scorer, &run, &chosen.task, &variants);
    tell(&dir, &recorded.totals, &scores, arguments.json)?;
    match arguments.make_reference {
        Some(form) => {
            let worked = worked(&run);
            make_reference(Some(&chosen.set_dir), &chosen.task.id, form, &worked)
        }
        None => Ok(()),
    }
}

/// Says where the run is and what its end scores.
fn tell(dir: &Path, totals: &Totals, scores: &[Measured], json: bool) -> anyhow::Result<()> {
    if json {
        let scores: Vec<_> = scores.iter().map(ScoreJson::new).collect();
        return print_result_json(&json!({
            "dir": dir, "calls": totals.calls, "failures": totals.failures, "scores": scores,
        }));
    }
    let mut text =
        format!("{} calls, {} failed: {}\n", totals.calls, totals.failures, dir.display());
    for score in scores {
        let value = score_text(&score.measurement.score);
        text += &[score.variant.id.to_string().as_str(), " ", &value, "\n"].concat();
    }
    Ok(print(&text)?)
}

/// The calls that did something: those that failed are no part of a reference.
fn worked(run: &Run) -> Vec<(ToolCall, Option<&str>)> {
    let worked = run
        .steps
        .iter()
        .filter(|step| step.outcome.as_ref().is_some_and(|outcome| outcome.failure.is_none()));
    worked.filter_map(|step| Some((step.call.clone()?, None))).collect()
}

/// The calls of a script as edits of a run without any, with the turn of each and what was thought in it.
#[expect(clippy::type_complexity, reason = "three things that are taken apart at once")]
fn put_in(
    script: &[AgentTurn],
) -> anyhow::Result<(Vec<CallEdit>, Vec<u32>, BTreeMap<u32, String>)> {
    let (mut edits, mut turns, mut thoughts) = (Vec::new(), Vec::new(), BTreeMap::new());
    // Where each turn's calls begin, for what refers to them.
    let mut begins: Vec<u32> = Vec::new();
    for (number, turn) in (1_u32..).zip(script) {
        begins.push(u32::try_from(edits.len()).unwrap_or(u32::MAX));
        if !turn.thought.is_empty() {
            thoughts.insert(number, turn.thought.clone());
        }
        for call in &turn.calls {
            let mut arguments = call.arguments.clone();
            resolve(&mut arguments, &begins, edits.len())
                .with_context(|| format!("turn {number}, {}", call.name))?;
            edits.push(CallEdit::Insert { after: 0, name: call.name.clone(), arguments });
            turns.push(number);
        }
    }
    Ok((edits, turns, thoughts))
}

/// Puts what stands for an inserted call's node in the place of `{"$ref": "turn.call"}`. `before`: how many calls come
/// before this one.
fn resolve(value: &mut Value, begins: &[u32], before: usize) -> anyhow::Result<()> {
    match value {
        Value::Object(fields) if fields.len() == 1 && fields.contains_key("$ref") => {
            let target = fields.get("$ref").and_then(Value::as_str).unwrap_or_default().to_owned();
            let parts = target.split_once('.').and_then(|(turn, call)| {
                let turn: usize = turn.parse().ok()?;
                let call: u32 = call.parse().ok()?;
                let number = begins.get(turn.checked_sub(1)?)?.saturating_add(call);
                // Else a call that its turn does not have would be one of the turn before or behind it.
                let end = begins.get(turn).map_or(before, |next| *next as usize);
                (call > 0 && number as usize <= end).then_some(number)
            });
            let number = parts.with_context(|| {
                format!("\"$ref\" must be \"turn.call\" of an earlier call, not {target:?}")
            })?;
            *value = Value::String(inserted_name(number));
            Ok(())
        }
        Value::Object(fields) => {
            fields.values_mut().try_for_each(|field| resolve(field, begins, before))
        }
        Value::Array(items) => items.iter_mut().try_for_each(|item| resolve(item, begins, before)),
        _ => Ok(()),
    }
}

/// Whether a task of this environment can have a reference of this form.
pub(super) fn check_reference(
    form: ReferenceForm,
    environment: &EnvironmentKind,
) -> anyhow::Result<()> {
    anyhow::ensure!(
        form == ReferenceForm::Tools || *environment == EnvironmentKind::Suite,
        "a task of the {environment} has no reference plan: only the design suite has plans; \
         --make-reference=tools writes the tools"
    );
    Ok(())
}

/// Writes what these calls show into the task's set, and says what was done.
pub(super) fn make_reference(
    set_dir: Option<&Path>,
    task: &str,
    form: ReferenceForm,
    calls: &[(ToolCall, Option<&str>)],
) -> anyhow::Result<()> {
    let set_dir = set_dir.with_context(|| {
        format!("the task set of {task} was not found: say where it is with --tasks")
    })?;
    let reference = match form {
        ReferenceForm::Tools => Reference::tools_of(calls.iter().map(|(call, _)| call)),
        ReferenceForm::Plan => Reference::plan_of(calls.iter().map(|(call, words)| (call, *words))),
    };
    let what = reference.name();
    anyhow::ensure!(
        !reference.is_empty(),
        "no call worked, so that there is nothing for the {what}"
    );
    let backup = write_reference(set_dir, task, &reference)?;
    let is = if form == ReferenceForm::Tools { "are" } else { "is" };
    note(&format!(
        "the {what} of {task} {is} now {}; the file as it was: {}",
        reference.summary(),
        backup.display()
    ));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(calls: &[Value]) -> AgentTurn {
        let calls = calls.iter().map(|arguments| ToolCall {
            id: String::new(),
            name: "t".to_owned(),
            arguments: arguments.clone(),
        });
        AgentTurn { calls: calls.collect(), ..AgentTurn::default() }
    }

    #[test]
    fn references_of_a_script_become_those_of_calls_put_in() {
        let script = [
            turn(&[json!({}), json!({})]),
            turn(&[json!({ "nodeId": { "$ref": "1.2" }, "nodeIds": [{ "$ref": "1.1" }] })]),
        ];
        let (edits, turns, _) = put_in(&script).unwrap();
        let CallEdit::Insert { arguments, .. } = &edits[2] else { panic!("{edits:?}") };
        assert_eq!(*arguments, json!({ "nodeId": "+2", "nodeIds": ["+1"] }));
        assert_eq!(turns, [1, 1, 2]);
        // Of turns and calls that are not there, the call itself, and calls behind it.
        for target in ["9.1", "1.0", "2.0", "1.2", "2.1", "2.2"] {
            let referring = json!({ "nodeId": { "$ref": target } });
            let error = put_in(&[turn(&[json!({})]), turn(&[referring])]).unwrap_err();
            assert!(format!("{error:#}").contains("turn 2, t"), "{target}: {error:#}");
        }
    }
}
