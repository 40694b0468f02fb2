//! `label report`: how far people agree, who answers how, and what their answers come to.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::ensure;
use clap::Args;
use serde_json::{Value, json};

use super::exchange::open;
use super::judges::{judges_json, judges_text};
use super::models::{models_json, models_text, rankings_json};
use super::participants::{participants, participants_json, participants_text};
use super::people::{people_json, people_text};
use super::versus::{PairScores, against_json, against_people, against_text, score_pairs};
use crate::cli::made_by::{command_words, program_words};
use crate::cli::output::{print, print_json, write_atomic};
use crate::cli::table::{Column, Table};
use crate::cli::table_file::{TABLE_FILE, TablePath};
use crate::evaluate::typed_table::{TypedColumn, TypedTable};
use crate::evaluate::{MadeBy, plan_verdicts};
use crate::label::agreement::QuestionAgreement;
use crate::label::judging::{JudgeReport, Verdicts, judge_reports};
use crate::label::versus::AgainstPeople;
use crate::label::{FinalAnswer, Findings, Form, FormHash, Item, Ledger, Project, Provenance};
use crate::metric::stats::{BootstrapPlan, Level, StatsError};
use crate::report::{StudyForm, study_page};
use crate::task::TaskFinder;

/// Resamples of an interval.
const RESAMPLES: usize = 2_000;

/// What is reported.
#[derive(Args, Debug)]
pub(super) struct ReportArguments {
    /// The project.
    project: PathBuf,
    /// As JSON, with the final answers and every pair of people.
    #[arg(long)]
    json: bool,
    /// Write it as one HTML page with figures that needs nothing else.
    #[arg(long, value_name = "FILE.html", conflicts_with = "json")]
    out: Option<PathBuf>,
    /// As if this person had never been there; may be given several times.
    #[arg(long, value_name = "NAME")]
    without: Vec<String>,
    /// Count the answers that took less than so many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    too_fast: Option<f64>,
    /// Hold every metric that needs no model against people's preferences, by the scores of the pairs' runs.
    #[arg(long)]
    metrics: bool,
    /// Of --metrics only this variant, such as ssim/uniform7; may be given several times, or divided by commas.
    #[arg(long, value_name = "ID", requires = "metrics", value_delimiter = ',')]
    only: Vec<String>,
    /// Write how far people agree to this file, too, a row a question; its ending says as what.
    #[arg(long, value_name = TABLE_FILE, value_parser = TablePath::parse)]
    table: Option<TablePath>,
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=1e6).contains(seconds));
    seconds.ok_or_else(|| "a number of seconds, from 0".to_owned())
}

/// What reports are made of.
struct Material {
    items: Vec<Item>,
    ledger: Ledger,
    plan: BootstrapPlan,
    too_fast_secs: Option<f64>,
    /// The scores of pairs, if metrics are asked about.
    scores: Option<PairScores>,
    /// What rules say, by form.
    rules: BTreeMap<FormHash, Vec<Verdicts>>,
}

