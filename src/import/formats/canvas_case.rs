//! What the name of a CANVAS result says: the task, the model, the variant.

use std::path::Path;

use crate::import::sink::UNKNOWN_AGENT;
use crate::import::source::name_of;

/// What a result is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Case {
    /// The id of the task set, as this program gives it to the published data.
    pub(super) set: String,
    /// The id of the task in it.
    pub(super) task: String,
    pub(super) model: String,
    /// The variant of the experiment, where one is named.
    pub(super) variant: Option<String>,
}

impl Case {
    /// Reads `{gt_id}-{model}-{variant}` of replications and `{task-N}-{gt_id}-{model}` of modifications,
    /// also without the task, which the folder above then is.
    pub(super) fn of(dir: &Path, result: &str) -> Self {
        let above = dir.parent().map(name_of).unwrap_or_default();
        let (kind, rest) = match task_kind(result) {
            Some((kind, rest)) => (Some(kind), rest),
            None => (task_kind(&above).map(|(kind, _)| kind), result),
        };
        let is_replication = dir.ancestors().map(name_of).any(|it| it.starts_with("replication"));
        let Some((task, model)) = split_task(rest, kind) else {
            return Self {
                set: "canvas".to_owned(),
                task: result.to_owned(),
                model: UNKNOWN_AGENT.to_owned(),
                variant: None,
            };
        };
        // The variant is known by the folder it lies in.
        let (model, variant) = match model.strip_suffix(&format!("-{above}")) {
            Some(model) if kind.is_none() && !above.is_empty() => (model, Some(above.clone())),
            _ => (model, None),
        };
        let set = match kind {
            Some(kind) => format!("canvas-{kind}"),
            // Both numbers are there only where there is a screen of a project to be made again.
            None if is_replication || task.contains('-') => "canvas-replication".to_owned(),
            None => "canvas".to_owned(),
        };
        Self { set, task: task.to_owned(), model: model.to_owned(), variant }
    }
}

/// `task-1`, `task-2` or `task-3` at the beginning, and what follows.
fn task_kind(name: &str) -> Option<(&str, &str)> {
    let rest = name.strip_prefix("task-")?;
    let digit = rest.bytes().next().filter(|digit| matches!(digit, b'1'..=b'3'))?;
    let kind = name.get(..6).filter(|kind| kind.as_bytes().last() == Some(&digit))?;
    let rest = name.get(6..)?;
    if rest.is_empty() { Some((kind, rest)) } else { Some((kind, rest.strip_prefix('-')?)) }
}

fn digits_from(name: &str, from: usize) -> usize {
    let rest = name.get(from..).unwrap_or_default();
    rest.bytes().take_while(u8::is_ascii_digit).count()
}

/// The id of the task at the beginning and the model after it.
fn split_task<'a>(name: &'a str, kind: Option<&str>) -> Option<(&'a str, &'a str)> {
    // `gid` follows the kind of change in tasks of the first kind, and stands first in all others.
    let start = if name.starts_with("gid") { 0 } else { name.find("-gid")? + 1 };
    let number = start + 3;
    let mut end = number + digits_from(name, number);
    if end == number {
        return None;
    }
    // The second number is part of the id in replications and in the third kind of modification; in the
    // others a model may begin with a digit.
    let has_second = matches!(kind, None | Some("task-3")) && name.get(end..=end) == Some("-");
    if has_second {
        let count = digits_from(name, end + 1);
        let after = name.as_bytes().get(end + 1 + count);
        if count > 0 && matches!(after, None | Some(b'-')) {
            end += 1 + count;
        }
    }
    let model = name.get(end..)?;
    let model = if model.is_empty() { UNKNOWN_AGENT } else { model.strip_prefix('-')? };
    Some((name.get(..end)?, model))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(path: &str) -> (String, String, String, Option<String>) {
        let dir = Path::new(path);
        let Case { set, task, model, variant } = Case::of(dir, &name_of(dir));
        (set, task, model, variant)
    }

    #[test]
    fn names_of_both_layouts_say_task_model_and_variant() {
        for (path, set, task, model, variant) in [
            (
                "r/image_only/gid6-27-gpt-4o-image_only",
                "canvas-replication",
                "gid6-27",
                "gpt-4o",
                Some("image_only"),
            ),
            (
                "r/replication_gen/x/gid6-27-claude-3-5-sonnet",
                "canvas-replication",
                "gid6-27",
                "claude-3-5-sonnet",
                None,
            ),
            ("r/multi_react/task-2-gid1-gpt-4.1", "canvas-task-2", "gid1", "gpt-4.1", None),
            ("r/task-3/gid10-1-gemini-2.5-pro", "canvas-task-3", "gid10-1", "gemini-2.5-pro", None),
            (
                "r/task-1/color_adjustment-gid1-gpt-4o",
                "canvas-task-1",
                "color_adjustment-gid1",
                "gpt-4o",
                None,
            ),
            (
                "r/task-1-text_content_change-gid41-4o",
                "canvas-task-1",
                "text_content_change-gid41",
                "4o",
                None,
            ),
            ("something else", "canvas", "something else", UNKNOWN_AGENT, None),
            ("gidx", "canvas", "gidx", UNKNOWN_AGENT, None),
        ] {
            let expected =
                (set.to_owned(), task.to_owned(), model.to_owned(), variant.map(str::to_owned));
            assert_eq!(case(path), expected, "{path}");
        }
    }
}
