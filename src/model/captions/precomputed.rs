//! Captions made before, in the shape that the CANVAS code writes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use crate::base::{JsonLimitError, Limits, parse_json, read_file_limited};

/// What the file of captions of snapshots is called, beside the file of captions of results.
pub const SNAPSHOT_FILE: &str = "precomputed_blip_scores_snapshot.json";

/// Captions made before: a list of cases, or one of them, each with what its pictures show.
///
/// The shape is that of `precomputed_blip_scores.json`, of replication and of modification, and of
/// the file with `_snapshot` beside it. Scores in it are kept as what was published; our own are
/// computed from the captions. A case listed twice counts as its last, as in the published code.
///
/// Source: kixlab/canvas, evaluation/semantic/precompute_blip.py and blip_score.py.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PrecomputedCaptions {
    cases: BTreeMap<(String, Option<u32>), CaptionsOfCase>,
    /// What was passed over, for people.
    pub warnings: Vec<String>,
}

/// What the pictures of one case show. A caption that the file lists as null is empty; the published
/// code writes `Error: …` where its captioner failed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CaptionsOfCase {
    /// Of the ground truth: of modification, of the target.
    pub ground_truth: Option<String>,
    /// Of what modification starts from.
    pub base: Option<String>,
    /// Of what was made.
    pub generated: Option<String>,
    /// The score of what was made against the ground truth, as the file has it.
    pub published_score: Option<f64>,
    /// The score of the base against the ground truth, as the file has it.
    pub published_base_score: Option<f64>,
}

/// The captions of one run's pictures.
#[derive(Clone, Debug)]
pub struct CaptionsOfRun<'a> {
    captions: &'a PrecomputedCaptions,
    case_id: String,
}

impl CaptionsOfRun<'_> {
    /// The case they are.
    pub fn case_id(&self) -> &str {
        &self.case_id
    }

    /// Of the ground truth.
    pub fn ground_truth(&self) -> Option<&str> {
        self.captions.case(&self.case_id, None)?.ground_truth.as_deref()
    }

    /// Of the canvas after a step of a run of so many: what was made at the end, a snapshot before,
    /// or what modification started from.
    pub fn at_step(&self, step: u32, last: u32) -> Option<&str> {
        let whole = self.captions.case(&self.case_id, None)?;
        if step == last {
            return whole.generated.as_deref();
        }
        let snapshot = self.captions.case(&self.case_id, Some(step));
        // Of modification the start has a caption of its own; of replication it is an empty frame.
        let base = whole.base.as_deref().filter(|_| step == 0);
        snapshot.and_then(|case| case.generated.as_deref()).or(base)
    }
}

/// Why there are no captions.
#[derive(Debug, thiserror::Error)]
pub enum CaptionFileError {
    /// The file cannot be read.
    #[error("the file of captions {0}")]
    Read(JsonLimitError),
    /// The file is not JSON.
    #[error("the file of captions is {source}: {}", path.display())]
    NotJson {
        /// The cause.
        source: JsonLimitError,
        /// Which file.
        path: PathBuf,
    },
    /// The file is neither a list of cases nor one with a caption.
    #[error(
        "the file of captions is no list of cases, nor one of them with \"gt_caption\" and \
         \"gen_caption\": {}",
        path.display()
    )]
    NotCases {
        /// Which file.
        path: PathBuf,
    },
}

/// Why no case was chosen of a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CaseError {
    /// No case has this id.
    #[error("the file of captions has no case {0:?}")]
    Unknown(String),
    /// There are several, and none was named.
    #[error("the file of captions has {0} cases")]
    Several(usize),
    /// There is none at all.
    #[error("the file of captions has no case that can be read")]
    None,
}

