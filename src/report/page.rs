//! The page: a summary of all runs, then each run.

use std::collections::BTreeMap;

use crate::base::Pixels;
use crate::evaluate::MadeBy;
use crate::metric::stats::mean;
use crate::metric::{Direction, Score};
use crate::run::{Manifest, Outcome, ProviderTotals};
use crate::workbench::views::HeatScale;

use super::curve::{curve, sparkline};
use super::followed::{Followed, value_words};
use super::gather::RunReport;
use super::heat::{css_gradient, heat};
use super::html::{escape, image, score, shorten};
use super::steps;

const STYLE: &str = include_str!("style.css");
/// Runs up to which their steps are shown open.
const OPEN_RUNS: usize = 3;
/// Characters of an instruction that are shown.
const INSTRUCTION: usize = 2000;

/// The whole file, which the command makes again; `left_out` names runs that are not in it, and why.
pub fn page(reports: &[RunReport], command: &str, left_out: &[String]) -> String {
    let articles: String = reports
        .iter()
        .enumerate()
        .map(|(at, report)| run(at, report, reports.len() <= OPEN_RUNS))
        .collect();
    let title = match reports {
        [only] => format!("{} · {}", only.run.manifest.task.id, only.run.manifest.agent.name),
        // Tasks and agents of several runs stand in the table below.
        _ => format!("{} runs", reports.len()),
    };
    let mut variants: Vec<String> = Vec::new();
    for followed in reports.iter().flat_map(RunReport::followed) {
        if !variants.iter().any(|id| *id == *followed.variant.id) {
            variants.push(followed.variant.id.to_string());
        }
    }
    let made_by = MadeBy {
        command: command.to_owned(),
        runs: reports.len().to_string(),
        variants,
        left_out: left_out.to_vec(),
        ..MadeBy::default()
    };
    let footer = footer(&made_by);
    document(&title, &facts(reports), &format!("{}{articles}{footer}", summary(reports)))
}

/// Where a page comes from, below all of it.
pub(super) fn footer(made_by: &MadeBy) -> String {
    let lines: Vec<String> = made_by.lines().iter().map(|line| escape(line)).collect();
    format!("<footer>{}</footer>", lines.join("<br>"))
}

/// A page that needs nothing else: a title, what is said below it, and the rest.
pub(super) fn document(title: &str, facts: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\">\
         <title>{title} – Pentimento</title><style>{STYLE}\n.ramp{{background:{}}}</style></head>\n\
         <body><main><header class=\"top\"><p class=\"brand\">Pentimento</p><h1>{title}</h1>{facts}</header>\n{body}</main></body></html>\n",
        css_gradient(),
        title = escape(title),
    )
}

/// The variants that lead, each once: runs of design queries are led by another than those that have a ground truth.
fn leads(reports: &[RunReport]) -> Vec<&Followed> {
    let mut leads: Vec<&Followed> = Vec::new();
    for report in reports {
        if !leads.iter().any(|known| leads_by(report, known)) {
            leads.push(&report.lead);
        }
    }
    leads
}

/// Whether a run is led by this variant.
fn leads_by(report: &RunReport, lead: &Followed) -> bool {
    report.lead.variant.id == lead.variant.id
}

/// One line of figures over all runs, a mean for each variant that leads.
fn facts(reports: &[RunReport]) -> String {
    let means = leads(reports).into_iter().map(|lead| {
        let led = reports.iter().filter(|report| leads_by(report, lead));
        let values: Vec<f64> = led.filter_map(|report| report.lead.last()?.value()).collect();
        let mean = mean(&values).map_or_else(|_none| "–".to_owned(), |mean| format!("{mean:.3}"));
        format!("<div><dt>mean {}</dt><dd>{mean}</dd></div>", escape(lead.variant.label))
    });
    let means: String = means.collect();
    let scored = reports.iter().filter_map(|report| report.lead.last()?.value()).count();
    let completed = reports.iter().filter(|report| {
        let manifest = &report.run.manifest;
        manifest.outcome == Outcome::Completed && manifest.says_outcome()
    });
    let completed = completed.count();
    let steps: usize = reports.iter().map(|report| report.run.steps.len()).sum();
    format!(
        "<dl class=\"facts\">{means}\
         <div><dt>scored</dt><dd>{scored} of {}</dd></div>\
         <div><dt>completed</dt><dd>{completed}</dd></div>\
         <div><dt>steps</dt><dd>{steps}</dd></div></dl>{}",
        reports.len(),
        requests(reports),
    )
}

