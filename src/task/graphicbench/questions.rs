//! The yes/no questions about each query: `{id, design, user_query, questions}`, the questions being
//! a list of texts, or that list as a text of JSON that is not always valid.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use crate::metric::constraint::DesignType;
use crate::task::listing::Listing;
use crate::task::literal::read_literal;
use crate::task::model::Task;

use super::lines::{JsonLinesKind, NamedLine, QUESTION_FOLDERS, kind_of, rows};

/// Most questions about one query.
const QUESTIONS: usize = 10_000;

/// The questions about queries, by type of design and the query's words.
#[derive(Debug, Default)]
pub(super) struct Questions {
    by_query: BTreeMap<(String, String), QueryQuestions>,
    /// How often a query is asked about again, with other questions.
    others: usize,
}

#[derive(Clone, Debug)]
struct QueryQuestions {
    /// The number of the query, as it stands.
    id: String,
    questions: Vec<String>,
}

impl Questions {
    /// Those in a folder of questions beside the queries in `dir`, if there is one.
    pub(super) fn beside(dir: &Path, warnings: &mut Vec<String>) -> Self {
        let mut all = Vec::new();
        for folder in QUESTION_FOLDERS.map(|name| dir.join(name)) {
            let Ok(listing) = Listing::read(&folder) else { continue };
            for name in &listing.files {
                if kind_of(&folder.join(name)) == Some(JsonLinesKind::Questions) {
                    all.extend(rows(&folder, name, warnings));
                }
            }
        }
        Self::read(all.iter(), warnings)
    }

    /// Those in some lines. Where a query is asked about twice, the first time counts.
    pub(super) fn read<'a>(
        rows: impl Iterator<Item = &'a NamedLine>,
        warnings: &mut Vec<String>,
    ) -> Self {
        let mut found = Self::default();
        for (place, row) in rows.filter(|(_, row)| row.get("questions").is_some()) {
            let questions = list_of(&row["questions"]).unwrap_or_else(|why| {
                warnings.push(format!("The questions in {place} are not read: {why}."));
                Vec::new()
            });
            // Through the task that the row would be, so that both sides name a type of design
            // alike.
            let design = super::row::task(row).map_or_else(String::new, |(task, _)| key_of(&task));
            let query = row["user_query"].as_str().unwrap_or_default();
            let key = (design, plain(query));
            match found.by_query.get(&key) {
                Some(asked) if asked.questions == questions => {}
                Some(_) => found.others += 1,
                None => {
                    let asked = QueryQuestions { id: row["id"].to_string(), questions };
                    found.by_query.insert(key, asked);
                }
            }
        }
        found
    }

    /// Gives the questions to the tasks they are about: by type of design and words, else by type and
    /// number where the words are nearly the same. What is about none is left where it is, as the
    /// files hold all types and sets.
    pub(super) fn give_to(&self, tasks: &mut [Task], warnings: &mut Vec<String>) {
        let mut is_used = false;
        for task in tasks {
            let design = key_of(task);
            let key = (design.clone(), plain(&task.instruction));
            // By the words first: numbers begin anew in each of the published sets, so that the
            // same number may be another query.
            if let Some(asked) = self.by_query.get(&key) {
                give(task, asked.questions.clone());
            } else if let Some(asked) = self.of_number(task, &design) {
                warnings.push(format!(
                    "{}: the questions with its number are about a query in slightly other words.",
                    task.id
                ));
                give(task, asked.questions.clone());
            } else {
                continue;
            }
            is_used = true;
        }
        if is_used && self.others > 0 {
            warnings.push(format!(
                "{} queries are asked about twice, with other questions: the first ones are used.",
                self.others
            ));
        }
    }

    /// What is asked about the query of the task's number, if it has nearly the task's words.
    fn of_number(&self, task: &Task, design: &str) -> Option<&QueryQuestions> {
        let number = task.id.strip_prefix(design)?.strip_prefix('-')?;
        let mut all = self.by_query.iter();
        let same = all.find(|((of, query), asked)| {
            of == design && asked.id == number && is_like(query, &task.instruction)
        });
        same.map(|(_, asked)| asked)
    }
}

/// Whether two queries share three in four of all their words.
fn is_like(a: &str, b: &str) -> bool {
    let [a, b] = [a, b].map(|text| text.split_whitespace().collect::<BTreeSet<_>>());
    4 * a.intersection(&b).count() >= 3 * a.union(&b).count()
}

fn give(task: &mut Task, questions: Vec<String>) {
    if let Some(brief) = &mut task.brief {
        Arc::make_mut(brief).questions = questions;
    }
}

fn key_of(task: &Task) -> String {
    let design = task.brief.as_ref().and_then(|brief| brief.query.design);
    design.map_or("design", DesignType::key).to_owned()
}

/// A query without what printing changes: spaces and line ends.
fn plain(query: &str) -> String {
    query.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The questions in a list, or in a text that holds one.
pub(in crate::task) fn list_of(value: &Value) -> Result<Vec<String>, String> {
    let list = match value {
        Value::String(text) => {
            Cow::Owned(read_literal(text).map_err(|error| error.to_string())?.value)
        }
        other => Cow::Borrowed(other),
    };
    let Some(list) = list.as_array() else { return Err("they are no list".to_owned()) };
    let texts = list.iter().take(QUESTIONS).filter_map(Value::as_str);
    Ok(texts.map(str::to_owned).collect())
}
