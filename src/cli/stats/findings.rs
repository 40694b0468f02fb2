//! What was computed, as JSON and as a table.

use serde_json::{Map, Value, json};

use crate::cli::table::{Column, Side, Table};
use crate::metric::stats::Undefined;

/// The figures of a variant, or why there are none.
pub(super) type Figures = Result<Map<String, Value>, Undefined>;

/// A name and its figures.
pub(super) type Variant = (String, Figures);

/// Everything that was computed.
#[derive(Debug)]
pub(super) struct Findings {
    /// The name of the coefficient, the key of the JSON.
    pub(super) coefficient: &'static str,
    /// Its variants; of more than two columns, the means over pairs.
    pub(super) variants: Vec<Variant>,
    /// The same for each pair of columns if there are more than two.
    pub(super) pairs: Vec<Pair>,
}

/// What was computed of two columns.
#[derive(Debug)]
pub(super) struct Pair {
    /// Their names.
    pub(super) columns: [String; 2],
    /// Their variants.
    pub(super) variants: Vec<Variant>,
}

impl Findings {
    /// Findings that are not about pairs.
    pub(super) fn new(coefficient: &'static str, variants: Vec<Variant>) -> Self {
        Self { coefficient, variants, pairs: Vec::new() }
    }

    /// The findings of every pair of columns. Of two columns, `of_pair` says everything; of more,
    /// the means over pairs stand first. Fewer are no pair: `names` each have no value.
    pub(super) fn of_pairs(
        coefficient: &'static str,
        names: &[&str],
        columns: &[String],
        too_few: &Undefined,
        of_pair: impl Fn(usize, usize) -> Vec<Variant>,
    ) -> Self {
        let places = (0..columns.len()).flat_map(|a| (a + 1..columns.len()).map(move |b| (a, b)));
        let pair = |(a, b): (usize, usize)| Pair {
            columns: [&columns[a], &columns[b]].map(Clone::clone),
            variants: of_pair(a, b),
        };
        let mut pairs: Vec<Pair> = places.map(pair).collect();
        let named = |of: &dyn Fn(&str) -> Figures| {
            names.iter().map(|name| ((*name).to_owned(), of(name))).collect()
        };
        let variants = match pairs.len() {
            0 => named(&|_| Err(too_few.clone())),
            1 => pairs.pop().map(|pair| pair.variants).unwrap_or_default(),
            _ => named(&|name| mean_of_pairs(name, &pairs)),
        };
        Self { coefficient, variants, pairs }
    }

    /// `{"coefficient": {"variant": {"value": …, …} or {"missing": "why"}}}`, and `"pairs"`.
    pub(super) fn to_json(&self) -> Value {
        let mut json = json!({ self.coefficient: variants_json(&self.variants) });
        if let (Some(members), false) = (json.as_object_mut(), self.pairs.is_empty()) {
            let pairs = self.pairs.iter().map(|pair| {
                json!({ "columns": pair.columns, self.coefficient: variants_json(&pair.variants) })
            });
            members.insert("pairs".to_owned(), pairs.collect());
        }
        json
    }

    /// A table: variant, value, and the other figures behind it.
    pub(super) fn to_text(&self) -> String {
        let column = |heading, side| Column { heading, side };
        let mut table = Table::new(&[
            column("columns", Side::Left),
            column("variant", Side::Left),
            column("value", Side::Right),
            column("figures", Side::Left),
        ]);
        let all = if self.pairs.is_empty() { "all" } else { "mean" };
        push_rows(&mut table, all, &self.variants);
        for pair in &self.pairs {
            push_rows(&mut table, &pair.columns.join(" × "), &pair.variants);
        }
        table.to_text()
    }
}

/// The mean of a variant over the pairs that have a value.
fn mean_of_pairs(name: &str, pairs: &[Pair]) -> Figures {
    let of_name = pairs.iter().flat_map(|pair| &pair.variants).filter(|variant| variant.0 == name);
    let (with, without): (Vec<_>, Vec<_>) =
        of_name.map(|variant| &variant.1).partition(|f| f.is_ok());
    let values: Vec<f64> =
        with.into_iter().flatten().filter_map(|figures| figures.get("value")?.as_f64()).collect();
    match without.iter().find_map(|figures| figures.as_ref().err()) {
        Some(why) if values.is_empty() => Err(why.clone()),
        _ => Ok(figures([
            ("value", json!(crate::metric::stats::mean(&values)?)),
            ("pairs", json!(values.len())),
            ("pairs_without_value", json!(without.len())),
        ])),
    }
}

/// Named figures in this order.
pub(super) fn figures<const N: usize>(figures: [(&str, Value); N]) -> Map<String, Value> {
    figures.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn variants_json(variants: &[Variant]) -> Value {
    variants.iter().map(|(name, figures)| (name.clone(), figures_json(figures))).collect()
}

fn figures_json(figures: &Figures) -> Value {
    match figures {
        Ok(figures) => Value::Object(figures.clone()),
        Err(why) => missing(why),
    }
}

/// `{"missing": "why"}`.
pub(super) fn missing(why: &Undefined) -> Value {
    json!({ "missing": why.to_string() })
}

fn push_rows(table: &mut Table, columns: &str, variants: &[Variant]) {
    for (name, figures) in variants {
        let (value, rest) = match figures {
            Ok(figures) => (figures.get("value").map(text).unwrap_or_default(), others(figures)),
            Err(why) => ("—".to_owned(), why.to_string()),
        };
        table.push(vec![columns.to_owned(), name.clone(), value, rest]);
    }
}

/// All figures but the value.
fn others(figures: &Map<String, Value>) -> String {
    let others = figures.iter().filter(|(name, _)| *name != "value");
    others.map(|(name, value)| format!("{name} {}", text(value))).collect::<Vec<_>>().join(", ")
}

/// A figure for people: four digits that count.
fn text(value: &Value) -> String {
    match value {
        Value::Number(number) if number.is_f64() => {
            four_digits(number.as_f64().unwrap_or(f64::NAN))
        }
        Value::String(text) => text.clone(),
        Value::Null => "—".to_owned(),
        Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join(" "),
        Value::Object(members) => match members.get("missing") {
            Some(why) => format!("— ({})", text(why)),
            None => format!(
                "({} {})",
                members.get("value").map(text).unwrap_or_default(),
                others(members)
            ),
        },
        other => other.to_string(),
    }
}

fn four_digits(number: f64) -> String {
    if number == 0.0 || (1e-3..1e6).contains(&number.abs()) {
        format!("{number:.4}")
    } else {
        format!("{number:.3e}")
    }
}