/// One entry as it is written, of any of the shapes.
#[derive(Deserialize)]
struct CaptionEntry {
    #[serde(default, deserialize_with = "id_or_number")]
    case_id: String,
    snapshot_num: Option<u32>,
    blip_score: Option<f64>,
    blip_score_gen_target: Option<f64>,
    blip_score_base_target: Option<f64>,
    #[serde(default, deserialize_with = "listed")]
    gt_caption: Option<String>,
    #[serde(default, deserialize_with = "listed")]
    gt_caption_target: Option<String>,
    #[serde(default, deserialize_with = "listed")]
    gt_caption_base: Option<String>,
    #[serde(default, deserialize_with = "listed")]
    gen_caption: Option<String>,
}

/// A caption that is listed: null is an empty one, which is not the same as none.
fn listed<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Ok(Some(Option::<String>::deserialize(from)?.unwrap_or_default()))
}

/// The id of a case, which some files write as a number.
fn id_or_number<'de, D: serde::Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    match Value::deserialize(from)? {
        Value::String(id) => Ok(id),
        Value::Number(number) => Ok(number.to_string()),
        other => Err(serde::de::Error::custom(format!(
            "case_id must be a text or a number, not {}",
            other.to_string().chars().take(40).collect::<String>()
        ))),
    }
}

/// Whether an object says of any picture what it shows.
fn has_a_caption(entry: &Value) -> bool {
    const KEYS: [&str; 4] = ["gt_caption", "gt_caption_target", "gt_caption_base", "gen_caption"];
    KEYS.iter().any(|key| entry.get(key).is_some())
}

impl PrecomputedCaptions {
    /// Reads a file, and the file of snapshots beside it if there is one.
    ///
    /// An entry that is not of the shape is passed over with a warning.
    pub fn open(path: &Path) -> Result<Self, CaptionFileError> {
        let mut captions = Self::default();
        captions.read(path)?;
        let snapshots = path.with_file_name(SNAPSHOT_FILE);
        // Who names the file of snapshots itself has it read once.
        if snapshots != path && snapshots.exists() {
            captions.read(&snapshots)?;
        }
        Ok(captions)
    }

    /// Captions from the text of a file.
    pub fn from_json(json: &[u8]) -> Result<Self, CaptionFileError> {
        let mut captions = Self::default();
        captions.add(json, Path::new("(text)"))?;
        Ok(captions)
    }

    /// What the pictures of a result show, or those of one of its snapshots.
    pub fn case(&self, case_id: &str, snapshot: Option<u32>) -> Option<&CaptionsOfCase> {
        self.cases.get(&(case_id.to_owned(), snapshot))
    }

