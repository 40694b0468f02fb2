//! A study for one person in one file, and what they did in one file back.
//!
//! Who leads a study hands out a packet: the plan, its tasks and forms, and who takes part. Elsewhere it is unpacked
//! into a folder that is a study of one person. What comes of it goes back as a file of answers, which is taken in as
//! often and in whatever order it comes: logs only grow, and of two the longer one holds the shorter.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::event::ParticipantKind;
use super::folder::{STUDY_FILE, person_dir, trial_log};
use super::packed::{PackedError, PackedRow, packed_rows, write_packed};
use super::plan::StudyPlan;
use crate::base::{JsonLimitError, Limits, parse_json, read_file_limited, replace_file};

/// What a file of this format says of itself.
pub const PACKET_FORMAT: &str = "pentimento/study-packet";
/// The newest version of the format.
pub const PACKET_VERSION: u32 = 1;
/// Which packet a folder was unpacked of.
pub const PACKET_FILE: &str = "packet.json";
/// Most files of a packet.
const MOST_FILES: usize = 100_000;

/// A packet, or what was done in one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Packet {
    /// `pentimento/study-packet`.
    pub format: String,
    /// 1.
    pub version: u32,
    /// What it is, of whom.
    #[serde(flatten)]
    pub head: PacketHead,
    /// Whether it leads there or back.
    pub holds: PacketContent,
    /// Its files, by their paths with `/`.
    pub files: BTreeMap<String, PacketFile>,
}

/// What a packet is of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PacketHead {
    /// Its own id: hex digits that nobody can guess.
    pub packet: String,
    /// The id of the study.
    pub study: String,
    /// Who takes part, such as `P03`.
    pub participant: String,
    /// Their row of the plan, from 0.
    pub row: u32,
}

/// Whether a packet leads there or back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PacketContent {
    /// What is to be done.
    Tasks,
    /// What was done.
    Answers,
}

/// A file of a packet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PacketFile {
    /// UTF-8.
    Text(String),
    /// Anything, as base64.
    Base64(String),
}

/// What became of answers that were taken in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MergedAnswers {
    /// Tasks, and the log beside them, that are new or longer now.
    pub taken: usize,
    /// Those that were here already.
    pub known: usize,
}

/// Why a packet cannot be made, opened or taken in.
#[derive(Debug, thiserror::Error)]
pub enum PacketError {
    /// The file cannot be read.
    #[error("not a packet ({0})")]
    File(#[from] JsonLimitError),
    /// Which packets there are cannot be read or written.
    #[error(transparent)]
    Packed(#[from] PackedError),
    /// It says what cannot be.
    #[error("{what}: {}", path.display())]
    Fault {
        /// What.
        what: String,
        /// Which file.
        path: PathBuf,
    },
    /// It is of another study.
    #[error("it is of the study {found:?}, and this is {wanted:?}")]
    OtherStudy {
        /// Its study.
        found: String,
        /// This one.
        wanted: String,
    },
    /// It was not handed out here.
    #[error("no packet of this study has its number: it was packed from another copy of the study")]
    Unknown,
    /// The person has withdrawn.
    #[error("{0} has withdrawn: nothing of theirs is taken in")]
    Withdrawn(String),
    /// Somebody has that row.
    #[error("{0} takes part already, or was given a packet")]
    Taken(String),
    /// Two logs begin alike and go on differently.
    #[error("{0} was gone on with in two places: the two cannot be brought together")]
    Forked(String),
    /// It cannot be written as JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// It would be larger than what is opened.
    #[error("it has {0} bytes, and {most} at most are opened", most = Limits::JSON_BYTES)]
    TooLarge(usize),
    /// A folder or file cannot be read or written.
    #[error("{source}: {}", path.display())]
    Io {
        /// The cause.
        source: io::Error,
        /// Which.
        path: PathBuf,
    },
}

fn io_error(path: &Path) -> impl FnOnce(io::Error) -> PacketError {
    move |source| PacketError::Io { source, path: path.to_path_buf() }
}

impl PacketFile {
    /// Of these bytes: as text where they are some.
    pub fn of(bytes: Vec<u8>) -> Self {
        String::from_utf8(bytes)
            .map_or_else(|error| Self::Base64(STANDARD.encode(error.as_bytes())), Self::Text)
    }

    /// Its bytes; `None` if they are no base64.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        match self {
            Self::Text(text) => Some(text.clone().into_bytes()),
            Self::Base64(text) => STANDARD.decode(text).ok(),
        }
    }
}

