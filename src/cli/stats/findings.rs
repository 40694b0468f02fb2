//! What was computed, as JSON and as a table.

use rayon::prelude::*;
use serde_json::{Map, Value, json};

use crate::cli::progress::SharedProgress;
use crate::cli::table::{Column, Table};
use crate::evaluate::typed_table::TypedColumn;
use crate::metric::stats::StatsError;

/// The figures of a variant, or why there are none.
pub(super) type Figures = Result<Map<String, Value>, Reason>;

/// Why there is no figure, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reason(pub(super) String);

impl From<StatsError> for Reason {
    fn from(error: StatsError) -> Self {
        Self(error.to_string())
    }
}

/// A name and its figures.
pub(super) type Variant = (String, Figures);

/// Everything that was computed.
#[derive(Debug)]
pub(super) struct Findings {
    /// The name of the coefficient, the key of the JSON.
    pub(super) coefficient: &'static str,
    /// Its variants; of more than two columns, the means over pairs.
    pub(super) variants: Vec<Variant>,
    /// The same for each pair of columns if there are more than two, and not too many.
    pub(super) pairs: Vec<Pair>,
    /// How many pairs there are that are not listed: all or none.
    pub(super) unlisted_pairs: usize,
}

/// Most pairs that are listed one by one, those of 141 columns; of more there are only the means.
const MOST_PAIRS: usize = 10_000;

/// A variant over many pairs.
struct OverPairs {
    values: Vec<f64>,
    without: usize,
    /// Why the first of them has none.
    why: Option<Reason>,
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
        Self { coefficient, variants, pairs: Vec::new(), unlisted_pairs: 0 }
    }

    /// The findings of every pair of columns. Of two columns, `of_pair` says everything; of more,
    /// the means over pairs stand first. Fewer are no pair: `names` each have no value.
    pub(super) fn of_pairs(
        coefficient: &'static str,
        names: &[&str],
        columns: &[String],
        too_few: &StatsError,
        of_pair: impl Fn(usize, usize) -> Vec<Variant> + Sync,
    ) -> Self {
        let all = columns.len() * columns.len().saturating_sub(1) / 2;
        // Pairs grow with the square of columns: of too many only sums are kept.
        if all > MOST_PAIRS {
            let means = means_of_many(names, columns.len(), of_pair);
            return Self { coefficient, variants: means, pairs: Vec::new(), unlisted_pairs: all };
        }
        let mut pairs: Vec<Pair> = Vec::with_capacity(all);
        for (a, first) in columns.iter().enumerate() {
            for (b, second) in columns.iter().enumerate().skip(a + 1) {
                let columns = [first.clone(), second.clone()];
                pairs.push(Pair { columns, variants: of_pair(a, b) });
            }
        }
        let variants = match pairs.len() {
            0 => {
                names.iter().map(|name| ((*name).to_owned(), Err(too_few.clone().into()))).collect()
            }
            // The only pair is all there is to say: it is not listed a second time.
            1 => pairs.pop().map(|pair| pair.variants).unwrap_or_default(),
            _ => {
                names.iter().map(|name| ((*name).to_owned(), mean_of_pairs(name, &pairs))).collect()
            }
        };
        Self { coefficient, variants, pairs, unlisted_pairs: 0 }
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
        if let (Some(members), true) = (json.as_object_mut(), self.unlisted_pairs > 0) {
            members.insert("unlisted_pairs".to_owned(), json!(self.unlisted_pairs));
        }
        json
    }

    /// A table: variant, value, and the other figures behind it.
    pub(super) fn to_text(&self) -> String {
        let mut table = Table::new(&[
            Column::left("columns"),
            Column::left("variant"),
            Column::right("value"),
            Column::left("figures"),
        ]);
        for (columns, variants) in self.groups() {
            push_rows(&mut table, &columns, variants);
        }
        table.to_text()
    }

    /// The same as columns with types: a figure a column, as numbers where all of them are, and last why a row has
    /// none.
    pub(super) fn to_columns(&self) -> Vec<TypedColumn> {
        let groups = self.groups();
        let rows = groups.iter().flat_map(|(columns, variants)| {
            variants.iter().map(move |(name, figures)| (columns, name, figures))
        });
        let of_columns = rows.clone().map(|(columns, ..)| Some(columns.clone()));
        let names = rows.clone().map(|(_, name, _)| Some(name.clone()));
        let mut columns = vec![
            TypedColumn::texts("columns", of_columns.collect()),
            TypedColumn::texts("variant", names.collect()),
        ];
        let figures: Vec<Result<&Map<String, Value>, &Reason>> =
            rows.map(|(.., figures)| figures.as_ref()).collect();
        let mut keys: Vec<&String> = Vec::new();
        for key in figures.iter().filter_map(|it| it.ok()).flat_map(Map::keys) {
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        columns.extend(keys.into_iter().map(|key| {
            let values = figures.iter().map(|it| it.ok()?.get(key));
            if values.clone().flatten().all(|value| value.is_number() || value.is_null()) {
                return TypedColumn::numbers(key, values.map(|it| it?.as_f64()).collect());
            }
            let texts = values.map(|it| it.filter(|value| !value.is_null()).map(text));
            TypedColumn::texts(key, texts.collect())
        }));
        let missing = figures.iter().map(|it| it.err().map(|why| why.0.clone()));
        columns.push(TypedColumn::texts("missing", missing.collect()));
        columns
    }

    /// The variants with which columns they are of, all before each pair.
    fn groups(&self) -> Vec<(String, &[Variant])> {
        // Of two columns the one pair is all there is; of more, what stands first is their mean.
        let is_mean = !self.pairs.is_empty() || self.unlisted_pairs > 0;
        let all = if is_mean { "mean" } else { "all" };
        let pairs = self.pairs.iter().map(|it| (it.columns.join(" × "), it.variants.as_slice()));
        std::iter::once((all.to_owned(), self.variants.as_slice())).chain(pairs).collect()
    }
}