    /// The captions of a run's pictures: of the case with the run's own id, or, as the published files
    /// name cases, with those of its task and its agent, `gid1-2-gpt-4o`.
    pub fn of_run(&self, run_id: &str, task_id: &str, agent: &str) -> Option<CaptionsOfRun<'_>> {
        // Its own id first: runs of one agent on one task share the other.
        let named = [run_id.to_owned(), format!("{task_id}-{agent}")];
        let case_id = named.into_iter().find(|id| self.case(id, None).is_some())?;
        Some(CaptionsOfRun { captions: self, case_id })
    }

    /// The case of this id, or the only one there is. Snapshots do not count.
    ///
    /// # Errors
    ///
    /// [`CaseError`], if no id was given and there are several, or nothing is of that id.
    pub fn choose(&self, case_id: Option<&str>) -> Result<&CaptionsOfCase, CaseError> {
        if let Some(case_id) = case_id {
            return self.case(case_id, None).ok_or_else(|| CaseError::Unknown(case_id.to_owned()));
        }
        // One result and its snapshots are one case.
        let mut results = self.cases().filter(|(_, snapshot, _)| snapshot.is_none());
        match (results.next(), results.count()) {
            (Some((_, _, only)), 0) => Ok(only),
            (Some(_), others) => Err(CaseError::Several(others + 1)),
            (None, _) => Err(CaseError::None),
        }
    }

    /// All cases with their snapshots, by name.
    pub fn cases(&self) -> impl Iterator<Item = (&str, Option<u32>, &CaptionsOfCase)> {
        self.cases.iter().map(|((case_id, snapshot), case)| (case_id.as_str(), *snapshot, case))
    }

    fn read(&mut self, path: &Path) -> Result<(), CaptionFileError> {
        let bytes = read_file_limited(path, Limits::JSON_BYTES).map_err(CaptionFileError::Read)?;
        self.add(&bytes, path)
    }

    fn add(&mut self, json: &[u8], path: &Path) -> Result<(), CaptionFileError> {
        let value: Value = parse_json(json)
            .map_err(|source| CaptionFileError::NotJson { source, path: path.to_path_buf() })?;
        let entries = match value {
            Value::Array(entries) => entries,
            // Any other JSON of ours would be read as a case that has nothing.
            entry if has_a_caption(&entry) => vec![entry],
            _ => return Err(CaptionFileError::NotCases { path: path.to_path_buf() }),
        };
        for (index, entry) in entries.into_iter().enumerate() {
            match CaptionEntry::deserialize(entry) {
                Ok(entry) => self.insert(entry),
                // Of thousands of captions one that is odd is no reason to lose all.
                Err(why) => self.warnings.push(format!("entry {index} is passed over: {why}")),
            }
        }
        Ok(())
    }

    fn insert(&mut self, entry: CaptionEntry) {
        let case = CaptionsOfCase {
            // Modification names both of its states, replication only the one.
            ground_truth: entry.gt_caption_target.or(entry.gt_caption),
            base: entry.gt_caption_base,
            generated: entry.gen_caption,
            published_score: entry.blip_score_gen_target.or(entry.blip_score),
            published_base_score: entry.blip_score_base_target,
        };
        self.cases.insert((entry.case_id, entry.snapshot_num), case);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const REPLICATION: &[u8] = br#"[{"case_id": "gid1-2-m", "blip_score": 0.5,
        "gt_caption": "a login", "gen_caption": null}]"#;
    const MODIFICATION: &[u8] = br#"[{"case_id": "gid1-m", "blip_score_base_target": 0.25,
        "blip_score_gen_target": 0.75, "blip_score_improvement": 0.5,
        "gt_caption_base": "a page", "gt_caption_target": "a red page", "gen_caption": "a pink page"}]"#;
    const SNAPSHOTS: &[u8] = br#"[{"case_id": "gid1-2-m", "snapshot_num": 3, "blip_score": 0.1,
        "gt_caption": "a login", "gen_caption": "a blank page"}]"#;

    #[test]
    fn both_published_shapes_are_read() {
        let captions = PrecomputedCaptions::from_json(REPLICATION).unwrap();
        let case = captions.case("gid1-2-m", None).unwrap();
        assert_eq!(case.ground_truth.as_deref(), Some("a login"));
        assert_eq!(case.generated.as_deref(), Some(""), "null is an empty caption");
        assert_eq!((case.base.clone(), case.published_score), (None, Some(0.5)));
        let captions = PrecomputedCaptions::from_json(MODIFICATION).unwrap();
        let case = captions.case("gid1-m", None).unwrap();
        assert_eq!(case.ground_truth.as_deref(), Some("a red page"));
        assert_eq!(case.base.as_deref(), Some("a page"));
        assert_eq!((case.published_score, case.published_base_score), (Some(0.75), Some(0.25)));
    }

    #[test]
    fn snapshots_beside_the_file_are_read_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("precomputed_blip_scores.json");
        std::fs::write(&path, REPLICATION).unwrap();
        std::fs::write(folder.path().join(SNAPSHOT_FILE), SNAPSHOTS).unwrap();
        let captions = PrecomputedCaptions::open(&path).unwrap();
        assert_eq!(captions.cases().count(), 2);
        let snapshot = captions.case("gid1-2-m", Some(3)).unwrap();
        assert_eq!(snapshot.generated.as_deref(), Some("a blank page"));
        assert_eq!(captions.case("gid1-2-m", Some(4)), None);
    }

    #[test]
    fn a_run_is_known_by_its_id_or_by_its_task_and_agent() {
        let json = br#"[{"case_id": "t1-m", "gt_caption_target": "a", "gt_caption_base": "b",
            "gen_caption": "c"}, {"case_id": "t1-m", "snapshot_num": 2, "gen_caption": "d"},
            {"case_id": "m-t1-0123", "gt_caption": "e", "gen_caption": "f"}]"#;
        let captions = PrecomputedCaptions::from_json(json).unwrap();
        let run = captions.of_run("x", "t1", "m").unwrap();
        assert_eq!((run.case_id(), run.ground_truth()), ("t1-m", Some("a")));
        let at = [0, 1, 2, 3].map(|step| run.at_step(step, 3));
        assert_eq!(at, [Some("b"), None, Some("d"), Some("c")]);
        let run = captions.of_run("m-t1-0123", "t1", "m").unwrap();
        assert_eq!((run.at_step(3, 3), run.at_step(0, 3)), (Some("f"), None));
        assert!(captions.of_run("x", "t1", "n").is_none());
    }

    #[test]
    fn an_entry_of_another_shape_is_passed_over_and_named() {
        let json = br#"[{"case_id": [7]}, "x", {"case_id": "a", "gt_caption": "b"}]"#;
        let captions = PrecomputedCaptions::from_json(json).unwrap();
        assert_eq!(captions.cases().count(), 1);
        assert_eq!(captions.warnings.len(), 2);
        assert!(captions.warnings[0].contains("entry 0"), "{:?}", captions.warnings);
    }

    #[test]
    fn a_single_case_and_ids_that_are_numbers_are_read() {
        let one = br#"{"gt_caption": "a login", "gen_caption": "Error: out of memory"}"#;
        let captions = PrecomputedCaptions::from_json(one).unwrap();
        let case = captions.choose(None).unwrap();
        assert_eq!(case.generated.as_deref(), Some("Error: out of memory"), "as published");
        let two = br#"[{"case_id": 7, "gt_caption": "a"}, {"case_id": "b", "gt_caption": "c"}]"#;
        let captions = PrecomputedCaptions::from_json(two).unwrap();
        assert_eq!(captions.choose(Some("7")).unwrap().ground_truth.as_deref(), Some("a"));
        assert_eq!(captions.choose(None), Err(CaseError::Several(2)));
        assert_eq!(captions.choose(Some("8")), Err(CaseError::Unknown("8".to_owned())));
        assert_eq!(PrecomputedCaptions::default().choose(None), Err(CaseError::None));
    }

    #[test]
    fn a_case_listed_twice_counts_as_its_last() {
        let json =
            br#"[{"case_id": "a", "gen_caption": "1"}, {"case_id": "a", "gen_caption": "2"}]"#;
        let captions = PrecomputedCaptions::from_json(json).unwrap();
        assert_eq!(captions.case("a", None).unwrap().generated.as_deref(), Some("2"));
    }

    #[test]
    fn what_is_no_list_of_cases_is_refused_with_the_file_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("captions.json");
        for text in ["", "{}", "[", "nonsense", "{\"case_id\": 1}", "7"] {
            std::fs::write(&path, text).unwrap();
            let error = PrecomputedCaptions::open(&path).unwrap_err().to_string();
            assert!(error.contains("captions.json"), "{error}");
        }
        let error = PrecomputedCaptions::open(&folder.path().join("none")).unwrap_err();
        assert!(matches!(error, CaptionFileError::Read(_)));
    }

    proptest! {
        #[test]
        fn any_text_ends_in_an_answer(text in "\\PC{0,60}") {
            if let Ok(captions) = PrecomputedCaptions::from_json(text.as_bytes()) {
                prop_assert!(captions.cases().count() <= text.len());
            }
        }
    }
}
