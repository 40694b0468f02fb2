//! `bradley-terry`: a ranking from comparisons of two.

use std::collections::BTreeSet;

use serde_json::json;

use crate::metric::stats::{PairedComparison, Preferred, Strength, bradley_terry};

use super::findings::{Findings, Reason, Variant, figures};
use crate::evaluate::data_table::{DataTable, DataTableError, text};

const CONFIDENCE: f64 = 0.95;
const WANTED: &str = "left, right, tie, or one of the two that are compared";

/// The strengths of models from rows of `left,right,preferred`, the strongest first. A row without a
/// preference is left out.
pub(super) fn ranking(data: &DataTable) -> Result<Findings, DataTableError> {
    let left = data.required("left", "a name", text)?;
    let right = data.required("right", "a name", text)?;
    let preferred = data.named("preferred", WANTED, text)?;
    // A cell may be empty, the column may not be missing: then the error says which columns there must be.
    if data.find("preferred").is_none() {
        data.required("preferred", WANTED, text)?;
    }
    let names: BTreeSet<&String> = left.iter().chain(&right).collect();
    let names: Vec<&String> = names.into_iter().collect();
    let (mut comparisons, mut undecided) = (Vec::new(), vec![0_usize; names.len()]);
    for (item, ((left, right), said)) in left.iter().zip(&right).zip(&preferred).enumerate() {
        // Of a model with itself nothing can be learnt, and it is a slip of whoever wrote the table.
        if left == right {
            let column = data.find("right").unwrap_or_default();
            return Err(data.wrong_cell(item, column, "another name than that on the left"));
        }
        // Sorted above, and every name is among them.
        let sides = [left, right].map(|name| names.binary_search(&name).unwrap_or_default());
        let Some(said) = said else {
            for side in sides {
                undecided[side] += 1;
            }
            continue;
        };
        let preferred = preference(said, left, right).ok_or_else(|| {
            data.wrong_cell(item, data.find("preferred").unwrap_or_default(), WANTED)
        })?;
        let [left, right] = sides;
        comparisons.push(PairedComparison { left, right, preferred });
    }
    let variants = match bradley_terry(names.len(), &comparisons, CONFIDENCE) {
        Ok(strengths) => strengths
            .iter()
            .enumerate()
            .map(|(at, strength)| {
                let left_out = undecided.get(strength.model).copied().unwrap_or(0);
                variant(at + 1, strength, &names, &comparisons, left_out)
            })
            .collect(),
        Err(why) => vec![("ranking".to_owned(), Err(Reason(why.with_names(&names))))],
    };
    Ok(Findings::new("bradley-terry", variants))
}

fn preference(said: &str, left: &str, right: &str) -> Option<Preferred> {
    // Names first: a model may be called "right".
    if said == left {
        return Some(Preferred::Left);
    }
    if said == right {
        return Some(Preferred::Right);
    }
    match said.to_ascii_lowercase().as_str() {
        "left" => Some(Preferred::Left),
        "right" => Some(Preferred::Right),
        "tie" | "equal" => Some(Preferred::Tie),
        _ => None,
    }
}

fn variant(
    rank: usize,
    strength: &Strength,
    names: &[&String],
    comparisons: &[PairedComparison],
    left_out: usize,
) -> Variant {
    let model = strength.model;
    let own = comparisons.iter().filter(|it| it.left == model || it.right == model);
    // Ties are in n and no win, as in the fit.
    let won = comparisons.iter().filter(|it| match it.preferred {
        Preferred::Left => it.left == model,
        Preferred::Right => it.right == model,
        Preferred::Tie => false,
    });
    let figures = figures([
        ("value", json!(strength.log_strength)),
        ("std_err", json!(strength.standard_error)),
        ("low", json!(strength.interval.low)),
        ("high", json!(strength.interval.high)),
        ("rank", json!(rank)),
        ("wins", json!(won.count())),
        ("n", json!(own.count())),
        ("left_out", json!(left_out)),
        ("confidence", json!(CONFIDENCE)),
    ]);
    (names.get(model).map_or_else(String::new, |name| (*name).clone()), Ok(figures))
}