impl Packet {
    /// Of these files.
    pub fn new(
        head: PacketHead,
        holds: PacketContent,
        files: BTreeMap<String, PacketFile>,
    ) -> Self {
        let (format, version) = (PACKET_FORMAT.to_owned(), PACKET_VERSION);
        Self { format, version, head, holds, files }
    }

    /// Reads and checks a packet's file.
    ///
    /// # Errors
    ///
    /// [`PacketError`]: no name of a file in it may lead out of a folder.
    pub fn open(path: &Path) -> Result<Self, PacketError> {
        let bytes = read_file_limited(path, Limits::JSON_BYTES)?;
        let packet: Self = parse_json(&bytes)?;
        let fault = |what: String| PacketError::Fault { what, path: path.to_path_buf() };
        if packet.format != PACKET_FORMAT {
            return Err(fault(format!("not a packet, whose format is {PACKET_FORMAT:?}")));
        }
        if packet.version != PACKET_VERSION {
            return Err(fault(format!("version {} is not known", packet.version)));
        }
        // Before any of them is looked at: a packet is a file that anybody may have written.
        if packet.files.len() > MOST_FILES {
            return Err(fault(format!("more than {MOST_FILES} files")));
        }
        // It becomes the name of a folder.
        if !is_plain(&packet.head.participant) || packet.head.participant.contains('/') {
            return Err(fault("it does not say who takes part".to_owned()));
        }
        for (name, file) in &packet.files {
            if !is_plain(name) {
                return Err(fault(format!("its file {name:?} leads out of its folder")));
            }
            if file.bytes().is_none() {
                return Err(fault(format!("its file {name:?} is no base64")));
            }
        }
        Ok(packet)
    }

    /// As it stands in its file.
    ///
    /// # Errors
    ///
    /// [`PacketError::TooLarge`]: one that nobody could open is not written.
    pub fn to_json(&self) -> Result<Vec<u8>, PacketError> {
        let json = serde_json::to_vec(self)?;
        check_size(json.len())?;
        Ok(json)
    }

    /// Writes it.
    ///
    /// # Errors
    ///
    /// As [`Self::to_json`]; [`PacketError::Io`].
    pub fn write(&self, path: &Path) -> Result<(), PacketError> {
        replace_file(path, &self.to_json()?).map_err(io_error(path))
    }

    /// Unpacks what is to be done into a folder, unless it lies there already.
    ///
    /// # Errors
    ///
    /// [`PacketError`]; a folder of something else is left alone.
    pub fn unpack(&self, dir: &Path) -> Result<(), PacketError> {
        let fault = |what: &str| PacketError::Fault { what: what.to_owned(), path: dir.into() };
        if self.holds != PacketContent::Tasks {
            return Err(fault("these are answers: they go into the study that they are of"));
        }
        if let Some(head) = unpacked(dir)? {
            let is_same = head == self.head;
            return if is_same { Ok(()) } else { Err(fault("another packet lies there")) };
        }
        if dir.join(STUDY_FILE).exists() {
            return Err(fault("another study lies there"));
        }
        // The plan after all that it is of: without it, what was broken off is unpacked again.
        let (plan, others): (Vec<_>, Vec<_>) =
            self.files.iter().partition(|(name, _)| *name == STUDY_FILE);
        for (name, file) in others.into_iter().chain(plan) {
            write_file(&dir.join(name), file)?;
        }
        // Last: a folder that has it is whole.
        let head = serde_json::to_vec_pretty(&self.head).unwrap_or_default();
        write_file(&dir.join(PACKET_FILE), &PacketFile::of(head))
    }

