//! A study on disk.
//!
//! ```text
//! study.json
//! people/P01/person.jsonl          what is about the person: questionnaires
//! people/P01/01-TASK/              a run, with what happened beside it:
//! people/P01/01-TASK/study.jsonl
//! people/P02-scripted/…            a script: its logs are called person-scripted.jsonl and study-scripted.jsonl
//! ```

use std::collections::BTreeSet;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::event::{Happening, ParticipantKind, StudyEvent};
use super::log::{ReadLog, StudyLogError};
use super::packed::{PackedError, PackedRow, packed_rows, rows_of, withdraw_packets};
use super::plan::{STUDY_FORMAT, StudyPlan, StudyPlanError};
use super::trial::Trial;
use crate::base::open_file;
use crate::run::{natural_cmp, slug};

/// The plan.
pub const STUDY_FILE: &str = "study.json";
/// The folder of people.
pub const PEOPLE_DIR: &str = "people";

/// The end of the name of a packet.
pub const PACKET_EXTENSION: &str = "study-packet";
/// The same of what was done in one.
pub const ANSWERS_EXTENSION: &str = "study-answers";
/// Of a plan so many bytes are read to see that it is one.
const BEGINNING: u64 = 64 << 10;

/// Why a study cannot be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum StudyFolderError {
    /// Its plan cannot be read.
    #[error(transparent)]
    Plan(#[from] StudyPlanError),
    /// A log cannot be read.
    #[error(transparent)]
    Log(#[from] StudyLogError),
    /// Which packets were handed out is not known.
    #[error(transparent)]
    Packed(#[from] PackedError),
    /// A folder cannot be read or removed.
    #[error("{source}: {}", path.display())]
    Io {
        /// The cause.
        source: io::Error,
        /// Which.
        path: PathBuf,
    },
    /// Nobody of this name takes part.
    #[error("nobody called {name:?} takes part; there are {known}")]
    Nobody {
        /// Who was named.
        name: String,
        /// Who does.
        known: String,
    },
}

/// Somebody's record.
#[derive(Clone, Debug, PartialEq)]
pub struct PersonRecord {
    /// Who, such as `P01`.
    pub participant: String,
    /// A person or a script.
    pub by: ParticipantKind,
    /// What is about them and no task.
    pub events: Vec<StudyEvent>,
    /// Their tasks, in order, each with its folder.
    pub trials: Vec<(PathBuf, Trial)>,
}

/// A study that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyRecord {
    /// The plan.
    pub plan: StudyPlan,
    /// Everybody.
    pub people: Vec<PersonRecord>,
    /// Packets that were handed out: their rows are taken.
    pub packed: Vec<PackedRow>,
    /// What is odd, with where it is.
    pub warnings: Vec<String>,
}

impl PersonRecord {
    /// Their row of the plan.
    pub fn row(&self) -> Option<u32> {
        let joined = self.events.iter().find_map(|event| match &event.what {
            Happening::Joined { row, .. } => Some(*row),
            _ => None,
        });
        joined.or_else(|| self.trials.first().map(|(_, trial)| trial.facts.row))
    }
}

/// Whether a path is a study, to be opened as one: its folder, its plan, or a file of one person's packet or answers.
/// A plan of another format is none; one of this format that is broken is, so that whoever opens it learns why.
pub fn is_study(path: &Path) -> bool {
    if path.is_dir() {
        return is_plan(&path.join(STUDY_FILE));
    }
    let ends = path.extension().is_some_and(|it| {
        [PACKET_EXTENSION, ANSWERS_EXTENSION].iter().any(|known| it.eq_ignore_ascii_case(known))
    });
    ends && path.is_file() || path.file_name().is_some_and(|it| it == STUDY_FILE) && is_plan(path)
}

/// Whether a file says near its beginning that it is a plan.
fn is_plan(path: &Path) -> bool {
    let mut begin = Vec::new();
    let read = open_file(path).and_then(|file| file.take(BEGINNING).read_to_end(&mut begin));
    read.is_ok() && begin.windows(STUDY_FORMAT.len()).any(|it| it == STUDY_FORMAT.as_bytes())
}

/// The folder of the study that a run was made in, by where it lies; `None` if it lies in no study's.
pub fn study_dir_of(run_dir: &Path) -> Option<&Path> {
    let people = run_dir.parent()?.parent()?;
    people.file_name().is_some_and(|name| name == PEOPLE_DIR).then(|| people.parent())?
}

/// What the person in a row is called.
pub fn participant_of(row: u32) -> String {
    format!("P{:02}", u64::from(row) + 1)
}

/// Where somebody's record is.
pub fn person_dir(dir: &Path, participant: &str, by: ParticipantKind) -> PathBuf {
    dir.join(PEOPLE_DIR).join(format!("{}{}", slug(participant), suffix(by)))
}

/// The log of what is about a person and no task.
pub fn person_log(person_dir: &Path, by: ParticipantKind) -> PathBuf {
    person_dir.join(format!("person{}.jsonl", suffix(by)))
}

/// The run of somebody's task at a position, from 0.
pub fn trial_dir(person_dir: &Path, position: u32, task: &str) -> PathBuf {
    person_dir.join(format!("{:02}-{}", u64::from(position) + 1, slug(task)))
}

/// A place that is seen from the study's folder, as it is seen from the run of a task.
pub(super) fn seen_from_trial(place: &Path) -> String {
    // Out of the folders of the run, of the person and of all people; an absolute path stays what it is.
    Path::new("../../..").join(place).to_string_lossy().into_owned()
}

/// The log of a task, in the folder of its run.
pub fn trial_log(trial_dir: &Path, by: ParticipantKind) -> PathBuf {
    trial_dir.join(format!("study{}.jsonl", suffix(by)))
}

fn suffix(by: ParticipantKind) -> &'static str {
    match by {
        ParticipantKind::Person => "",
        ParticipantKind::Scripted => "-scripted",
    }
}

