//! `kappa`, `alpha` and `fleiss`: do raters agree; `majority`: what most of them say of each item.

use serde_json::{Map, Value, json};

use crate::metric::stats::{
    Agreement, Chance, Labels, Level, Majority, Ratings, StatsError, Weighting, cohen_kappa,
    fleiss_kappa, krippendorff_alpha, majority_vote,
};

use super::findings::{Figures, Findings, Reason, Variant, figures};
use crate::evaluate::data_table::DataTable;

const WEIGHTINGS: [(&str, Weighting); 3] = [
    ("plain", Weighting::Plain),
    ("linear", Weighting::Linear),
    ("quadratic", Weighting::Quadratic),
];

const LEVELS: [(&str, Level); 4] = [
    ("nominal", Level::Nominal),
    ("ordinal", Level::Ordinal),
    ("interval", Level::Interval),
    ("ratio", Level::Ratio),
];

const CHANCES: [(&str, Chance); 2] = [("fleiss", Chance::Fleiss), ("randolph", Chance::Randolph)];

/// Cohen's κ of each pair of raters.
pub(super) fn kappa(data: &DataTable) -> Findings {
    let ratings = data.ratings();
    let names = WEIGHTINGS.map(|(name, _)| name);
    Findings::of_pairs("kappa", &names, data.names(), &StatsError::OneRater, |a, b| {
        // Items that only one of the two rated are no evidence for or against the other.
        let pairs = ratings.pairs(a, b);
        WEIGHTINGS
            .map(|(name, weights)| (name.to_owned(), kappa_figures(&ratings, &pairs, weights)))
            .into()
    })
}

fn kappa_figures(ratings: &Ratings, pairs: &[(u32, u32)], weighting: Weighting) -> Figures {
    // Words have no distances, so that only the plain form is defined for them.
    if weighting != Weighting::Plain {
        ratings.labels().numbers()?;
    }
    Ok(with_counts(&cohen_kappa(pairs, weighting)?, pairs.len(), ratings.items()))
}

/// Krippendorff's α at every level.
pub(super) fn alpha(data: &DataTable) -> Findings {
    let ratings = data.ratings();
    let variants = LEVELS.map(|(name, level)| -> Variant {
        let figures = krippendorff_alpha(&ratings, level).map(|alpha| {
            let mut figures = with_counts(&alpha.agreement, alpha.items, ratings.items());
            // How many labels it rests on: α also takes items that not everybody rated.
            figures.insert("labels".to_owned(), json!(alpha.labels));
            figures
        });
        (name.to_owned(), figures.map_err(Reason::from))
    });
    Findings::new("alpha", variants.into())
}

/// Fleiss' κ.
pub(super) fn fleiss(data: &DataTable) -> Findings {
    let ratings = data.ratings();
    let variants = CHANCES.map(|(name, chance)| -> Variant {
        let figures = fleiss_kappa(&ratings, chance).map(|kappa| {
            let mut figures = with_counts(&kappa.agreement, kappa.items, ratings.items());
            figures.insert("labels_per_item".to_owned(), json!(kappa.labels_per_item));
            figures
        });
        (name.to_owned(), figures.map_err(Reason::from))
    });
    Findings::new("fleiss", variants.into())
}

fn with_counts(agreement: &Agreement, used: usize, items: usize) -> Map<String, Value> {
    figures([
        ("value", json!(agreement.value)),
        ("observed_disagreement", json!(agreement.observed_disagreement)),
        ("expected_disagreement", json!(agreement.expected_disagreement)),
        ("n", json!(used)),
        ("left_out", json!(items - used)),
    ])
}

/// The label with the most votes of each line, and how many lines have one. What is one label to the coefficients is
/// one here: 1 and 1.0 are.
pub(super) fn majority(data: &DataTable) -> Findings {
    let ratings = data.ratings();
    let votes = ratings.rows().map(|row| majority_vote(row.iter().copied().flatten()));
    let found: Vec<(u64, Result<Majority<u32>, StatsError>)> = data.lines().zip(votes).collect();
    let mut variants: Vec<Variant> = vec![("items".to_owned(), counts(&found))];
    variants.extend(found.into_iter().map(|(line, found)| {
        let figures = found.map(|found| of_line(found, ratings.labels()));
        (format!("line {line}"), figures.map_err(Reason::from))
    }));
    Findings::new("majority", variants)
}

/// How many items have a majority.
fn counts(found: &[(u64, Result<Majority<u32>, StatsError>)]) -> Figures {
    let won = found.iter().filter(|(_, it)| matches!(it, Ok(Majority::Winner { .. }))).count();
    let tied = found.iter().filter(|(_, it)| matches!(it, Ok(Majority::Tie { .. }))).count();
    // A tie is a result, a line without any label is none: that is what is left out.
    if found.is_empty() {
        return Err(StatsError::TooFew { what: "items", found: 0, needed: 1 }.into());
    }
    Ok(figures([
        ("value", json!(won)),
        ("ties", json!(tied)),
        ("n", json!(won + tied)),
        ("left_out", json!(found.len() - won - tied)),
    ]))
}

fn of_line(majority: Majority<u32>, labels: &Labels) -> Map<String, Value> {
    match majority {
        Majority::Winner { label, votes, of } => figures([
            ("value", json!(labels.text(label))),
            ("votes", json!(votes)),
            ("n", json!(of)),
        ]),
        Majority::Tie { labels: tied, votes, of } => figures([
            ("value", Value::Null),
            ("tie", tied.into_iter().map(|label| labels.text(label)).collect()),
            ("votes", json!(votes)),
            ("n", json!(of)),
        ]),
    }
}
