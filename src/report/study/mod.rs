//! What a labelling project comes to, as one HTML page: for a paper's appendix, or whoever did not label.
//!
//! Every number is one of [`Findings`] or [`AgainstPeople`], which `label report` prints as text and JSON.

mod figures;
mod judges;
mod parts;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::evaluate::MadeBy;
use crate::label::form::{Form, Question, QuestionKind, Scale};
use crate::label::judging::JudgeReport;
use crate::label::participants::Participants;
use crate::label::people::{PersonReport, Share};
use crate::label::preferences::ModelPreferences;
use crate::label::rankings::RankingFindings;
use crate::label::versus::AgainstPeople;
use crate::label::{Findings, Provenance};

use super::html::escape;
use super::page::{document, footer};
use figures::{BarRow, DotRow, ValueAxis, bars, dots};
use parts::{figure, note, signed, table};

/// Disagreements of a metric that are listed; JSON has all.
const LISTED: usize = 10;

/// One form of the project, and what its answers come to.
#[derive(Clone, Debug)]
pub struct StudyForm<'a> {
    /// What was asked.
    pub form: &'a Form,
    /// What it comes to.
    pub findings: Findings,
    /// Metrics against people, if that was asked for.
    pub against: Option<AgainstPeople>,
    /// Models, rules and metrics as judges.
    pub judges: Vec<JudgeReport>,
}

