//! Captions that were made before, in the shape CANVAS publishes them.

use std::path::Path;

use anyhow::Context as _;
use serde::Deserialize;
use serde_json::Value;

use crate::base::{Limits, parse_json, read_file_limited};

/// What was said of each side.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Captions {
    pub(super) ground_truth: Option<String>,
    pub(super) generated: Option<String>,
    pub(super) base: Option<String>,
}

/// An entry of `precomputed_blip_scores.json`. Its scores are not read: they are computed here.
#[derive(Debug, Deserialize)]
struct Entry {
    #[serde(default)]
    case_id: Value,
    gt_caption: Option<String>,
    gt_caption_target: Option<String>,
    gt_caption_base: Option<String>,
    gen_caption: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Published {
    Many(Vec<Entry>),
    One(Entry),
}

/// The captions in a file: an entry, or a list of which `case` names one if there are several.
pub(super) fn read(path: &Path, case: Option<&str>) -> anyhow::Result<Captions> {
    let shown = || format!("the captions cannot be read: {}", path.display());
    let bytes = read_file_limited(path, Limits::JSON_BYTES).with_context(shown)?;
    let json: Value = parse_json(&bytes).with_context(shown)?;
    let published = serde_json::from_value(json).ok();
    let published = published.context(
        "expected an object, or a list of objects, with \"gt_caption\" and \"gen_caption\"",
    );
    choose(published.with_context(shown)?, case).with_context(shown)
}

fn choose(published: Published, case: Option<&str>) -> anyhow::Result<Captions> {
    let mut entries = match published {
        Published::One(entry) => vec![entry],
        Published::Many(entries) => entries,
    };
    if let Some(case) = case {
        entries.retain(|entry| entry.is_of(case));
    }
    match (entries.len(), case) {
        (0, Some(case)) => anyhow::bail!("there is no case {case:?}"),
        (0, None) => anyhow::bail!("the list is empty"),
        (1, _) => Ok(entries.remove(0).captions()),
        (count, None) => anyhow::bail!("it has {count} cases: say which with --case ID"),
        (count, Some(case)) => anyhow::bail!("it has {count} cases {case:?}"),
    }
}

impl Entry {
    fn is_of(&self, case: &str) -> bool {
        match &self.case_id {
            Value::String(id) => id == case,
            other => format!("{other}") == case,
        }
    }

    fn captions(self) -> Captions {
        Captions {
            ground_truth: self.gt_caption.or(self.gt_caption_target).filter(|it| is_said(it)),
            generated: self.gen_caption.filter(|it| is_said(it)),
            base: self.gt_caption_base.filter(|it| is_said(it)),
        }
    }
}

/// Where the captioner failed, the published files have its error for a caption.
fn is_said(caption: &str) -> bool {
    !caption.trim().is_empty() && !caption.starts_with("Error:")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(json: &str, case: Option<&str>) -> Result<Captions, String> {
        let published = serde_json::from_str(json).unwrap();
        choose(published, case).map_err(|error| error.to_string())
    }

    #[test]
    fn a_case_is_found_and_a_failed_caption_is_none() {
        let json = r#"[
            {"case_id": "gid1-22", "blip_score": 0.5, "gt_caption": "a list", "gen_caption": "Error: x"},
            {"case_id": 7, "gt_caption_base": "b", "gt_caption_target": "t", "gen_caption": "g"}]"#;
        let first = chosen(json, Some("gid1-22")).unwrap();
        assert_eq!((first.ground_truth.as_deref(), first.generated), (Some("a list"), None));
        let second = chosen(json, Some("7")).unwrap();
        let said = [second.ground_truth, second.generated, second.base];
        assert_eq!(said.map(Option::unwrap), ["t", "g", "b"]);
        assert!(chosen(json, None).unwrap_err().contains("--case"));
        assert!(chosen(json, Some("gid9")).unwrap_err().contains("gid9"));
    }
}