impl StudyRecord {
    /// Reads a study and all of its logs. A log that is broken is there as far as it goes, with a warning.
    ///
    /// # Errors
    ///
    /// [`StudyFolderError`] where there is no study.
    pub fn open(dir: &Path) -> Result<Self, StudyFolderError> {
        let plan = StudyPlan::open(&dir.join(STUDY_FILE))?;
        let packed = packed_rows(dir)?;
        let mut record = Self { plan, people: Vec::new(), packed, warnings: Vec::new() };
        for person in folders(&dir.join(PEOPLE_DIR))? {
            record.read_person(&person)?;
        }
        Ok(record)
    }

    /// Rows of the plan that somebody of this kind has; of people also those that were handed out as packets.
    pub fn taken_rows(&self, by: ParticipantKind) -> BTreeSet<u32> {
        let people = self.people.iter().filter(|person| person.by == by);
        let mut rows: BTreeSet<u32> = people.filter_map(PersonRecord::row).collect();
        if by == ParticipantKind::Person {
            rows.extend(rows_of(&self.packed));
        }
        rows
    }

    /// Leaves out all attempts but those in these folders, and whoever has none left.
    pub fn keep_runs(&mut self, dirs: &BTreeSet<PathBuf>) {
        self.people.retain_mut(|person| {
            let had_any = !person.trials.is_empty();
            person.trials.retain(|(dir, _)| dirs.contains(dir));
            // Who took part and did no task is in no run.
            !(had_any && person.trials.is_empty())
        });
    }

