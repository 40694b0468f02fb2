//! Judges against people: dots of κ, and tables.

use std::fmt::Write as _;

use crate::label::judging::{JudgeKind, JudgeReport, JudgedQuestion, judged_questions};
use crate::label::people::Share;
use crate::metric::Score;
use crate::report::html::escape;

use super::figures::{DotRow, ValueAxis, dots};
use super::parts::{figure, note, signed, table};

/// The section, empty without judges.
pub(super) fn judges(judges: &[JudgeReport]) -> String {
    if judges.is_empty() {
        return String::new();
    }
    let mut html = table(
        "Judges",
        &["judge", "kind", "what it is", "#items", "#asked", "#answered", "#failed", "why"],
        &asked(judges),
    );
    // A part that has no row says nothing: it is left out with its heading.
    let rows = kappas(judges);
    if !rows.is_empty() {
        let drawn =
            dots(&rows, &ValueAxis::of_agreement(&rows), "Cohen's kappa of each judge with people");
        let caption =
            "Cohen’s κ with people’s final answers, with its bootstrap interval over items (95 %)";
        html += &figure("Judges against people", caption, &drawn);
    }
    let rows = positions(judges);
    if !rows.is_empty() {
        let columns = [
            "judge",
            "question",
            "#pairs",
            "#the same",
            "#left in both",
            "#right in both",
            "#a tie in one",
        ];
        html += &table("Asked in both orders", &columns, &rows);
    }
    let rows = labels(judges);
    if !rows.is_empty() {
        let columns = [
            "judge",
            "question",
            "answer",
            "#both",
            "#judge alone",
            "#people alone",
            "#neither",
            "#precision",
            "#recall",
            "#F1",
        ];
        html += &table("Answer by answer", &columns, &rows);
    }
    for (judge, found) in judged_questions(judges) {
        html += &confusion(judge, found);
    }
    let rows = reliability(judges);
    if !rows.is_empty() {
        let columns = [
            "judge",
            "question",
            "#confidence to",
            "#answers",
            "#mean",
            "#right",
            "#expected error",
        ];
        html += &table("How sure, how right", &columns, &rows);
    }
    // Readers of a study take every figure in it for one of people.
    html + &note("What judges say is counted in no figure about people.")
}

/// A row of cells, those after the first `words` numbers.
fn row(words: usize, cells: &[String]) -> String {
    let cells = cells.iter().enumerate().fold(String::new(), |mut html, (at, cell)| {
        let class = if at < words { "" } else { " class=\"r\"" };
        write!(html, "<td{class}>{}</td>", escape(cell)).ok();
        html
    });
    format!("<tr>{cells}</tr>")
}

fn asked(judges: &[JudgeReport]) -> String {
    let rows = judges.iter().map(|it| {
        let why: Vec<String> =
            it.failed.iter().map(|(why, count)| format!("{count}: {why}")).collect();
        let counts = [it.items, it.asked, it.answered, it.asked - it.answered];
        let words = [it.judge.clone(), it.kind.name().to_owned(), it.about.clone()];
        let cells: Vec<String> =
            words.into_iter().chain(counts.map(|count| count.to_string())).collect();
        let html = row(3, &cells);
        // The reasons are words again.
        html.replace("</tr>", &format!("<td>{}</td></tr>", escape(&why.join("; "))))
    });
    rows.collect()
}

fn kappas(judges: &[JudgeReport]) -> Vec<DotRow> {
    let rows = judged_questions(judges).map(|(judge, found)| {
        let name = format!("{} · {}", judge.judge, found.name());
        let against = match &found.against {
            Ok(against) => against,
            Err(why) => {
                return DotRow { name, value: None, interval: None, remark: why.to_string() };
            }
        };
        let interval = against.interval.as_ref().ok();
        let interval = interval.map(|it| [it.interval.low, it.interval.high]);
        // The number beside its dot: a reader should not have to measure it off the axis.
        let remark = match (&against.kappa, interval) {
            (Err(why), _) => why.to_string(),
            (Ok(kappa), Some([low, high])) => {
                let [kappa, low, high] = [*kappa, low, high].map(signed);
                format!("{kappa} [{low}, {high}]  {} items", against.items)
            }
            (Ok(kappa), None) => format!("{}  {} items", signed(*kappa), against.items),
        };
        DotRow { name, value: against.kappa.as_ref().ok().copied(), interval, remark }
    });
    rows.collect()
}

fn positions(judges: &[JudgeReport]) -> String {
    let rows = judged_questions(judges).filter_map(|(judge, found)| {
        let bias = found.position.as_ref()?.as_ref().ok()?;
        let mut cells = vec![judge.judge.clone(), found.name(), bias.pairs.to_string()];
        cells.extend([bias.consistent, bias.left, bias.right, bias.one_tie].map(percent));
        Some(row(2, &cells))
    });
    rows.collect()
}

fn labels(judges: &[JudgeReport]) -> String {
    let mut html = String::new();
    for (judge, found) in judged_questions(judges) {
        let Ok(against) = &found.against else { continue };
        let of_metric = judge.kind == JudgeKind::Metric;
        for (label, it) in against.by_label.iter().filter(|_| !of_metric) {
            let counts =
                [it.true_positives, it.false_positives, it.false_negatives, it.true_negatives];
            let mut cells = vec![judge.judge.clone(), found.name(), label.clone()];
            cells.extend(counts.map(|count| count.to_string()));
            cells.extend([it.precision(), it.recall(), it.f1()].map(|score| match score {
                Score::Value(value) => format!("{value:.3}"),
                Score::Missing(_) => "–".to_owned(),
            }));
            html += &row(3, &cells);
        }
    }
    html
}

/// The confusion of a question with more than two answers, of models and rules: metrics have theirs in JSON.
fn confusion(judge: &JudgeReport, found: &JudgedQuestion) -> String {
    let Ok(against) = &found.against else { return String::new() };
    if against.labels.len() < 3 || judge.kind == JudgeKind::Metric {
        return String::new();
    }
    let title = escape(&format!("{}, {}: judge by people", judge.judge, found.name()));
    let heads: Vec<String> = against.labels.iter().map(|it| format!("#{}", escape(it))).collect();
    let columns: Vec<&str> =
        std::iter::once("judge says").chain(heads.iter().map(String::as_str)).collect();
    let rows = against.labels.iter().zip(&against.confusion).map(|(label, counts)| {
        let counts = counts.iter().map(ToString::to_string);
        row(1, &std::iter::once(label.clone()).chain(counts).collect::<Vec<_>>())
    });
    table(&title, &columns, &rows.collect::<String>())
}

fn reliability(judges: &[JudgeReport]) -> String {
    let mut html = String::new();
    for (judge, found) in judged_questions(judges) {
        let Ok(against) = &found.against else { continue };
        let Ok(calibration) = &against.calibration else { continue };
        for bin in &calibration.bins {
            let numbers = [bin.confidence, bin.accuracy, calibration.error];
            let mut cells = vec![judge.judge.clone(), found.name(), format!("{:.1}", bin.high)];
            cells.push(bin.count.to_string());
            cells.extend(numbers.map(|number| format!("{number:.3}")));
            html += &row(2, &cells);
        }
    }
    html
}

fn percent(share: Share) -> String {
    match (share.value(), share.interval()) {
        (Some(value), Ok(it)) => {
            let [value, low, high] = [value, it.low, it.high].map(|it| 100.0 * it);
            format!("{value:.0} % [{low:.0}, {high:.0}]")
        }
        _ => "–".to_owned(),
    }
}