/// Writes the report to stdout.
pub(super) fn report(arguments: &ReportArguments) -> anyhow::Result<()> {
    let file = open(&arguments.project)?;
    let (forms, mut ledger) = (file.forms()?, file.ledger()?);
    for person in &arguments.without {
        ensure!(
            ledger.people().any(|known| known == person),
            "nobody called {person:?} did anything in this project; there are {}",
            ledger.people().collect::<Vec<_>>().join(", ")
        );
    }
    // Before anything is counted, so that no figure has them.
    if !arguments.without.is_empty() {
        ledger = ledger.without(&arguments.without.iter().map(String::as_str).collect());
    }
    let plan = BootstrapPlan { resamples: RESAMPLES, ..BootstrapPlan::default() };
    let too_fast_secs = arguments.too_fast;
    let items = file.items()?;
    let scores = if arguments.metrics {
        ensure!(
            forms.iter().any(|form| form.preference().is_some()),
            "the project asks for no preference, which metrics could be held against"
        );
        Some(score_pairs(&arguments.project, file.project(), &items, &arguments.only)?)
    } else {
        None
    };
    let people = participants(&file, (&forms, &items), &ledger)?;
    let rules = rules(&arguments.project, file.project(), &forms, &items);
    let material = Material { items, ledger, plan, too_fast_secs, scores, rules };
    if let Some(file) = &arguments.table {
        file.write(&agreement_table(&forms, &material, &arguments.without))?;
    }
    if arguments.json {
        let forms: Vec<Value> = forms.iter().map(|form| form_json(form, &material)).collect();
        return print_json(&json!({
            "program": program_words(), "command": command_words(),
            "project": file.project().name, "items": material.items.len(),
            "without": arguments.without, "participants": participants_json(&people),
            "revealed": material.ledger.revealed().map(|it| json!({"by": it.person, "at": it.at})),
            "forms": forms,
        }));
    }
    if let Some(out) = &arguments.out {
        let mut of_forms: Vec<StudyForm<'_>> = Vec::with_capacity(forms.len());
        for form in &forms {
            let findings = material.findings(form);
            let against = material.against_people(form, &findings.finals);
            let judges = material.judges(form, &findings.finals);
            of_forms.push(StudyForm { form, findings, against, judges });
        }
        let (name, without) = (&file.project().name, &arguments.without);
        let items = material.items.len();
        let page = study_page(name, items, without, &people, &of_forms, &command_words());
        write_atomic(out, page.as_bytes())?;
        return Ok(print(&format!("wrote {}", out.display()))?);
    }
    let mut text = participants_text(&people);
    if let Some(revealed) = material.ledger.revealed() {
        let (by, at) = (&revealed.person, &revealed.at);
        text = format!("{text}Who made what was revealed by {by} at {at}\n\n");
    }
    for form in &forms {
        text += &form_text(form, &material);
    }
    Ok(print(&text)?)
}

/// What the classifiers of plan errors say of the steps that are asked about, where a form asks for that.
fn rules(
    file: &Path,
    project: &Project,
    forms: &[Form],
    items: &[Item],
) -> BTreeMap<FormHash, Vec<Verdicts>> {
    let home = file.parent().unwrap_or_else(|| Path::new(""));
    let mut tasks = TaskFinder::default();
    for set in &project.task_sets {
        // The plan is in the run: a set that is not there says nothing of it.
        tasks.search(&home.join(set)).ok();
    }
    let of_forms =
        forms.iter().map(|form| (form.hash(), plan_verdicts(form, items, home, &mut tasks)));
    of_forms.collect()
}

impl Material {
    fn against_people(&self, form: &Form, finals: &[FinalAnswer]) -> Option<AgainstPeople> {
        against_people(form, finals, self.scores.as_ref()?)
    }

    /// Models, rules and, if they are asked about, metrics against the final answers to a form.
    fn judges(&self, form: &Form, finals: &[FinalAnswer]) -> Vec<JudgeReport> {
        let mut judges = Verdicts::of_models(form, &self.items, &self.ledger);
        judges.extend(self.rules.get(&form.hash()).into_iter().flatten().cloned());
        let metrics = self.scores.iter().flat_map(PairScores::metrics);
        judges.extend(metrics.filter_map(|scores| Verdicts::of_metric(form, scores)));
        judge_reports(form, finals, &judges, &self.plan)
    }

    fn findings(&self, form: &Form) -> Findings {
        Findings::of(form, &self.items, &self.ledger, &self.plan, self.too_fast_secs)
    }
}

