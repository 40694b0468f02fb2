//! The page: a summary of all runs, then each run.

use crate::base::Pixels;
use crate::metric::Score;
use crate::run::Outcome;

use super::super::score::{mean_of, outcome_word};
use super::curve::{curve, sparkline};
use super::gather::RunReport;
use super::heat::{css_gradient, heat};
use super::html::{escape, image, score, shorten};
use super::steps;

const STYLE: &str = include_str!("style.css");
/// Runs up to which their steps are shown open.
const OPEN_RUNS: usize = 3;
/// Characters of an instruction that are shown.
const INSTRUCTION: usize = 2000;

/// The whole file.
pub(super) fn page(reports: &[RunReport]) -> String {
    let runs: String = reports
        .iter()
        .enumerate()
        .map(|(at, report)| run(at, report, reports.len() <= OPEN_RUNS))
        .collect();
    let title = match reports {
        [only] => format!("{} · {}", only.run.manifest.task.id, only.run.manifest.agent.name),
        _ => format!("{} runs", reports.len()),
    };
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\">\
         <title>{title} – Pentimento</title><style>{STYLE}\n.ramp{{background:{}}}</style></head>\n\
         <body><main><header class=\"top\"><p class=\"brand\">Pentimento</p><h1>{title}</h1>{}</header>\n{}{runs}</main></body></html>\n",
        css_gradient(),
        facts(reports),
        summary(reports),
        title = escape(&title),
    )
}

/// One line of figures over all runs.
fn facts(reports: &[RunReport]) -> String {
    let values: Vec<f64> =
        reports.iter().filter_map(|report| report.last_score()?.value()).collect();
    let completed =
        reports.iter().filter(|report| report.run.manifest.outcome == Outcome::Completed).count();
    let calls: usize = reports.iter().map(|report| report.run.steps.len()).sum();
    let mean = mean_of(&values).map_or_else(|| "–".to_owned(), |mean| format!("{mean:.3}"));
    let fact = |label: &str, value: &str| format!("<div><dt>{label}</dt><dd>{value}</dd></div>");
    format!(
        "<dl class=\"facts\">{}{}{}{}</dl>",
        fact("mean SSIM", &mean),
        fact("scored", &format!("{} of {}", values.len(), reports.len())),
        fact("completed", &completed.to_string()),
        fact("calls", &calls.to_string()),
    )
}

/// The table of all runs; one run needs none.
fn summary(reports: &[RunReport]) -> String {
    if reports.len() < 2 {
        return String::new();
    }
    let rows: String =
        reports.iter().enumerate().map(|(at, report)| summary_row(at, report)).collect();
    format!(
        "<div class=\"scroll\"><table><thead><tr><th>Task</th><th>Agent</th><th>Outcome</th>\
         <th class=\"r\">Turns</th><th class=\"r\">Calls</th><th class=\"r\">Failed</th><th>Curve</th>\
         <th class=\"r\">Best</th><th class=\"r\">SSIM</th></tr></thead><tbody>{rows}</tbody></table></div>\n"
    )
}

fn summary_row(at: usize, report: &RunReport) -> String {
    let manifest = &report.run.manifest;
    let best = report.best().map_or_else(|| "–".to_owned(), |(_, value)| format!("{value:.3}"));
    format!(
        "<tr><td><a href=\"#run-{at}\">{}</a></td><td>{}</td><td>{}</td><td class=\"r\">{}</td>\
         <td class=\"r\">{}</td><td class=\"r\">{}</td><td>{}</td><td class=\"r quiet\">{best}</td><td class=\"r\"><b>{}</b></td></tr>",
        escape(&manifest.task.id),
        escape(&manifest.agent.name),
        outcome(&manifest.outcome),
        report.run.turns.len(),
        report.run.steps.len(),
        failures(report),
        sparkline(report),
        score(report.last_score()),
    )
}

fn failures(report: &RunReport) -> usize {
    report.run.steps.iter().filter(|step| steps::failed(step)).count()
}

fn outcome(outcome: &Outcome) -> String {
    let (word, detail) = (outcome_word(outcome), outcome_detail(outcome).unwrap_or_default());
    format!("<span class=\"state {word}\" title=\"{}\">{word}</span>", escape(detail))
}

