//! `kappa`, `alpha` and `fleiss`: do raters agree.

use serde_json::{Map, Value, json};

use crate::metric::stats::{
    Agreement, Chance, Labels, Level, Ratings, StatsError, Weighting, cohen_kappa, fleiss_kappa,
    krippendorff_alpha,
};

use super::findings::{Figures, Findings, Variant};
use crate::cli::data_table::DataTable;

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
        let pairs = ratings.pairs(a, b);
        let of = |(name, weighting): (&str, _)| {
            (name.to_owned(), kappa_figures(&ratings, &pairs, weighting))
        };
        WEIGHTINGS.map(of).into()
    })
}

fn kappa_figures(ratings: &Ratings, pairs: &[(u32, u32)], weighting: Weighting) -> Figures {
    if let (Labels::Words(words), Weighting::Linear | Weighting::Quadratic) =
        (ratings.labels(), weighting)
    {
        let example = words.first().cloned().unwrap_or_default();
        return Err(StatsError::WordLabels { example });
    }
    Ok(with_counts(&cohen_kappa(pairs, weighting)?, pairs.len(), ratings.items()))
}

/// Krippendorff's α at every level.
pub(super) fn alpha(data: &DataTable) -> Findings {
    let ratings = data.ratings();
    let of = |(name, level): (&str, _)| -> Variant {
        let figures = krippendorff_alpha(&ratings, level).map(|alpha| {
            let mut figures = with_counts(&alpha.agreement, alpha.items, ratings.items());
            figures.insert("labels".to_owned(), json!(alpha.labels));
            figures
        });
        (name.to_owned(), figures)
    };
    Findings::new("alpha", LEVELS.map(of).into())
}

/// Fleiss' κ.
pub(super) fn fleiss(data: &DataTable) -> Findings {
    let ratings = data.ratings();
    let of = |(name, chance): (&str, _)| -> Variant {
        let figures = fleiss_kappa(&ratings, chance).map(|kappa| {
            let mut figures = with_counts(&kappa.agreement, kappa.items, ratings.items());
            figures.insert("labels_per_item".to_owned(), json!(kappa.labels_per_item));
            figures
        });
        (name.to_owned(), figures)
    };
    Findings::new("fleiss", CHANCES.map(of).into())
}

fn with_counts(agreement: &Agreement, used: usize, items: usize) -> Map<String, Value> {
    super::findings::figures([
        ("value", json!(agreement.value)),
        ("observed_disagreement", json!(agreement.observed_disagreement)),
        ("expected_disagreement", json!(agreement.expected_disagreement)),
        ("n", json!(used)),
        ("left_out", json!(items - used)),
    ])
}