    fn read_person(&mut self, dir: &Path) -> Result<(), StudyFolderError> {
        let name = dir.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_default();
        let (participant, by) = match name.strip_suffix(suffix(ParticipantKind::Scripted)) {
            Some(participant) => (participant.to_owned(), ParticipantKind::Scripted),
            None => (name, ParticipantKind::Person),
        };
        let log = person_log(dir, by);
        let events = if log.exists() { self.read_log(&log)? } else { Vec::new() };
        let mut trials = Vec::new();
        for trial in folders(dir)? {
            let log = trial_log(&trial, by);
            if !log.exists() {
                continue;
            }
            match Trial::of(&self.read_log(&log)?) {
                // Each line says it itself: a file that was renamed makes nobody a person.
                Some(found) if found.by == by => trials.push((trial, found)),
                Some(_) => {
                    self.warn(&log, "left out: its lines are of another kind of participant");
                }
                None => self.warn(&log, "left out: it does not say which task it is of"),
            }
        }
        self.people.push(PersonRecord { participant, by, events, trials });
        Ok(())
    }

    fn read_log(&mut self, path: &Path) -> Result<Vec<StudyEvent>, StudyFolderError> {
        let read = ReadLog::open(path)?;
        for fault in &read.faults {
            self.warn(path, &fault.to_string());
        }
        Ok(read.events)
    }

    fn warn(&mut self, path: &Path, what: &str) {
        self.warnings.push(format!("{what}: {}", path.display()));
    }
}

/// Removes all that somebody did, for good; nothing of a packet of theirs is taken in any more.
///
/// # Errors
///
/// [`StudyFolderError::Nobody`], [`StudyFolderError::Io`].
pub fn withdraw(dir: &Path, participant: &str) -> Result<(), StudyFolderError> {
    let people = folders(&dir.join(PEOPLE_DIR))?;
    let found =
        people.iter().find(|person| person.file_name().is_some_and(|name| name == participant));
    // First: what is removed must not come back.
    let had_packet = withdraw_packets(dir, participant)?;
    let Some(found) = found else {
        if had_packet {
            return Ok(());
        }
        let known = people.iter().filter_map(|path| path.file_name());
        let known: Vec<String> = known.map(|name| name.to_string_lossy().into_owned()).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        return Err(StudyFolderError::Nobody { name: participant.to_owned(), known });
    };
    std::fs::remove_dir_all(found).map_err(io_error(found))
}

/// The folders in a folder, in natural order; none where it is not there.
fn folders(dir: &Path) -> Result<Vec<PathBuf>, StudyFolderError> {
    if !dir.exists() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(io_error(dir))? {
        let path = entry.map_err(io_error(dir))?.path();
        if path.is_dir() {
            found.push(path);
        }
    }
    // As people count, so that the tenth comes behind the ninth in every list and table.
    found.sort_by(|a, b| natural_cmp(&a.to_string_lossy(), &b.to_string_lossy()));
    Ok(found)
}

fn io_error(path: &Path) -> impl FnOnce(io::Error) -> StudyFolderError {
    move |source| StudyFolderError::Io { source, path: path.to_path_buf() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_study_is_told_from_what_only_looks_like_one() {
        let dir = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            path
        };
        let plan = format!("{{\"format\": \"{STUDY_FORMAT}\", broken");
        let plan = put("mine/study.json", &plan);
        assert!(is_study(&plan) && is_study(&dir.path().join("mine")), "broken, and one");
        let other = put("other/study.json", "{\"format\": \"somebody else's\"}");
        assert!(!is_study(&other) && !is_study(&dir.path().join("other")));
        assert!(is_study(&put("p.study-packet", "")) && is_study(&put("p.STUDY-ANSWERS", "")));
        assert!(!is_study(&dir.path().join("gone.study-packet")));
        assert!(!is_study(&dir.path().join("gone")) && !is_study(&put("runs/run.json", "{}")));
    }

    #[test]
    fn the_study_of_a_run_is_where_it_lies() {
        let run = Path::new("/studies/mine/people/P01/01-card");
        assert_eq!(study_dir_of(run), Some(Path::new("/studies/mine")));
        assert_eq!(study_dir_of(Path::new("/studies/mine/runs/P01/01-card")), None);
        assert_eq!(study_dir_of(Path::new("run")), None);
    }
}