fn outcome_detail(outcome: &Outcome) -> Option<&str> {
    match outcome {
        Outcome::Failed(detail) | Outcome::LimitReached(detail) => Some(detail),
        Outcome::Running | Outcome::Completed | Outcome::Cancelled => None,
    }
}

fn run(at: usize, report: &RunReport, open: bool) -> String {
    let manifest = &report.run.manifest;
    let open = if open { " open" } else { "" };
    format!(
        "<article id=\"run-{at}\"><header><h2>{}</h2>{}<p class=\"sub\">{}</p></header>{}{}{}\
         <div class=\"figures\">{}</div>\
         <details class=\"steps\"{open}><summary>{} calls in {} turns</summary>{}</details></article>\n",
        escape(&manifest.task.id),
        outcome(&manifest.outcome),
        sub_title(report),
        instruction(report),
        problems(report),
        curve_figure(report),
        figures(report),
        report.run.steps.len(),
        report.run.turns.len(),
        steps::turns(report),
    )
}

fn sub_title(report: &RunReport) -> String {
    let manifest = &report.run.manifest;
    let mut parts =
        vec![format!("<b>{}</b>", escape(&manifest.agent.name)), escape(&manifest.task.set)];
    if !manifest.started.is_empty() {
        parts.push(escape(&manifest.started));
    }
    if manifest.totals.seconds > 0.0 {
        parts.push(format!("{:.1} s", manifest.totals.seconds));
    }
    if failures(report) > 0 {
        parts.push(format!("<span class=\"worse\">{} calls failed</span>", failures(report)));
    }
    parts.push(format!("<code>{}</code>", escape(&report.dir)));
    parts.join(" · ")
}

fn instruction(report: &RunReport) -> String {
    report.task.as_ref().map_or_else(String::new, |task| {
        format!("<blockquote>{}</blockquote>", escape(&shorten(&task.instruction, INSTRUCTION)))
    })
}

/// What is wrong with the run or its report, each in a line.
fn problems(report: &RunReport) -> String {
    let outcome = outcome_detail(&report.run.manifest.outcome);
    let torn = report.run.torn.as_ref().map(|torn| torn.message.as_str());
    let notes = report.run.notes.iter().chain(&report.problems).map(String::as_str);
    let lines: String = outcome
        .into_iter()
        .chain(torn)
        .chain(notes)
        .map(|line| format!("<li>{}</li>", escape(line)))
        .collect();
    if lines.is_empty() { lines } else { format!("<ul class=\"problems\">{lines}</ul>") }
}

/// The curve with what it says in words.
fn curve_figure(report: &RunReport) -> String {
    let curve = curve(report);
    let (Some((step, best)), Some(Score::Value(last))) = (report.best(), report.last_score())
    else {
        return curve;
    };
    let lower = best - last;
    let words = if lower < 0.000_5 {
        format!("Ended at its best, <b>{last:.3}</b>.")
    } else {
        format!(
            "Peaked at step {step} (<b>{best:.3}</b>), ended <span class=\"worse\">{lower:.3} lower</span> at <b>{last:.3}</b>."
        )
    };
    format!(
        "<figure class=\"over-steps\"><figcaption><span>SSIM over steps</span> {words}</figcaption>{curve}</figure>"
    )
}

fn figures(report: &RunReport) -> String {
    let heat = report.map.as_ref().and_then(heat);
    let last = format!("Canvas, {}", score(report.last_score()));
    let legend = "SSIM heat <span class=\"legend\">1 <i class=\"ramp\"></i> 0</span>";
    [
        figure(report.canvas.as_ref(), &last, "the canvas at the end"),
        figure(report.ground_truth.as_ref(), "Ground truth", "the ground truth"),
        figure(heat.as_ref(), legend, "where they differ"),
    ]
    .concat()
}

fn figure(picture: Option<&Pixels>, caption: &str, alternative: &str) -> String {
    let content = picture.map_or_else(
        || "<div class=\"void\">none</div>".to_owned(),
        |picture| image(picture, alternative),
    );
    format!("<figure>{content}<figcaption>{caption}</figcaption></figure>")
}
