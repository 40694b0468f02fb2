//! What people's answers say of models and other makers, as tables and as JSON.

use serde_json::{Value, json};

use crate::cli::table::{Column, Table};
use crate::label::Findings;
use crate::label::people::Share;
use crate::label::preferences::{ModelPreferences, Record};
use crate::label::rankings::RankingFindings;
use crate::label::shares::ModelShares;
use crate::metric::stats::DefinedInterval;

/// `preferences` and `shares`.
pub(super) fn models_json(found: &Findings) -> [Value; 2] {
    let shares = found.shares.iter().map(|found| {
        let categories = found.categories.iter().map(|(name, share)| {
            json!({"category": name, "items": share.hits, "of": share.of, "share": share.value()})
        });
        json!({"question": found.question, "model": found.model, "open": found.open,
            "categories": categories.collect::<Vec<_>>()})
    });
    let preferences = found.preferences.iter().map(|(question, it)| preferences_json(question, it));
    [preferences.collect(), shares.collect()]
}

/// `rankings`: how far people agree on each, and the mean rank of each maker of candidates, or of each option.
pub(super) fn rankings_json(found: &Findings) -> Value {
    let rankings = found.rankings.iter().map(|found| {
        let ranked = found.ranked.iter().map(|it| {
            json!({"name": it.name, "items": it.items, "mean_rank": it.mean,
                "interval": it.interval.as_ref().ok().map(ends),
                "interval_reason": it.interval.as_ref().err().map(ToString::to_string),
                "first": it.first})
        });
        json!({
            "question": found.question, "items": found.items, "answers": found.answers,
            "kendall_w": found.w.as_ref().ok(),
            "kendall_w_reason": found.w.as_ref().err().map(ToString::to_string),
            "mean_rho": found.mean_rho.as_ref().ok(),
            "interval": found.interval.as_ref().ok().map(ends),
            "interval_reason": found.interval.as_ref().err().map(ToString::to_string),
            "ranked": ranked.collect::<Vec<_>>(),
        })
    });
    rankings.collect()
}

fn ends(it: &DefinedInterval) -> [f64; 2] {
    [it.interval.low, it.interval.high]
}

/// A table a preference that anybody answered, and one of shares.
pub(super) fn models_text(found: &Findings) -> String {
    let mut text = String::new();
    for (question, found) in &found.preferences {
        if found.against.values().any(|record| record.settled() + record.unresolved > 0) {
            text += &preferences_text(question, found);
        }
    }
    for found in found.rankings.iter().filter(|found| found.answers > 0) {
        text += &rankings_text(found);
    }
    if !found.shares.is_empty() {
        text += &shares_text(&found.shares);
    }
    text
}

fn record_json(record: &Record) -> Value {
    json!({"wins": record.wins, "ties": record.ties, "losses": record.losses,
        "unresolved": record.unresolved, "unanswered": record.unanswered})
}

fn preferences_json(question: &str, found: &ModelPreferences) -> Value {
    let models = found.models.iter().zip(&found.records);
    let models =
        models.map(|(model, record)| json!({"model": model, "record": record_json(record)}));
    let against = found.against.iter().map(|((one, other), record)| {
        json!({"model": found.models[*one], "against": found.models[*other],
            "record": record_json(record)})
    });
    let strengths = found.strengths.as_ref().ok().map(|strengths| {
        let strengths = strengths.iter().map(|strength| {
            let interval = strength.interval.as_ref().ok();
            json!({
                "model": strength.model, "log_strength": strength.log_strength,
                "interval": interval.map(|it| [it.interval.low, it.interval.high]),
                "interval_left_out": interval.map(|it| it.left_out),
                "interval_resamples": interval.map(|it| it.resamples),
                "interval_reason": strength.interval.as_ref().err().map(ToString::to_string),
            })
        });
        strengths.collect::<Vec<_>>()
    });
    json!({
        "question": question, "models": models.collect::<Vec<_>>(),
        "against": against.collect::<Vec<_>>(), "strengths": strengths,
        "strengths_reason": found.strengths.as_ref().err().map(|error| found.reason(error)),
    })
}