fn form_json(form: &Form, material: &Material) -> Value {
    let found = material.findings(form);
    let questions: Vec<Value> = found.agreement.iter().map(question_json).collect();
    let people = people_json(&found.people, &found.without);
    let [preferences, shares] = models_json(&found);
    let rankings = rankings_json(&found);
    let metrics = material.against_people(form, &found.finals);
    let metrics = metrics.map(|found| against_json(&found));
    let judges = judges_json(&material.judges(form, &found.finals));
    let finals: Vec<Value> = found
        .finals
        .into_iter()
        .map(|found| {
            json!({
                "item": found.item, "question": found.question, "option": found.option,
                "value": found.value, "provenance": found.provenance.name(), "votes": found.votes,
                "settled_by": found.settled.as_ref().map(|it| &it.person),
                "note": found.settled.as_ref().map(|it| &it.note),
            })
        })
        .collect();
    json!({"form": form.id, "version": form.hash(), "questions": questions, "people": people,
        "preferences": preferences, "rankings": rankings, "shares": shares, "metrics": metrics, "judges": judges,
        "final_answers": finals})
}

fn question_json(found: &QuestionAgreement) -> Value {
    let pairs: Vec<Value> = found
        .pairs
        .iter()
        .map(|pair| {
            json!({"people": pair.people, "items": pair.items, "kappa": number(&pair.kappa),
                "reason": reason(&pair.kappa)})
        })
        .collect();
    // With how it was made: an interval without its confidence and resamples says little.
    let interval = found.interval.as_ref().ok();
    json!({
        "question": found.question, "option": found.option, "level": level(found.level),
        "items": found.items, "answers": found.answers,
        "raw_agreement": number(&found.raw), "alpha": number(&found.alpha),
        "alpha_reason": reason(&found.alpha),
        "interval": interval.map(|it| [it.interval.low, it.interval.high]),
        "interval_confidence": BootstrapPlan::default().confidence,
        "interval_resamples": interval.map(|it| it.resamples),
        "interval_left_out": interval.map(|it| it.left_out),
        "interval_reason": found.interval.as_ref().err().map(ToString::to_string),
        "fleiss_kappa": number(&found.fleiss), "fleiss_reason": reason(&found.fleiss),
        "pairs": pairs,
    })
}