/// The means of each variant over so many pairs of columns that they are not kept: a row of pairs at a
/// time, several at once, in their order whatever the threads do.
fn means_of_many(
    names: &[&str],
    columns: usize,
    of_pair: impl Fn(usize, usize) -> Vec<Variant> + Sync,
) -> Vec<Variant> {
    let progress = SharedProgress::start(columns, "columns");
    let rows = (0..columns).into_par_iter().map(|a| {
        let mut row: Vec<OverPairs> = names.iter().map(|_| OverPairs::none()).collect();
        for variants in (a + 1..columns).map(|b| of_pair(a, b)) {
            for (over, (_, figures)) in row.iter_mut().zip(variants) {
                over.add(&figures);
            }
        }
        progress.passed("");
        row
    });
    // Collected in the order of columns: sums of floats differ with the order of their terms.
    let rows: Vec<Vec<OverPairs>> = rows.collect();
    let mut all: Vec<OverPairs> = names.iter().map(|_| OverPairs::none()).collect();
    for row in rows {
        all.iter_mut().zip(row).for_each(|(over, more)| over.append(more));
    }
    names.iter().zip(all).map(|(name, over)| ((*name).to_owned(), over.mean())).collect()
}

impl OverPairs {
    fn none() -> Self {
        Self { values: Vec::new(), without: 0, why: None }
    }

    fn add(&mut self, figures: &Figures) {
        match figures {
            Ok(figures) => {
                self.values.extend(figures.get("value").and_then(Value::as_f64));
            }
            Err(why) => {
                self.without += 1;
                self.why.get_or_insert_with(|| why.clone());
            }
        }
    }

    fn append(&mut self, more: Self) {
        self.values.extend(more.values);
        self.without += more.without;
        // Rows are appended in order, so the reason is that of the first pair, as in a list.
        self.why = self.why.take().or(more.why);
    }

