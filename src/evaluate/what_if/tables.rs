//! What calls brought, as tables with a row for each group of calls, in the order of the run. Where a table is from is
//! for whoever writes it to say before what it says of itself here.

use crate::evaluate::typed_table::{TypedColumn, TypedTable};
use crate::metric::Score;
use crate::metric::stats::ShapleyMethod;

use super::attribution::{LeftOut, ShapleyEffects};
use super::groups::CallGroup;

/// What leaving out each group of calls did, by these variants; the table says how the end with all calls scores.
pub fn left_out_table(left_out: &LeftOut, variants: &[&str]) -> TypedTable {
    let effects = left_out.effects.iter();
    let mut columns = call_columns(effects.clone().map(|effect| &effect.group));
    for (at, variant) in variants.iter().enumerate() {
        let brought = effects.clone().map(|effect| effect.brought.get(at).copied().flatten());
        columns.push(TypedColumn::numbers(format!("brought {variant}"), brought.collect()));
    }
    let broke = effects.map(|effect| Some(all_steps(&effect.broke)));
    columns.push(TypedColumn::texts("fails without", broke.collect()));
    let ends = variants.iter().zip(&left_out.full).map(|(variant, score)| {
        let words = match score {
            Score::Value(value) => value.to_string(),
            Score::Missing(why) => why.to_string(),
        };
        (format!("{variant} with all calls"), words)
    });
    TypedTable { columns, about: ends.collect() }
}

/// Shapley values by these variants with their intervals; the table says how they were come by, and of each variant
/// how the ends without any call and with all calls score, or why it has no values.
pub fn shapley_table(effects: &ShapleyEffects, variants: &[&str]) -> TypedTable {
    let mut columns = call_columns(effects.groups.iter());
    let mut about = vec![("Shapley values".to_owned(), shapley_method_words(effects.method))];
    for (variant, of) in variants.iter().zip(&effects.of_variants) {
        // By a variant without values the cells are empty.
        let of = of.as_ref();
        let values = (0..effects.groups.len()).map(|at| of.ok()?.values.get(at));
        let brought = values.clone().map(|it| it.map(|it| it.value));
        columns.push(TypedColumn::numbers(format!("brought {variant}"), brought.collect()));
        let low = values.clone().map(|it| it?.interval.map(|it| it.low));
        columns.push(TypedColumn::numbers(format!("low {variant}"), low.collect()));
        let high = values.map(|it| it?.interval.map(|it| it.high));
        columns.push(TypedColumn::numbers(format!("high {variant}"), high.collect()));
        // The values sum to the difference of these two, by which they can be checked.
        let ends = match of {
            Ok(of) => format!("{} without, {} with all calls", of.empty, of.full),
            Err(why) => why.to_string(),
        };
        about.push(((*variant).to_owned(), ends));
    }
    TypedTable { columns, about }
}

/// How Shapley values are come by, for people.
pub fn shapley_method_words(method: ShapleyMethod) -> String {
    match method {
        ShapleyMethod::Exact => "exact, of all orders".to_owned(),
        ShapleyMethod::Sampled { orders } => match method.why_no_intervals() {
            None => {
                format!("estimated from {orders} orders, with intervals of 95 % by Student's t")
            }
            Some(why) => format!("estimated from {orders} orders, without intervals ({why})"),
        },
    }
}

/// Which calls each row is of.
fn call_columns<'a>(groups: impl Iterator<Item = &'a CallGroup> + Clone) -> Vec<TypedColumn> {
    let steps = groups.clone().map(|group| Some(all_steps(&group.steps)));
    let calls = groups.map(|group| Some(group.label.clone()));
    vec![TypedColumn::texts("steps", steps.collect()), TypedColumn::texts("calls", calls.collect())]
}

/// Every step, for programs.
fn all_steps(steps: &[u32]) -> String {
    steps.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}