    /// What was done in a folder that was unpacked.
    ///
    /// # Errors
    ///
    /// [`PacketError`].
    pub fn answers(dir: &Path) -> Result<Self, PacketError> {
        let head = unpacked(dir)?.ok_or_else(|| PacketError::Fault {
            what: "no packet was unpacked there".to_owned(),
            path: dir.to_path_buf(),
        })?;
        let home = person_dir(dir, &head.participant, ParticipantKind::Person);
        let mut files = BTreeMap::new();
        if home.is_dir() {
            gather(&home, "", &mut files)?;
        }
        Ok(Self::new(head, PacketContent::Answers, files))
    }

    /// Takes answers in. Whatever is here already, as far or farther, stays.
    ///
    /// # Errors
    ///
    /// [`PacketError`]; nothing is changed then.
    pub fn merge_into(&self, dir: &Path) -> Result<MergedAnswers, PacketError> {
        let fault = |what: &str| PacketError::Fault { what: what.to_owned(), path: dir.into() };
        if self.holds != PacketContent::Answers {
            return Err(fault("this is what is to be done, and not what was done"));
        }
        let plan = StudyPlan::open(&dir.join(STUDY_FILE))
            .map_err(|error| fault(&format!("no study ({error})")))?;
        let PacketHead { packet, study, participant, .. } = &self.head;
        if *study != plan.id {
            let (found, wanted) = (study.clone(), plan.id);
            return Err(PacketError::OtherStudy { found, wanted });
        }
        // Only what was packed here comes back, and only as whom it was packed for.
        let packed = packed_rows(dir)?;
        let known = packed.iter().find(|row| row.packet == *packet);
        let known = known.ok_or(PacketError::Unknown)?;
        if known.is_withdrawn {
            return Err(PacketError::Withdrawn(participant.clone()));
        }
        if known.participant != *participant || known.row != self.head.row {
            return Err(fault("it says that it is somebody else's than it was packed for"));
        }
        let home = person_dir(dir, participant, ParticipantKind::Person);
        let mut merged = MergedAnswers::default();
        // All of it is looked through before anything is written: a packet that forked changes nothing.
        let mut wanted: Vec<(&str, &PacketFile)> = Vec::new();
        for group in self.groups() {
            if is_newer(&home, &group, participant)? {
                merged.taken += 1;
                wanted.extend(group);
            } else {
                merged.known += 1;
            }
        }
        for (name, file) in wanted {
            write_file(&home.join(name), file)?;
        }
        Ok(merged)
    }

    /// The files of each task, its study's log last, and those beside tasks one by one.
    fn groups(&self) -> Vec<Vec<(&str, &PacketFile)>> {
        let mut groups: BTreeMap<&str, Vec<(&str, &PacketFile)>> = BTreeMap::new();
        for (name, file) in &self.files {
            groups.entry(task_of(name)).or_default().push((name, file));
        }
        // What says how far a task is comes after all that it says it of: a merge that was broken off is done again.
        for group in groups.values_mut() {
            group.sort_by_key(|(name, _)| is_study_log(name));
        }
        groups.into_values().collect()
    }
}

/// Whether a task's files are farther than those that are here, by what grows in both: the study's log first, as a run
/// that is gone on with after a crash loses the lines of its last turn. What does not grow counts only where all that
/// does is alike: an earlier packet has files, such as a lock, that are not there any more later.
fn is_newer(
    home: &Path,
    group: &[(&str, &PacketFile)],
    participant: &str,
) -> Result<bool, PacketError> {
    // From the back, where the log of the study is: it says which of two is further.
    let (mut is_more_here, mut is_more_there, mut is_missing) = (false, false, false);
    for (name, file) in group.iter().rev() {
        let path = home.join(name);
        if !path.exists() {
            is_missing = true;
            continue;
        }
        if path.extension().is_none_or(|extension| extension != "jsonl") {
            continue;
        }
        let here = read_file_limited(&path, Limits::JSON_BYTES)?;
        let there = file.bytes().unwrap_or_default();
        let (here, there) = (whole_lines(&here), whole_lines(&there));
        is_more_here |= here.len() > there.len();
        is_more_there |= there.len() > here.len();
        // One may be the beginning of the other and no more: else somebody went on in two places.
        let is_grown = here.starts_with(there) || there.starts_with(here);
        if !is_grown || (is_more_here && is_more_there) {
            return Err(PacketError::Forked(format!("{participant}/{}", task_of(name))));
        }
        if is_study_log(name) && here.len() != there.len() {
            break;
        }
    }
    Ok(is_more_there || (is_missing && !is_more_here))
}