/// The whole file, which the command makes again. `items` counts the items of the project, and `without` names who was
/// left out.
pub fn study_page(
    name: &str,
    items: usize,
    without: &[String],
    participants: &Participants,
    forms: &[StudyForm<'_>],
    command: &str,
) -> String {
    // Somebody who answered several forms counts once.
    let mut people: Vec<&str> = forms
        .iter()
        .flat_map(|it| &it.findings.people)
        .map(|person| person.person.as_str())
        .collect();
    people.sort_unstable();
    people.dedup();
    let answers: usize =
        forms.iter().flat_map(|it| &it.findings.people).map(|person| person.items).sum();
    let left_out = if without.is_empty() {
        String::new()
    } else {
        format!("<div><dt>left out</dt><dd>{}</dd></div>", escape(&without.join(", ")))
    };
    let facts = format!(
        "<dl class=\"facts\"><div><dt>items</dt><dd>{items}</dd></div>\
         <div><dt>people</dt><dd>{}</dd></div><div><dt>answers to forms</dt><dd>{answers}</dd></div>{left_out}</dl>",
        people.len(),
    );
    let articles = forms.iter().map(article).collect::<String>();
    let made_by =
        MadeBy { command: command.to_owned(), left_out: without.to_vec(), ..MadeBy::default() };
    let body = participants_table(participants) + &articles + &footer(&made_by);
    document(name, &facts, &body)
}

/// What the study asks of people, and what they answered; nothing where it asks nothing.
fn participants_table(participants: &Participants) -> String {
    let (columns, rows) = participants.table();
    if columns.is_empty() {
        return String::new();
    }
    let columns: Vec<String> = columns.iter().map(|name| escape(name)).collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let rows = rows.iter().map(|row| {
        let cells: Vec<String> = row.iter().map(|cell| escape(cell)).collect();
        let cells = format!("<td>{}</td>", cells.join("</td><td>"));
        format!("<tr>{cells}</tr>")
    });
    let rows: String = rows.collect();
    format!("<article>{}</article>", table("Who takes part", &columns, &rows))
}

fn article(it: &StudyForm<'_>) -> String {
    let StudyForm { form, findings, against, judges } = it;
    let mut html = format!(
        "<article><header><h2>{}</h2><p class=\"sub\">{}</p></header>",
        escape(form.title.in_language("en")),
        escape(&form.id),
    );
    // Judges may have answered where no person did yet.
    if findings.people.is_empty() && findings.finals.is_empty() {
        html += "<p class=\"quiet\">Nobody answered it yet.</p>";
        return html + &judges::judges(judges) + "</article>";
    }
    html += &figure("How far people agree", AGREEMENT, &agreement(findings));
    html += &figure("How answers came about", PROVENANCE, &provenance(form, findings));
    for (question, found) in &findings.preferences {
        if found.against.values().any(|record| record.settled() + record.unresolved > 0) {
            html += &preference(form, question, found);
        }
    }
    for found in findings.rankings.iter().filter(|found| !found.ranked.is_empty()) {
        html += &ranking(form, found);
    }
    html += &shares(form, findings);
    html += &against.as_ref().map_or_else(String::new, metrics);
    html += &people_table(&findings.people);
    html += &judges::judges(judges);
    html + "</article>"
}

const AGREEMENT: &str = "Krippendorff’s α with its bootstrap interval over items (95 %)";
const PROVENANCE: &str = "items by what most people said";

fn agreement(findings: &Findings) -> String {
    let rows = findings.agreement.iter().filter(|it| it.answers > 0).map(|it| {
        let value = it.alpha.as_ref().ok().copied();
        let interval = it.interval.as_ref().ok().map(|it| [it.interval.low, it.interval.high]);
        let remark = match (&it.alpha, &it.interval) {
            (Err(why), _) => why.to_string(),
            (Ok(alpha), Err(why)) => format!("{} {why}", signed(*alpha)),
            (Ok(alpha), Ok(found)) => {
                let [low, high] = [found.interval.low, found.interval.high].map(signed);
                format!("{} [{low}, {high}]  {} items", signed(*alpha), it.items)
            }
        };
        let name = match &it.option {
            Some(option) => format!("{}: {option}", it.question),
            None => it.question.clone(),
        };
        DotRow { name, value, interval, remark }
    });
    let rows: Vec<DotRow> = rows.collect();
    if rows.is_empty() {
        return String::new();
    }
    dots(&rows, &ValueAxis::of_agreement(&rows), "Krippendorff's alpha of each question")
}

/// A row a question: how many items came to their answer which way.
fn provenance(form: &Form, findings: &Findings) -> String {
    const KINDS: [(Provenance, &str, &str); 5] = [
        (Provenance::Unanimous, "one", "unanimous"),
        (Provenance::Majority, "two", "majority"),
        (Provenance::Single, "none", "one person"),
        (Provenance::Adjudicated, "four", "adjudicated"),
        (Provenance::Unresolved, "three", "to settle"),
    ];
    let rows = form.questions.iter().filter_map(|question| {
        let of = findings.finals.iter().filter(|found| found.question == question.id);
        let of: Vec<_> = of.collect();
        let counts = KINDS.map(|(kind, ..)| of.iter().filter(|it| it.provenance == kind).count());
        let is_each = question.answer.scale() == Scale::PerOption;
        let remark = if is_each { "options of items" } else { "items" };
        let remark = format!("{} {remark}", of.len());
        // Questions of words come to no final answer, and have no row.
        (!of.is_empty()).then(|| BarRow {
            name: question.id.clone(),
            counts: counts.to_vec(),
            remark,
        })
    });
    let rows: Vec<BarRow> = rows.collect();
    let kinds = KINDS.map(|(_, class, name)| (class, name));
    if rows.is_empty() {
        String::new()
    } else {
        bars(&rows, &kinds, "How final answers came about")
    }
}

/// Wins, ties and losses, and the strengths they come to.
fn preference(form: &Form, question: &str, found: &ModelPreferences) -> String {
    const KINDS: [(&str, &str); 4] =
        [("one", "preferred"), ("none", "tie"), ("two", "not preferred"), ("three", "to settle")];
    let all = found.models.iter().zip(&found.records).map(|(model, it)| (model.clone(), it));
    // Of two models, one against the other is the row of all again.
    let each = found
        .against
        .iter()
        .filter(|_| found.models.len() > 2)
        .map(|(at, it)| (format!("{} against {}", found.models[at.0], found.models[at.1]), it));
    let rows = all.chain(each).map(|(name, it)| BarRow {
        name,
        counts: vec![it.wins, it.ties, it.losses, it.unresolved],
        remark: match it.unanswered {
            0 => String::new(),
            none => format!("{none} without an answer"),
        },
    });
    let rows: Vec<BarRow> = rows.collect();
    let asked = form.question(question).map_or(question, |it| it.text.in_language("en"));
    let mut html = figure(asked, "pairs by model", &bars(&rows, &KINDS, asked));
    match &found.strengths {
        Err(why) => {
            html += &note(&format!("Bradley–Terry: {}", found.reason(why)));
        }
        Ok(strengths) => {
            let rows = strengths.iter().map(|it| {
                let interval =
                    it.interval.as_ref().ok().map(|it| [it.interval.low, it.interval.high]);
                let remark = match &it.interval {
                    Ok(found) => {
                        let [low, high] = [found.interval.low, found.interval.high].map(signed);
                        format!("{} [{low}, {high}]", signed(it.log_strength))
                    }
                    Err(why) => format!("{} {why}", signed(it.log_strength)),
                };
                DotRow { name: it.model.clone(), value: Some(it.log_strength), interval, remark }
            });
            let rows: Vec<DotRow> = rows.collect();
            let drawn = dots(&rows, &ValueAxis::around_zero(&rows), "Bradley–Terry strengths");
            html += &figure("Bradley–Terry", "log strength with its interval (95 %)", &drawn);
        }
    }
    html
}

/// The mean rank of each, and how far people agree.
fn ranking(form: &Form, found: &RankingFindings) -> String {
    let rows = found.ranked.iter().map(|it| {
        let interval = it.interval.as_ref().ok().map(|it| [it.interval.low, it.interval.high]);
        let first = format!("first {:.0} %", 100.0 * it.first);
        let remark = match &it.interval {
            Ok(of) => {
                let [low, high] = [of.interval.low, of.interval.high].map(signed);
                format!("{} [{low}, {high}]  {first}", signed(it.mean))
            }
            Err(why) => format!("{} {why}  {first}", signed(it.mean)),
        };
        DotRow { name: it.name.clone(), value: Some(it.mean), interval, remark }
    });
    let rows: Vec<DotRow> = rows.collect();
    let asked = form.question(&found.question);
    let asked = asked.map_or(found.question.as_str(), |it| it.text.in_language("en"));
    let drawn = dots(&rows, &ValueAxis::of_ranks(&rows), asked);
    let agreed = match (&found.w, &found.interval) {
        (Ok(w), Ok(of)) => {
            let [low, high] = [of.interval.low, of.interval.high].map(signed);
            format!("Kendall’s W {} [{low}, {high}] over {} items", signed(*w), found.items)
        }
        (Ok(w), Err(why)) => format!("Kendall’s W {}: {why}", signed(*w)),
        (Err(why), _) => format!("Kendall’s W: {why}"),
    };
    figure(asked, "mean rank, 1 the best, with its interval (95 %)", &drawn) + &note(&agreed)
}

/// How often a model's items come to each named answer: of all questions with yes or no in one figure, of each
/// other question in its own.
fn shares(form: &Form, findings: &Findings) -> String {
    const CAPTION: &str = "share of a model’s items, with Wilson’s interval (95 %)";
    let (yes_no, others): (Vec<&Question>, Vec<&Question>) =
        form.questions.iter().partition(|it| matches!(it.answer, QuestionKind::YesNo));
    let mut rows = Vec::new();
    for question in yes_no {
        // No is what is left.
        rows.extend(share_rows(question, findings, |category| {
            (category == "yes").then(|| question.id.clone())
        }));
    }
    let mut html = share_figure("Yes", CAPTION, rows);
    for question in others {
        let rows = share_rows(question, findings, |category| Some(category.to_owned()));
        html += &share_figure(question.text.in_language("en"), CAPTION, rows);
    }
    html
}

/// A row a model of each answer that `named` names.
fn share_rows(
    question: &Question,
    findings: &Findings,
    named: impl Fn(&str) -> Option<String>,
) -> Vec<(String, DotRow)> {
    let of = findings.shares.iter().filter(|it| it.question == question.id);
    let rows = of.flat_map(|of_model| {
        of_model.categories.iter().filter_map(|(category, share)| {
            let (value, name) = (share.value()?, named(category)?);
            let row = DotRow {
                name: format!("{name} · {}", of_model.model),
                value: Some(value),
                interval: share.interval().ok().map(|it| [it.low, it.high]),
                remark: shared(*share, of_model.open),
            };
            Some((name, row))
        })
    });
    rows.collect()
}

fn share_figure(title: &str, caption: &str, mut rows: Vec<(String, DotRow)>) -> String {
    // The models of one answer stand together, in the form's order of answers.
    let order: Vec<String> = rows.iter().map(|(answer, _)| answer.clone()).collect();
    rows.sort_by_key(|(answer, _)| order.iter().position(|it| it == answer));
    let rows: Vec<DotRow> = rows.into_iter().map(|(_, row)| row).collect();
    if rows.is_empty() {
        return String::new();
    }
    figure(title, caption, &dots(&rows, &ValueAxis::of_shares(0.0), title))
}

fn shared(share: Share, open: usize) -> String {
    let percent = 100.0 * share.value().unwrap_or_default();
    let open = if open == 0 { String::new() } else { format!(", {open} open") };
    format!("{percent:.0} %  {} of {}{open}", share.hits, share.of)
}

/// Each metric against the majority.
fn metrics(found: &AgainstPeople) -> String {
    let mut of: Vec<_> = found.metrics.iter().collect();
    // The best first, and what has no accuracy last.
    of.sort_by(|a, b| {
        let [of_a, of_b] = [a, b].map(|it| it.accuracy.value().unwrap_or(-1.0));
        of_b.total_cmp(&of_a).then_with(|| a.metric.cmp(&b.metric))
    });
    let rows = of.iter().filter_map(|it| {
        let [auc, tau_b] = [&it.auc, &it.tau_b]
            .map(|value| value.as_ref().map_or_else(|_| "–".to_owned(), |it| signed(*it)));
        Some(DotRow {
            name: it.metric.clone(),
            value: Some(it.accuracy.value()?),
            interval: it.accuracy.interval().ok().map(|it| [it.low, it.high]),
            remark: format!("{} of {}  AUC {auc}  τ-b {tau_b}", it.accuracy.hits, it.accuracy.of),
        })
    });
    let rows: Vec<DotRow> = rows.collect();
    let caption = format!(
        "share of pairs where the metric prefers what people prefer: {} pairs with an answer, {} of them ties, which are left out",
        found.pairs, found.ties
    );
    let drawn = match rows.as_slice() {
        [] => note("No metric and people both prefer one of any pair."),
        rows => dots(rows, &ValueAxis::of_shares(0.5), "Accuracy of each metric"),
    };
    let mut html = figure("Metrics against people", &caption, &drawn);
    // By reason: metrics that lack a figure for the same one share a line.
    let mut without: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for it in of.iter().filter(|it| it.accuracy.of == 0) {
        let why = it.missing.keys().next().map_or("no pair to compare", String::as_str);
        without.entry(why).or_default().push(&it.metric);
    }
    for (why, metrics) in without {
        html += &note(&format!("Without a figure ({why}): {}", metrics.join(", ")));
    }
    let mut listed = String::new();
    for metric in &of {
        for it in metric.disagreements.iter().take(LISTED) {
            write!(
                listed,
                "<tr><td>{}</td><td><code>{}</code></td><td>{}</td><td class=\"r\">{:.3}</td><td>{}</td><td class=\"r\">{} of {}</td></tr>",
                escape(&metric.metric),
                escape(&it.item.0),
                it.metric_prefers.name(),
                it.difference,
                it.people.preferred.name(),
                it.people.votes,
                it.people.of,
            )
            .ok();
        }
    }
    if !listed.is_empty() {
        html += &table(
            "Where they differ",
            &["metric", "item", "it prefers", "#by", "people prefer", "#votes"],
            &listed,
        );
    }
    html
}

fn counted(share: Share) -> String {
    match share.of {
        0 => "–".to_owned(),
        of => format!("{} of {of}", share.hits),
    }
}

fn percent(share: Share) -> String {
    share.value().map_or_else(|| "–".to_owned(), |it| format!("{:.0} %", 100.0 * it))
}

fn people_table(people: &[PersonReport]) -> String {
    let rows: String = people.iter().fold(String::new(), |mut rows, it| {
        let seconds =
            it.median_secs.as_ref().map_or_else(|_| "–".to_owned(), |it| format!("{it:.1}"));
        let left = match it.left {
            None => "–".to_owned(),
            // Answers from tables do not say on which side what was.
            Some(sides) if sides.left.of == 0 && sides.unrecorded > 0 => "not recorded".to_owned(),
            Some(sides) => percent(sides.left),
        };
        write!(
            rows,
            "<tr><td>{}</td><td class=\"r\">{}</td><td class=\"r\">{}</td><td class=\"r\">{}</td><td class=\"r\">{}</td><td class=\"r\">{}</td><td class=\"r\">{}</td><td class=\"r\">{}</td><td class=\"r\">{}</td></tr>",
            escape(&it.person),
            it.items,
            seconds,
            left,
            counted(it.known_failed),
            counted(it.same_again),
            percent(it.with_majority),
            percent(it.halves[0]),
            percent(it.halves[1]),
        )
        .ok();
        rows
    });
    if rows.is_empty() {
        return rows;
    }
    table(
        "Who answers how",
        &[
            "person",
            "#items",
            "#median s",
            "#left preferred",
            "#known failed",
            "#same again",
            "#with the others",
            "#first half",
            "#second half",
        ],
        &rows,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::Ledger;
    use crate::label::form::builtin_form;
    use crate::metric::stats::BootstrapPlan;

    #[test]
    fn what_nobody_answered_says_so() {
        let form = builtin_form("ndec").unwrap();
        let findings = Findings::of(form, &[], &Ledger::default(), &BootstrapPlan::default(), None);
        let people = Participants::default();
        let form = StudyForm { form, findings, against: None, judges: Vec::new() };
        let page = study_page("<x>", 0, &[], &people, &[form], "pentimento <y>");
        assert!(page.contains("Nobody answered it yet"), "{page}");
        assert!(page.contains("&lt;x&gt;") && !page.contains("<x>"));
        assert!(page.contains(": pentimento &lt;y&gt;</footer>"), "{page}");
    }

    #[test]
    fn minus_signs_are_no_hyphens() {
        assert_eq!(signed(-0.004), "−0.00");
        assert_eq!(signed(0.5), "0.50");
    }
}