    fn mean(self) -> Figures {
        match self.why {
            // Pairs without a value do not spoil the mean of the others, but are counted beside it.
            Some(why) if self.values.is_empty() => Err(why),
            _ => Ok(figures([
                ("value", json!(crate::metric::stats::mean(&self.values)?)),
                ("pairs", json!(self.values.len())),
                ("pairs_without_value", json!(self.without)),
            ])),
        }
    }
}

/// The mean of a variant over the pairs that have a value.
fn mean_of_pairs(name: &str, pairs: &[Pair]) -> Figures {
    let mut over = OverPairs::none();
    let of_name = pairs.iter().flat_map(|pair| &pair.variants).filter(|variant| variant.0 == name);
    of_name.for_each(|(_, figures)| over.add(figures));
    over.mean()
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
        Err(Reason(why)) => json!({ "missing": why }),
    }
}

/// `{"missing": "why"}`.
pub(super) fn missing(why: &StatsError) -> Value {
    json!({ "missing": why.to_string() })
}

fn push_rows(table: &mut Table, columns: &str, variants: &[Variant]) {
    for (name, figures) in variants {
        let (value, rest) = match figures {
            Ok(figures) => (figures.get("value").map(text).unwrap_or_default(), others(figures)),
            Err(Reason(why)) => ("—".to_owned(), why.clone()),
        };
        table.push(vec![columns.to_owned(), name.clone(), value, rest]);
    }
}

/// All figures but the value.
fn others(figures: &Map<String, Value>) -> String {
    // The value has a column of its own.
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

/// Decimals where they hold four digits, powers of ten where they would be zeros or too many.
fn four_digits(number: f64) -> String {
    if number == 0.0 || (1e-3..1e6).contains(&number.abs()) {
        format!("{number:.4}")
    } else {
        format!("{number:.3e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::typed_table::TypedTable;

    /// A value of each pair but those with the third column.
    fn of_pair(a: usize, b: usize) -> Vec<Variant> {
        let value = (a * 7 + b * 3) % 11;
        let figures = match (a, b) {
            (2, _) | (_, 2) => Err(StatsError::Unanimous.into()),
            _ => Ok(figures([("value", json!(value as f64 / 11.0))])),
        };
        vec![("plain".to_owned(), figures)]
    }

    #[test]
    fn a_file_has_numbers_as_numbers_and_why_a_row_has_none() {
        let names = ["a", "b", "c"].map(str::to_owned);
        let found = Findings::of_pairs("c", &["plain"], &names, &StatsError::OneRater, of_pair);
        let table = TypedTable { columns: found.to_columns(), about: Vec::new() };
        let why = StatsError::Unanimous.to_string();
        let mean = 3.0 / 11.0;
        let mut lines = table.to_csv().lines().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(lines.remove(0), "columns,variant,value,pairs,pairs_without_value,missing");
        assert_eq!(lines[0], format!("mean,plain,{mean},1,2,"));
        assert_eq!(lines[1], format!("a × b,plain,{mean},,,"));
        assert!(lines[2].starts_with("a × c,plain,,,,") && lines[2].contains(&why), "{lines:?}");
    }

    #[test]
    fn of_very_many_pairs_there_are_the_same_means_and_no_list() {
        let [some, many] = [20, 200].map(|count| {
            let names: Vec<String> = (0..count).map(|at: usize| at.to_string()).collect();
            Findings::of_pairs("c", &["plain"], &names, &StatsError::OneRater, of_pair)
        });
        assert_eq!((some.pairs.len(), some.unlisted_pairs), (190, 0));
        assert_eq!((many.pairs.len(), many.unlisted_pairs), (0, 19_900));
        let streamed = means_of_many(&["plain"], 20, of_pair);
        assert_eq!(streamed[0].1.as_ref().unwrap(), some.variants[0].1.as_ref().unwrap());
        assert_eq!(many.to_json()["unlisted_pairs"], 19_900);
        assert_eq!(many.variants[0].1.as_ref().unwrap()["pairs_without_value"], 199);
    }
}