/// A column of words of questions, by its name.
type QuestionColumn = (&'static str, fn(&QuestionAgreement) -> Option<String>);
/// A column of numbers of questions, by its name.
type Numbers = (&'static str, fn(&QuestionAgreement) -> Option<f64>);

const WORDS: [QuestionColumn; 3] = [
    ("question", |found| Some(found.question.clone())),
    ("option", |found| found.option.clone()),
    ("level", |found| Some(level(found.level).to_owned())),
];

const NUMBERS: [Numbers; 8] = [
    ("items", |found| Some(found.items as f64)),
    ("answers", |found| Some(found.answers as f64)),
    ("equal", |found| number(&found.raw)),
    ("fleiss", |found| number(&found.fleiss)),
    ("alpha", |found| number(&found.alpha)),
    ("low", |found| Some(found.interval.as_ref().ok()?.interval.low)),
    ("high", |found| Some(found.interval.as_ref().ok()?.interval.high)),
    ("resamples left out", |found| Some(found.interval.as_ref().ok()?.left_out as f64)),
];

/// How far people agree, a row for each question of each form; `without` whom.
fn agreement_table(forms: &[Form], material: &Material, without: &[String]) -> TypedTable {
    let mut rows: Vec<(&str, QuestionAgreement)> = Vec::new();
    for form in forms {
        let found = material.findings(form).agreement;
        rows.extend(found.into_iter().map(|of_question| (form.id.as_str(), of_question)));
    }
    let forms = rows.iter().map(|(form, _)| Some((*form).to_owned()));
    let mut columns = vec![TypedColumn::texts("form", forms.collect())];
    columns.extend(WORDS.into_iter().map(|(name, words)| {
        TypedColumn::texts(name, rows.iter().map(|(_, found)| words(found)).collect())
    }));
    columns.extend(NUMBERS.into_iter().map(|(name, number)| {
        TypedColumn::numbers(name, rows.iter().map(|(_, found)| number(found)).collect())
    }));
    let missing = rows.iter().map(|(_, found)| why_missing(found));
    columns.push(TypedColumn::texts("missing", missing.collect()));
    let confidence = material.plan.confidence * 100.0;
    let interval = format!("{confidence} % of {} resamples of items", material.plan.resamples);
    let left_out = without.iter().map(|person| format!("what {person} answered"));
    let made_by = MadeBy {
        command: command_words(),
        choices: vec![("interval", interval)],
        left_out: left_out.collect(),
        ..MadeBy::default()
    };
    TypedTable { columns, about: made_by.entries() }
}

/// Why numbers of a question are missing; `None` if none is.
fn why_missing(found: &QuestionAgreement) -> Option<String> {
    let reasons = [
        ("equal", reason(&found.raw)),
        ("fleiss", reason(&found.fleiss)),
        ("alpha", reason(&found.alpha)),
        ("interval", found.interval.as_ref().err().map(ToString::to_string)),
    ];
    let gaps = reasons.into_iter().filter_map(|(name, why)| Some(format!("{name}: {}", why?)));
    let gaps: Vec<String> = gaps.collect();
    (!gaps.is_empty()).then(|| gaps.join("; "))
}

fn number(value: &Result<f64, StatsError>) -> Option<f64> {
    value.as_ref().ok().copied()
}

fn reason(value: &Result<f64, StatsError>) -> Option<String> {
    value.as_ref().err().map(ToString::to_string)
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Nominal => "nominal",
        Level::Ordinal => "ordinal",
        Level::Interval => "interval",
        Level::Ratio => "ratio",
    }
}

fn form_text(form: &Form, material: &Material) -> String {
    let found = material.findings(form);
    let columns = [
        Column::left("question"),
        Column::right("items"),
        Column::right("answers"),
        Column::right("equal"),
        Column::right("Fleiss"),
        Column::right("alpha"),
        Column::left("95 %"),
    ];
    let mut table = Table::new(&columns);
    for of_question in &found.agreement {
        let question = match &of_question.option {
            Some(option) => format!("{}: {option}", of_question.question),
            None => of_question.question.clone(),
        };
        let [equal, fleiss, alpha] = [&of_question.raw, &of_question.fleiss, &of_question.alpha]
            .map(|value| {
                value.as_ref().map_or_else(|_| "–".to_owned(), |value| format!("{value:.3}"))
            });
        // The reason stands where the interval would.
        let interval = match (&of_question.alpha, &of_question.interval) {
            (Err(why), _) | (_, Err(why)) => why.to_string(),
            (_, Ok(found)) => {
                let range = format!("[{:.3}, {:.3}]", found.interval.low, found.interval.high);
                match (found.left_out, found.resamples) {
                    (0, _) => range,
                    (left_out, all) => format!("{range}, without {left_out} of {all} resamples"),
                }
            }
        };
        table.push(vec![
            question,
            of_question.items.to_string(),
            of_question.answers.to_string(),
            equal,
            fleiss,
            alpha,
            interval,
        ]);
    }
    let people = people_text(&found.people, &found.without);
    let models = models_text(&found);
    let metrics = material.against_people(form, &found.finals);
    let metrics = metrics.map(|found| against_text(&found)).unwrap_or_default();
    let judges = judges_text(&material.judges(form, &found.finals));
    format!(
        "{}\n{}\n{people}{} unanimous, {} by majority, {} by one person, {} adjudicated, {} to settle\n\n{models}{metrics}{judges}",
        form.title.in_language("en"),
        table.to_text().trim_end(),
        found.count(Provenance::Unanimous),
        found.count(Provenance::Majority),
        found.count(Provenance::Single),
        found.count(Provenance::Adjudicated),
        found.count(Provenance::Unresolved)
    )
}