fn preferences_text(question: &str, found: &ModelPreferences) -> String {
    let mut table = Table::new(&[
        Column::left(question),
        Column::left("against"),
        Column::right("wins"),
        Column::right("ties"),
        Column::right("losses"),
        Column::right("to settle"),
        Column::right("no answer"),
    ]);
    // Against all first, then against each: the sum is what strengths are worked out from.
    let all = found.models.iter().zip(&found.records).map(|(model, record)| (model, "all", record));
    let each = found
        .against
        .iter()
        .map(|((one, other), record)| (&found.models[*one], found.models[*other].as_str(), record));
    for (model, against, it) in all.chain(each) {
        let mut row = vec![model.clone(), against.to_owned()];
        let counts = [it.wins, it.ties, it.losses, it.unresolved, it.unanswered];
        row.extend(counts.map(|count| count.to_string()));
        table.push(row);
    }
    let mut text = format!("{}\n", table.to_text().trim_end());
    match &found.strengths {
        Err(error) => text.extend(["Bradley–Terry: ", &found.reason(error), "\n"]),
        Ok(strengths) => {
            let columns = [
                Column::left("Bradley–Terry"),
                Column::right("log strength"),
                Column::left("95 %"),
            ];
            let mut table = Table::new(&columns);
            for strength in strengths {
                let interval = match &strength.interval {
                    Ok(it) => format!("[{:.2}, {:.2}]", it.interval.low, it.interval.high),
                    Err(why) => why.to_string(),
                };
                let value = format!("{:.2}", strength.log_strength);
                table.push(vec![strength.model.clone(), value, interval]);
            }
            text.extend([table.to_text().trim_end(), "\n"]);
        }
    }
    text + "\n"
}

/// Kendall's W above the mean ranks.
fn rankings_text(found: &RankingFindings) -> String {
    let agreed = match (&found.w, &found.mean_rho, &found.interval) {
        // Both are of the same items; where one cannot be said, its reason stands for both.
        (Ok(w), Ok(rho), interval) => {
            let interval = match interval {
                Ok(it) => format!("[{:.3}, {:.3}]", it.interval.low, it.interval.high),
                Err(why) => why.to_string(),
            };
            format!("Kendall's W {w:.3} {interval}, mean correlation {rho:.3}")
        }
        (Err(why), ..) | (_, Err(why), _) => format!("Kendall's W: {why}"),
    };
    let columns = [
        Column::left(&found.question),
        Column::right("items"),
        Column::right("mean rank"),
        Column::left("95 %"),
        Column::right("first"),
    ];
    let mut table = Table::new(&columns);
    for it in &found.ranked {
        let interval = match &it.interval {
            Ok(found) => format!("[{:.2}, {:.2}]", found.interval.low, found.interval.high),
            Err(why) => why.to_string(),
        };
        table.push(vec![
            it.name.clone(),
            it.items.to_string(),
            format!("{:.2}", it.mean),
            interval,
            format!("{:.0} %", 100.0 * it.first),
        ]);
    }
    let (items, answers) = (found.items, found.answers);
    format!(
        "{}: {answers} rankings, {items} items by two or more people. {agreed}\n{}\n\n",
        found.question,
        table.to_text().trim_end()
    )
}

fn shares_text(shares: &[ModelShares]) -> String {
    let mut table = Table::new(&[
        Column::left("model"),
        Column::left("question"),
        Column::left("answer"),
        Column::right("items"),
        Column::right("of"),
        Column::right("share"),
        Column::right("open"),
    ]);
    for found in shares {
        for (category, share) in &found.categories {
            table.push(vec![
                found.model.clone(),
                found.question.clone(),
                category.clone(),
                share.hits.to_string(),
                share.of.to_string(),
                percent(*share),
                found.open.to_string(),
            ]);
        }
    }
    format!("{}\n\n", table.to_text().trim_end())
}

fn percent(share: Share) -> String {
    // Nobody's answer is no share of 0.
    share.value().map_or_else(|| "–".to_owned(), |value| format!("{:.0} %", 100.0 * value))
}
