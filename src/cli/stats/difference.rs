//! `describe`, `bootstrap` and `sign`: how large, and which of two is larger.

use serde_json::json;

use crate::metric::stats::{
    BootstrapPlan, Undefined, bootstrap_mean, mean, paired_bootstrap, sign_test, standard_deviation,
};

use super::findings::{Figures, Findings, figures, missing};
use crate::cli::sheet::{Sheet, SheetError};

/// Mean, standard deviation and bootstrap interval of each column.
pub(super) fn describe(sheet: &Sheet, plan: &BootstrapPlan) -> Result<Findings, SheetError> {
    let variants = sheet.names().iter().enumerate().map(|(column, name)| {
        let cells = sheet.numbers(column)?;
        let values: Vec<f64> = cells.iter().copied().flatten().collect();
        Ok((name.clone(), description(&values, cells.len() - values.len(), plan)))
    });
    Ok(Findings::new("describe", variants.collect::<Result<_, SheetError>>()?))
}

fn description(values: &[f64], left_out: usize, plan: &BootstrapPlan) -> Figures {
    let interval = bootstrap_mean(values, plan)?;
    let deviation = standard_deviation(values);
    Ok(figures([
        ("value", json!(mean(values)?)),
        ("sd", deviation.map_or_else(|why| missing(&why), |deviation| json!(deviation))),
        ("low", json!(interval.low)),
        ("high", json!(interval.high)),
        ("min", json!(values.iter().copied().reduce(f64::min))),
        ("max", json!(values.iter().copied().reduce(f64::max))),
        ("n", json!(values.len())),
        ("left_out", json!(left_out)),
        ("confidence", json!(plan.confidence)),
        ("resamples", json!(plan.resamples)),
        ("seed", json!(plan.seed)),
    ]))
}

/// The mean difference of each pair of columns, first minus second, resampled by rows.
pub(super) fn bootstrap(sheet: &Sheet, plan: &BootstrapPlan) -> Result<Findings, SheetError> {
    of_pairs(sheet, "bootstrap", "mean_difference", |first, second| {
        let found = paired_bootstrap(first, second, plan)?;
        Ok(figures([
            ("value", json!(found.mean_difference)),
            ("low", json!(found.interval.low)),
            ("high", json!(found.interval.high)),
            ("p", json!(found.p)),
            ("confidence", json!(plan.confidence)),
            ("resamples", json!(plan.resamples)),
            ("seed", json!(plan.seed)),
        ]))
    })
}

/// How often the first of each pair of columns is larger, and whether by chance.
pub(super) fn sign(sheet: &Sheet) -> Result<Findings, SheetError> {
    of_pairs(sheet, "sign", "share_of_wins", |first, second| {
        let found = sign_test(first, second)?;
        Ok(figures([
            ("value", json!(found.wins as f64 / (found.wins + found.losses) as f64)),
            ("wins", json!(found.wins)),
            ("losses", json!(found.losses)),
            ("ties", json!(found.ties)),
            ("p", json!(found.p)),
        ]))
    })
}

fn of_pairs(
    sheet: &Sheet,
    coefficient: &'static str,
    variant: &'static str,
    of: impl Fn(&[f64], &[f64]) -> Figures,
) -> Result<Findings, SheetError> {
    let columns = (0..sheet.names().len()).map(|column| sheet.numbers(column));
    let columns: Vec<Vec<Option<f64>>> = columns.collect::<Result<_, _>>()?;
    let too_few = Undefined::TooFew { what: "columns", found: columns.len(), needed: 2 };
    let pair = |a: usize, b: usize| {
        let rows = columns.get(a).into_iter().flatten().zip(columns.get(b).into_iter().flatten());
        let (first, second): (Vec<f64>, Vec<f64>) = rows.filter_map(|(a, b)| a.zip(*b)).unzip();
        let figures = of(&first, &second).map(|mut figures| {
            figures.insert("n".to_owned(), json!(first.len()));
            figures.insert("left_out".to_owned(), json!(sheet.items() - first.len()));
            figures
        });
        vec![(variant.to_owned(), figures)]
    };
    Ok(Findings::of_pairs(coefficient, &[variant], sheet.names(), &too_few, pair))
}