/// The folder of a task that a file is in; of one beside tasks, itself.
fn task_of(name: &str) -> &str {
    name.split('/').next().unwrap_or(name)
}

/// Whether it is the log of a task, which only ever grows.
fn is_study_log(name: &str) -> bool {
    trial_log(Path::new(task_of(name)), ParticipantKind::Person) == Path::new(name)
}

fn check_size(bytes: usize) -> Result<(), PacketError> {
    if bytes as u64 > Limits::JSON_BYTES {
        return Err(PacketError::TooLarge(bytes));
    }
    Ok(())
}

/// Up to the end of the last line that has one.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    bytes.get(..end).unwrap_or_default()
}

/// Whether a name with `/` stays in its folder, and is the only one of its file.
fn is_plain(name: &str) -> bool {
    let mut parts = name.split('/');
    parts.all(|part| !matches!(part, "" | "." | "..")) && !name.contains(['\\', ':', '\0'])
}

/// The packet that a folder was unpacked of; `None` where it was not.
///
/// # Errors
///
/// [`PacketError`] where it says so and cannot be read.
pub fn unpacked(dir: &Path) -> Result<Option<PacketHead>, PacketError> {
    let path = dir.join(PACKET_FILE);
    if !path.exists() {
        return Ok(None);
    }
    let bytes = read_file_limited(&path, Limits::JSON_BYTES)?;
    Ok(Some(parse_json(&bytes)?))
}

/// Writes down that a packet is handed out: nobody else gets its row.
///
/// # Errors
///
/// [`PacketError::Taken`] where somebody has the row; a packet hands out none itself.
pub fn keep_packed(dir: &Path, head: &PacketHead) -> Result<(), PacketError> {
    if unpacked(dir)?.is_some() {
        let what = "this is a packet itself: its answers come back to one study".to_owned();
        return Err(PacketError::Fault { what, path: dir.to_path_buf() });
    }
    let mut packed = packed_rows(dir)?;
    // One place is worked through once: two packets of it would come back as one person.
    let has_packet = packed.iter().any(|row| row.row == head.row && !row.is_withdrawn);
    let takes_part = person_dir(dir, &head.participant, ParticipantKind::Person).exists();
    if has_packet || takes_part {
        return Err(PacketError::Taken(head.participant.clone()));
    }
    let PacketHead { packet, participant, row, .. } = head.clone();
    packed.push(PackedRow { packet, participant, row, is_withdrawn: false });
    Ok(write_packed(dir, &packed)?)
}

fn write_file(path: &Path, file: &PacketFile) -> Result<(), PacketError> {
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(io_error(parent))?;
    }
    replace_file(path, &file.bytes().unwrap_or_default()).map_err(io_error(path))
}

