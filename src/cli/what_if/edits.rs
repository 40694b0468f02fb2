//! Edits as the command line says them.

use clap::Args;
use serde_json::{Map, Value};

use crate::base::parse_json;
use crate::run::{CallEdit, EditError};

/// What is changed of the calls.
#[derive(Args, Debug)]
pub(super) struct EditArguments {
    /// Leave these calls out: steps and ranges of them, such as 3,7-9.
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = steps)]
    drop: Vec<Steps>,
    /// Make a call with other arguments: N={"width": 40}. Only what is named changes; null takes it out.
    #[arg(long, value_name = "N={…}", value_parser = replaced)]
    edit: Vec<Replaced>,
    /// Put a call in behind step N, 0 is before all: N=TOOL:{…}.
    #[arg(long, value_name = "N=TOOL:{…}", value_parser = inserted)]
    insert: Vec<Inserted>,
    /// Make call A right behind the place of step B, 0 is before all.
    #[arg(long = "move", value_name = "A:B", value_parser = moved)]
    moves: Vec<Moved>,
    /// Go on from this step: all calls of the run behind it are left out.
    #[arg(long, value_name = "STEP")]
    from: Option<u32>,
}

/// Some steps that follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Steps {
    pub(super) first: u32,
    pub(super) last: u32,
}

/// A call with other arguments.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Replaced {
    pub(super) step: u32,
    pub(super) changes: Map<String, Value>,
}

/// A call that is put in.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Inserted {
    pub(super) after: u32,
    pub(super) name: String,
    pub(super) arguments: Value,
}

/// A call at another place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moved {
    pub(super) step: u32,
    pub(super) after: u32,
}

/// `3`, or `7-9`.
pub(super) fn steps(text: &str) -> Result<Steps, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let steps = Steps { first: number(first)?, last: number(last)? };
    if steps.first > steps.last {
        return Err(format!("{text} ends before it begins"));
    }
    Ok(steps)
}

/// `4={"width": 320}`.
pub(super) fn replaced(text: &str) -> Result<Replaced, String> {
    let (step, arguments) =
        text.split_once('=').ok_or("must be the step, = and what changes: 4={\"width\": 320}")?;
    match json(arguments)? {
        Value::Object(changes) => Ok(Replaced { step: number(step)?, changes }),
        other => Err(format!("what changes must be a JSON object, not {}", shortened(&other))),
    }
}

/// `12=create_rectangle:{"x": 0, …}`.
pub(super) fn inserted(text: &str) -> Result<Inserted, String> {
    let form = "must be a step, =, a tool, : and its arguments: 12=set_opacity:{\"nodeId\": …}";
    let (after, rest) = text.split_once('=').ok_or(form)?;
    let (name, arguments) = rest.split_once(':').unwrap_or((rest, "{}"));
    if name.trim().is_empty() {
        return Err(form.to_owned());
    }
    let (after, arguments) = (number(after)?, json(arguments)?);
    Ok(Inserted { after, name: name.trim().to_owned(), arguments })
}

/// `4:9`.
pub(super) fn moved(text: &str) -> Result<Moved, String> {
    let (step, after) =
        text.split_once(':').ok_or("must be the step, : and the step it comes behind: 4:9")?;
    Ok(Moved { step: number(step)?, after: number(after)? })
}

fn number(text: &str) -> Result<u32, String> {
    let shown: String = text.chars().take(40).collect();
    text.trim().parse().map_err(|_not_one| format!("{shown:?} is no step"))
}

fn json(text: &str) -> Result<Value, String> {
    parse_json(text.as_bytes()).map_err(|error| format!("these arguments are no JSON: {error}"))
}

fn shortened(value: &Value) -> String {
    value.to_string().chars().take(40).collect()
}

impl EditArguments {
    /// The edits, `arguments_of` giving what a step of the run was called with.
    ///
    /// # Errors
    ///
    /// Of a step that the run has not. Everything else is said when they are applied.
    pub(super) fn call_edits<'a>(
        &self,
        last: u32,
        arguments_of: impl Fn(u32) -> Option<&'a Value>,
    ) -> Result<Vec<CallEdit>, EditError> {
        let mut edits = Vec::new();
        for Steps { first, last: end } in self.drop.iter().copied() {
            // Before they are counted out: a range may name billions.
            if end > last {
                return Err(EditError::NoStep { step: end, last });
            }
            edits.extend((first..=end).map(|step| CallEdit::Drop { step }));
        }
        for Replaced { step, changes } in &self.edit {
            let own = arguments_of(*step).ok_or(EditError::NoStep { step: *step, last })?;
            edits.push(CallEdit::Replace { step: *step, arguments: changed(own, changes) });
        }
        for Inserted { after, name, arguments } in &self.insert {
            let (name, arguments) = (name.clone(), arguments.clone());
            edits.push(CallEdit::Insert { after: *after, name, arguments });
        }
        edits.extend(self.moves.iter().map(|it| CallEdit::Move { step: it.step, after: it.after }));
        if let Some(from) = self.from {
            if from > last {
                return Err(EditError::NoStep { step: from, last });
            }
            // Steps that an edit names are left to that edit.
            let named: Vec<u32> = edits.iter().filter_map(CallEdit::step).collect();
            let behind = (from + 1..=last).filter(|step| !named.contains(step));
            edits.extend(behind.map(|step| CallEdit::Drop { step }));
        }
        Ok(edits)
    }
}

/// Arguments with changes: `null` takes one out.
fn changed(own: &Value, changes: &Map<String, Value>) -> Value {
    let mut fields = own.as_object().cloned().unwrap_or_default();
    for (key, value) in changes {
        if value.is_null() {
            fields.remove(key);
        } else {
            fields.insert(key.clone(), value.clone());
        }
    }
    Value::Object(fields)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn edits_are_read_as_they_are_written() {
        assert_eq!(steps("3").unwrap(), Steps { first: 3, last: 3 });
        assert_eq!(steps("7-9").unwrap(), Steps { first: 7, last: 9 });
        let put_in = inserted("0=create_frame:{\"name\": \"a:b=c\"}").unwrap();
        assert_eq!((put_in.after, put_in.name.as_str()), (0, "create_frame"));
        assert_eq!(put_in.arguments, json!({ "name": "a:b=c" }));
        assert_eq!(inserted("1=get_document_info").unwrap().arguments, json!({}));
        assert_eq!(moved("4:0").unwrap(), Moved { step: 4, after: 0 });
        let edit = replaced("4={\"a\": 1, \"b\": null}").unwrap();
        assert_eq!(changed(&json!({ "b": 2, "c": 3 }), &edit.changes), json!({ "c": 3, "a": 1 }));
    }

    #[test]
    fn what_cannot_be_read_says_what_it_should_be() {
        for (error, words) in [
            (steps("9-7").unwrap_err(), "ends before"),
            (steps("x").unwrap_err(), "\"x\" is no step"),
            (replaced("4").unwrap_err(), "must be the step"),
            (replaced("4={").unwrap_err(), "no JSON"),
            (replaced("4=[1]").unwrap_err(), "must be a JSON object"),
            (inserted("4=:{}").unwrap_err(), "must be a step"),
            (inserted("4=a:{\"x\"}").unwrap_err(), "no JSON"),
            (moved("4").unwrap_err(), "behind"),
            (moved("4:-1").unwrap_err(), "is no step"),
        ] {
            assert!(error.contains(words), "{error}");
        }
    }
}
