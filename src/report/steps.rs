//! The list of a run's turns and calls.

use std::fmt::Write as _;

use crate::metric::Score;
use crate::run::{Step, Turn};

use super::gather::RunReport;
use super::html::{escape, gain, score, shorten};

/// Characters of arguments shown before they are opened.
const BRIEF: usize = 96;
/// Characters of arguments and outcomes shown at most: pictures are sent as text sometimes.
const FULL: usize = 4000;

/// Whether a step's call failed.
pub(super) fn failed(step: &Step) -> bool {
    step.outcome.as_ref().is_some_and(|outcome| outcome.failure.is_some())
}

/// The turns of a run with their calls.
pub(super) fn turns(report: &RunReport) -> String {
    report.run.turns.iter().map(|turn| turn_section(report, turn)).collect()
}

fn turn_section(report: &RunReport, turn: &Turn) -> String {
    let rows: String = report.run.steps_of(turn).map(|step| row(report, step)).collect();
    let thought = match turn.thought.trim() {
        "" => String::new(),
        thought => format!("<p class=\"thought\">{}</p>", escape(&shorten(thought, FULL))),
    };
    let rows = if rows.is_empty() { rows } else { format!("<ol>{rows}</ol>") };
    format!(
        "<section class=\"turn\"><h4>Turn {}<span>{}</span></h4>{thought}{rows}</section>",
        turn.number,
        turn_facts(report, turn),
    )
}

/// What the turn gained, and what it cost where that is known.
fn turn_facts(report: &RunReport, turn: &Turn) -> String {
    let mut facts = Vec::new();
    // Score 0 is of the start, so that of `first_step` is what was there before the turn.
    let [before, after] = [turn.first_step, turn.first_step + turn.step_count]
        .map(|step| report.lead.scores.get(step).and_then(Score::value));
    let ends = before.zip(after);
    if let Some((before, after)) = ends.filter(|_| turn.step_count > 0) {
        facts.push(gain(Some(after - before), report.lead.direction()));
    }
    if let Some(seconds) = turn.seconds {
        facts.push(format!("{seconds:.1} s"));
    }
    if let Some(usage) = turn.usage {
        facts.push(format!("{} tokens", usage.input_tokens + usage.output_tokens));
    }
    facts.join(" · ")
}

fn row(report: &RunReport, step: &Step) -> String {
    let at = step.number as usize;
    let after = report.lead.scores.get(at);
    format!(
        "<li class=\"{}\"><span class=\"n\">{}</span><div class=\"call\">{}</div>\
         <span class=\"s\"{}>{}</span><span class=\"d\">{}</span></li>",
        if failed(step) { "failed" } else { "" },
        step.number,
        call(step),
        others(report, at),
        score(after),
        gain(report.lead.gain(at), report.lead.direction()),
    )
}

/// What the other variants say of a step, as a tooltip.
fn others(report: &RunReport, at: usize) -> String {
    let words = report.others.iter().filter_map(|followed| {
        // Without a value there is nothing to say of this step: the page says why elsewhere.
        let value = followed.scores.get(at)?.value()?;
        let change = followed.gain(at).map(|gain| format!(" ({gain:+.4})")).unwrap_or_default();
        Some(format!("{} {value:.4}{change}", followed.variant.id))
    });
    match words.collect::<Vec<_>>().join("\n") {
        words if words.is_empty() => words,
        words => format!(" title=\"{}\"", escape(&words)),
    }
}

fn call(step: &Step) -> String {
    let Some(call) = &step.call else { return "<span class=\"quiet\">picture</span>".to_owned() };
    let arguments = call.arguments.to_string();
    let brief = if arguments == "{}" { String::new() } else { escape(&shorten(&arguments, BRIEF)) };
    let category = step.category.label();
    let mut html = format!(
        "<details><summary><i class=\"{category}\" title=\"{category}\"></i><b>{}</b> <code>{brief}</code></summary>",
        escape(&call.name),
    );
    // In one line closed, on lines of its own opened: both are cut, as a picture may be in them.
    let full = serde_json::to_string_pretty(&call.arguments).unwrap_or(arguments);
    // Writing to a String cannot fail.
    write!(html, "<pre>{}</pre>", escape(&shorten(&full, FULL))).ok();
    if let Some(outcome) = step.outcome.as_ref().filter(|outcome| outcome.failure.is_none()) {
        write!(html, "<pre class=\"outcome\">{}</pre>", escape(&shorten(&outcome.text, FULL))).ok();
    }
    html + "</details>" + &failure(step)
}

/// Why the call failed, in the open.
fn failure(step: &Step) -> String {
    match &step.outcome {
        None => "<p class=\"why\">The run died in the middle of this call.</p>".to_owned(),
        Some(outcome) => outcome.failure.as_ref().map_or_else(String::new, |failure| {
            format!("<p class=\"why\">{}</p>", escape(&shorten(&failure.message, FULL)))
        }),
    }
}