/// What the providers of models were asked in all runs; of one run its own title says it.
fn requests(reports: &[RunReport]) -> String {
    if reports.len() < 2 {
        return String::new();
    }
    let mut sums: BTreeMap<&str, ProviderTotals> = BTreeMap::new();
    let totals = reports.iter().filter_map(|it| it.run.manifest.totals.providers.as_ref());
    for (provider, counts) in totals.flatten() {
        sums.entry(provider).or_default().add(counts);
    }
    let lines = sums.iter().map(|(provider, counts)| escape(&format!("{provider}: {counts}")));
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() {
        String::new()
    } else {
        format!("<p class=\"sub\">{}</p>", lines.join("<br>"))
    }
}

/// The table of all runs; one run needs none.
fn summary(reports: &[RunReport]) -> String {
    if reports.len() < 2 {
        return String::new();
    }
    let Some(first) = reports.first() else { return String::new() };
    // All reports follow the same others in the same order, so the first stands for them.
    let headings: String = first.others.iter().map(heading).collect();
    let leads = leads(reports);
    let lead: String = leads.iter().copied().map(heading).collect();
    let rows: String =
        reports.iter().enumerate().map(|(at, report)| summary_row(at, report, &leads)).collect();
    format!(
        "<div class=\"scroll\"><table><thead><tr><th>Task</th><th>Agent</th><th>Outcome</th>\
         <th class=\"r\">Turns</th><th class=\"r\">Steps</th><th class=\"r\">Failed</th><th>Curve</th>\
         <th class=\"r\">Best</th>{lead}{headings}</tr></thead><tbody>{rows}</tbody></table></div>\n"
    )
}

/// The heading of a variant's column.
fn heading(followed: &Followed) -> String {
    let Followed { variant, .. } = followed;
    format!("<th class=\"r\" title=\"{}\">{}</th>", escape(&variant.id), escape(variant.label))
}

fn summary_row(at: usize, report: &RunReport, leads: &[&Followed]) -> String {
    let manifest = &report.run.manifest;
    let others = report.others.iter();
    let others: Vec<String> =
        others.map(|it| format!("<td class=\"r\">{}</td>", score(it.last()))).collect();
    let others = others.concat();
    let led = leads.iter().map(|lead| {
        if leads_by(report, lead) {
            format!("<td class=\"r\"><b>{}</b></td>", score(report.lead.last()))
        } else {
            "<td class=\"r quiet\">–</td>".to_owned()
        }
    });
    let led: String = led.collect();
    let best = report.lead.best().map_or_else(|| "–".to_owned(), |(_, value)| value_words(value));
    format!(
        "<tr><td><a href=\"#run-{at}\">{}</a></td><td>{}</td><td>{}</td><td class=\"r\">{}</td>\
         <td class=\"r\">{}</td><td class=\"r\">{}</td><td>{}</td><td class=\"r quiet\">{best}</td>{led}{others}</tr>",
        escape(&manifest.task.id),
        escape(&manifest.agent.name),
        outcome(manifest),
        report.run.turns.len(),
        report.run.steps.len(),
        failures(report),
        sparkline(&report.lead),
    )
}

fn failures(report: &RunReport) -> usize {
    report.run.steps.iter().filter(|step| steps::failed(step)).count()
}

fn outcome(manifest: &Manifest) -> String {
    let word = manifest.outcome_word();
    let detail = outcome_detail(&manifest.outcome).unwrap_or_default();
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
         <details class=\"steps\"{open}><summary>{} steps in {} turns</summary>{}</details></article>\n",
        escape(&manifest.task.id),
        outcome(manifest),
        sub_title(report),
        instruction(report),
        problems(report),
        report.followed().map(|followed| curve_figure(report, followed)).collect::<String>(),
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
    parts.extend(manifest.recorded_start().map(|started| escape(&to_the_minute(started))));
    parts.extend(manifest.recorded_seconds().map(|seconds| format!("{seconds:.1} s")));
    if failures(report) > 0 {
        parts.push(format!("<span class=\"worse\">{} calls failed</span>", failures(report)));
    }
    match &manifest.totals.providers {
        Some(providers) => parts
            .extend(providers.iter().map(|(name, counts)| escape(&format!("{name}: {counts}")))),
        // Runs of before requests were counted: that there are none would be wrong.
        None if manifest.totals.input_tokens > 0 => {
            parts.push("requests not recorded".to_owned());
        }
        None => {}
    }
    parts.push(format!("<code>{}</code>", escape(&report.dir)));
    parts.join(" · ")
}