/// Takes in all files of a folder, with what is in it below this name.
///
/// # Errors
///
/// [`PacketError::Io`].
pub fn gather(
    dir: &Path,
    below: &str,
    files: &mut BTreeMap<String, PacketFile>,
) -> Result<(), PacketError> {
    for entry in std::fs::read_dir(dir).map_err(io_error(dir))? {
        let entry = entry.map_err(io_error(dir))?;
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        let name = if below.is_empty() { name } else { format!("{below}/{name}") };
        // A link could lead anywhere: what is packed is what lies here.
        let kind = entry.file_type().map_err(io_error(&path))?;
        if kind.is_dir() {
            gather(&path, &name, files)?;
        } else if kind.is_file() {
            let bytes = std::fs::read(&path).map_err(io_error(&path))?;
            files.insert(name, PacketFile::of(bytes));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::presets::{CandidateTask, Preset, StartChoice};

    const LOCK: &str = "01-a/run.lock";
    const EVENTS: &str = "01-a/events.jsonl";
    const LOG: &str = "01-a/study.jsonl";

    fn study(dir: &Path) -> PacketHead {
        let candidates: Vec<CandidateTask> =
            (0..12).map(|at| CandidateTask::of_set(&format!("task-{at}"))).collect();
        let places = vec!["tasks".to_owned()];
        let plan = Preset::Small.plan(&candidates, places, StartChoice::Given, 1).unwrap();
        std::fs::write(dir.join(STUDY_FILE), serde_json::to_vec(&plan).unwrap()).unwrap();
        let participant = "P01".to_owned();
        let head = PacketHead { packet: "ab".to_owned(), study: plan.id, participant, row: 0 };
        keep_packed(dir, &head).unwrap();
        head
    }

    fn answers(head: &PacketHead, files: &[(&str, &str)]) -> Packet {
        let files = files
            .iter()
            .map(|(name, text)| ((*name).to_owned(), PacketFile::Text((*text).to_owned())));
        Packet::new(head.clone(), PacketContent::Answers, files.collect())
    }

    fn here(dir: &Path, name: &str) -> String {
        let home = person_dir(dir, "P01", ParticipantKind::Person);
        std::fs::read_to_string(home.join(name)).unwrap()
    }

    #[test]
    fn an_earlier_file_that_is_gone_later_brings_nothing_earlier_back() {
        let dir = tempfile::tempdir().unwrap();
        let head = study(dir.path());
        let early = answers(&head, &[(EVENTS, "1\n"), (LOCK, ""), (LOG, "1\n")]);
        let late = answers(&head, &[(EVENTS, "1\n2\n"), (LOG, "1\n2\n")]);
        let known = MergedAnswers { taken: 0, known: 1 };
        assert_eq!(late.merge_into(dir.path()).unwrap().taken, 1);
        assert_eq!(early.merge_into(dir.path()).unwrap(), known);
        assert_eq!([EVENTS, LOG].map(|name| here(dir.path(), name)), ["1\n2\n", "1\n2\n"]);
    }

    #[test]
    fn a_turn_that_was_lost_in_a_crash_is_no_fork() {
        let dir = tempfile::tempdir().unwrap();
        let head = study(dir.path());
        let early = answers(&head, &[(EVENTS, "1\nlost\n"), (LOG, "1\n")]);
        let late = answers(&head, &[(EVENTS, "1\n2\n"), (LOG, "1\n2\n")]);
        assert_eq!(early.merge_into(dir.path()).unwrap().taken, 1);
        assert_eq!(late.merge_into(dir.path()).unwrap().taken, 1);
        assert_eq!(early.merge_into(dir.path()).unwrap().taken, 0);
        assert_eq!(here(dir.path(), EVENTS), "1\n2\n");
        // Of one study's log there are no two runs.
        let other = answers(&head, &[(EVENTS, "1\n3\n"), (LOG, "1\n2\n")]);
        assert!(matches!(other.merge_into(dir.path()), Err(PacketError::Forked(_))));
    }

    #[test]
    fn what_was_broken_off_is_unpacked_again() {
        let dir = tempfile::tempdir().unwrap();
        let head = study(dir.path());
        let files = [(STUDY_FILE, "{}"), ("tasks", ""), ("tasks/0", "")];
        let mut packet = Packet { holds: PacketContent::Tasks, ..answers(&head, &files) };
        let away = dir.path().join("away");
        assert!(packet.unpack(&away).is_err(), "a file cannot be a folder as well");
        packet.files.remove("tasks");
        std::fs::remove_file(away.join("tasks")).unwrap();
        packet.unpack(&away).unwrap();
        assert_eq!(unpacked(&away).unwrap(), Some(head));
    }

    #[test]
    fn names_stay_in_their_folder_and_are_one_of_each_file() {
        for name in ["a", "a/b.json", "a..b/.c"] {
            assert!(is_plain(name), "{name}");
        }
        for name in ["", "/a", "a/", "a//b", "a/./b", "./a", "..", "a/../b", "a\\b", "C:a", "a\0"] {
            assert!(!is_plain(name), "{name}");
        }
    }

    #[test]
    fn what_nobody_could_open_is_not_written() {
        let most = usize::try_from(Limits::JSON_BYTES).unwrap();
        assert!(check_size(most).is_ok());
        assert!(matches!(check_size(most + 1), Err(PacketError::TooLarge(_))));
    }
}
