//! Reads a run again and again while somebody records it.

use std::io::{self, BufReader, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::base::{FileStamp, open_file};

use super::builder::RunBuilder;
use super::folder::{EVENTS_FILE, PLAN_FILE, is_live};
use super::lines::{BoundedLines, LINE_BYTES};
use super::manifest::{Manifest, Outcome};
use super::model::{Run, RunOrigin, RunPlan};
use super::reader::{self, RunError};

/// Reads a run as [`reader::open`] does, as often as it changes. While it is recorded, only what was
/// written since the last time is read and parsed, however long the run is.
#[derive(Debug)]
pub struct RunFollower {
    dir: PathBuf,
    /// What was read of a run that is recorded; `None` before the first time.
    known: Option<Known>,
}

#[derive(Debug)]
struct Known {
    builder: RunBuilder,
    /// How many lines of the events were taken in, and where the last of them ends.
    lines: usize,
    end: u64,
    /// The plan as its file was when it was read.
    plan: Option<(FileStamp, Option<Arc<RunPlan>>)>,
}

impl RunFollower {
    /// Of this folder; nothing is read yet.
    pub fn new(dir: PathBuf) -> Self {
        Self { dir, known: None }
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The run as it is now.
    pub fn read(&mut self) -> Result<Run, RunError> {
        let mut known = self.known.take();
        let Some(manifest) = reader::read_manifest(&self.dir)? else {
            return reader::open(&self.dir);
        };
        // Only while somebody holds the lock does the file do nothing but grow. The end of a run is read
        // as a whole, which also finds what may have been lost of it.
        if manifest.outcome != Outcome::Running || !is_live(&self.dir) {
            return reader::read_events(&self.dir, manifest);
        }
        // Another run in the same folder has nothing in common with this one.
        known.take_if(|known| known.builder.run().manifest.id != manifest.id);
        let mut known = known.unwrap_or_else(|| {
            let origin = RunOrigin::Recorded { dir: self.dir.clone() };
            let builder = RunBuilder::new(manifest.clone(), origin);
            Known { builder, lines: 0, end: 0, plan: None }
        });
        match self.take_in_new(&mut known, &manifest) {
            Ok(run) => {
                self.known = Some(known);
                Ok(run)
            }
            // Whatever is odd is said by the one who reads all.
            Err(_) => reader::read_events(&self.dir, manifest),
        }
    }

    /// Takes in the lines that are there now and were not before.
    fn take_in_new(&self, known: &mut Known, manifest: &Manifest) -> Result<Run, Odd> {
        let mut file = open_file(&self.dir.join(EVENTS_FILE))?;
        // What could not be written whole is taken back by the recorder, and may have been read here.
        if file.metadata()?.len() < known.end {
            return Err(Odd);
        }
        file.seek(SeekFrom::Start(known.end))?;
        let mut lines = BoundedLines::new(BufReader::new(file), LINE_BYTES);
        (lines.number, lines.end) = (known.lines, known.end);
        while let Some(line) = lines.next()? {
            // The recorder is at the last line still: it is read when it is whole.
            if !lines.has_feed {
                break;
            }
            reader::take_line(line, lines.end, &mut known.builder).map_err(|_unread| Odd)?;
            (known.lines, known.end) = (lines.number, lines.end);
        }
        known.builder.set_manifest(manifest.clone());
        let mut run = known.builder.run().clone();
        let stamp = FileStamp::of(&self.dir.join(PLAN_FILE));
        if known.plan.as_ref().is_none_or(|(of, _)| *of != stamp) {
            let plan = reader::read_plan(&self.dir).map_err(|_unread| Odd)?;
            known.plan = Some((stamp, plan.map(Arc::new)));
        }
        run.plan = known.plan.as_ref().and_then(|(_, plan)| plan.as_ref().map(Arc::clone));
        Ok(run)
    }
}

/// The run cannot be read as the continuation of what is known.
struct Odd;

impl From<io::Error> for Odd {
    fn from(_: io::Error) -> Self {
        Self
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::path::Path;

    use serde_json::json;

    use super::*;
    use crate::environment::{ToolCall, ToolCategory};
    use crate::run::recorder::Recorder;
    use crate::run::{AgentRef, Event, TaskRef};

    fn recorder(dir: &Path) -> Recorder {
        let task = TaskRef { set: "set".to_owned(), id: "task".to_owned() };
        let agent = AgentRef { kind: "k".to_owned(), name: "n".to_owned(), version: None };
        Recorder::create(dir, Manifest::new(task, agent, "2026-01-02T03:04:05Z"), None).unwrap()
    }

    /// One turn of one call.
    fn record_turn(recorder: &mut Recorder, turn: u32) {
        let call = ToolCall { id: "c".to_owned(), name: "mark".to_owned(), arguments: json!({}) };
        for event in [
            Event::Turn { turn, at: "2026-01-02T03:04:06Z".to_owned() },
            Event::Call { turn, step: turn, category: ToolCategory::Creation, call },
            Event::TurnEnd { turn, seconds: 0.5 },
        ] {
            recorder.record(event).unwrap();
        }
    }

    #[test]
    fn only_what_is_new_is_read_of_a_run_that_grows() {
        let dir = tempfile::tempdir().unwrap();
        let mut recorder = recorder(dir.path());
        for turn in 1..=200 {
            record_turn(&mut recorder, turn);
        }
        let mut follower = RunFollower::new(dir.path().to_path_buf());
        let before = follower.read().unwrap();
        assert_eq!((before.turns.len(), before.steps.len()), (200, 200));
        // Whoever read the beginning again would stumble over this.
        let events = std::fs::File::options().write(true).open(dir.path().join(EVENTS_FILE));
        events.unwrap().write_all(b"#").unwrap();
        record_turn(&mut recorder, 201);
        let after = follower.read().unwrap();
        assert_eq!((after.turns.len(), &after.torn), (201, &None));
        assert_eq!(after.steps.shared_with(&before.steps), 200, "the others are the same still");
        assert_eq!(after.manifest.totals.turns, 201);
    }

    #[test]
    fn a_run_that_has_ended_is_read_as_a_whole() {
        let dir = tempfile::tempdir().unwrap();
        let mut recorder = recorder(dir.path());
        record_turn(&mut recorder, 1);
        let mut follower = RunFollower::new(dir.path().to_path_buf());
        follower.read().unwrap();
        record_turn(&mut recorder, 2);
        drop(recorder);
        let read = follower.read().unwrap();
        assert_eq!(read, reader::open(dir.path()).unwrap());
        assert_eq!(read.turns.len(), 2);
    }

    #[test]
    fn a_line_that_is_being_written_is_taken_in_when_it_is_whole() {
        let dir = tempfile::tempdir().unwrap();
        let mut recorder = recorder(dir.path());
        record_turn(&mut recorder, 1);
        let mut follower = RunFollower::new(dir.path().to_path_buf());
        follower.read().unwrap();
        let path = dir.path().join(EVENTS_FILE);
        let whole = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{whole}{{\"event\":\"turn\",\"turn\":2")).unwrap();
        assert_eq!(follower.read().unwrap().turns.len(), 1);
        let rest = ",\"at\":\"2026-01-02T03:04:06Z\"}\n{\"event\":\"turn_end\",\"turn\":2,\"seconds\":1.0}\n";
        std::fs::write(&path, format!("{whole}{{\"event\":\"turn\",\"turn\":2{rest}")).unwrap();
        assert_eq!(follower.read().unwrap().turns.len(), 2);
    }
}