/// `2026-11-21T22:31:07.5Z` as `2026-11-21 22:31 UTC`; anything else as it is.
fn to_the_minute(time: &str) -> String {
    match time.split_at_checked(16) {
        Some((minute, rest)) if rest.ends_with('Z') => minute.replace('T', " ") + " UTC",
        _ => time.to_owned(),
    }
}

fn instruction(report: &RunReport) -> String {
    report.task.as_ref().map_or_else(String::new, |task| {
        format!("<blockquote>{}</blockquote>", escape(&shorten(&task.instruction, INSTRUCTION)))
    })
}

/// What is wrong with the run or its report, each in a line.
fn problems(report: &RunReport) -> String {
    // How it ended first, as it explains most of the rest.
    let outcome = outcome_detail(&report.run.manifest.outcome);
    let torn = report.run.torn.as_ref().map(|torn| torn.message.as_str());
    let notes = report.run.notes.iter().chain(&report.problems).map(String::as_str);
    let lines: Vec<String> = outcome.into_iter().chain(torn).chain(notes).map(escape).collect();
    if lines.is_empty() {
        return String::new();
    }
    format!("<ul class=\"problems\"><li>{}</li></ul>", lines.join("</li><li>"))
}

/// The curve with what it says in words.
fn curve_figure(report: &RunReport, followed: &Followed) -> String {
    let (curve, name) = (curve(report, followed), escape(&followed.name()));
    // A run that never had a score, or has none at its end, has no story to tell of its curve.
    let last = followed.last().and_then(Score::value_or_infinity);
    let (Some((step, best)), Some(last)) = (followed.best(), last) else {
        let why = score(followed.last());
        return format!(
            "<figure class=\"over-steps\"><figcaption><span>{name}</span> {why}</figcaption>{curve}</figure>"
        );
    };
    let (lost, way) = match followed.direction() {
        Direction::HigherIsBetter => (best - last, "lower"),
        Direction::LowerIsBetter => (last - best, "higher"),
    };
    // What is below the last decimal shown is no loss that anybody could see in these figures.
    let words = if last.is_infinite() || lost < 0.000_5 {
        format!("Ended at its best, <b>{}</b>.", value_words(last))
    } else {
        let step = if step == 0 { "the start".to_owned() } else { format!("step {step}") };
        let best_words = value_words(best);
        // From what is infinite no number is lost.
        let lost = if lost.is_finite() { format!("{lost:.3} {way}") } else { way.to_owned() };
        format!(
            "Peaked at {step} (<b>{best_words}</b>), ended <span class=\"worse\">{lost}</span> at <b>{last:.3}</b>."
        )
    };
    format!(
        "<figure class=\"over-steps\"><figcaption><span>{name} over steps</span> {words}</figcaption>{curve}</figure>"
    )
}

fn figures(report: &RunReport) -> String {
    // The same scale as in the window, so that a picture here can be compared with one there.
    let scale = HeatScale::of(&report.lead.variant);
    let heat = report.lead.map.as_ref().and_then(|map| heat(map, scale));
    let last = format!("Canvas, {}", score(report.lead.last()));
    let legend = format!(
        "{} heat <span class=\"legend\">{} <i class=\"ramp\"></i> {}</span>",
        escape(report.lead.variant.label),
        scale.same,
        scale.different
    );
    [
        // What is not there keeps its place, so that runs can be compared down the page.
        figure(report.canvas.as_ref(), &last, "the canvas at the end"),
        figure(report.ground_truth.as_ref(), "Ground truth", "the ground truth"),
        figure(heat.as_ref(), &legend, "where they differ"),
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
