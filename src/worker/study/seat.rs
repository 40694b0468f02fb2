//! Who takes part: their logs, and the clock of the task they are at.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::parts::tell;
use crate::agent::PreparedTask;
use crate::agent::assistant::Guide;
use crate::agent::batch::seen_from;
use crate::base::CancelToken;
use crate::design::Document;
use crate::evaluate::studies::{PreparedTrial, StudyMaterial};
use crate::render::TextMeasurer;
use crate::run::Manifest;
use crate::run::folder::{self, MANIFEST_FILE};
use crate::run::recorder::Recorder;
use crate::study::{
    Happening, Moment, ParticipantKind, PersonProgress, PersonRecord, ReadLog, Safety, Stamp,
    StudyEvent, StudyLog, StudyLogError, StudyPlan, TaskClock, person_dir, person_log,
    planned_tasks, trial_dir, trial_log, trial_manifest,
};
use crate::workbench::protocol::StudyNews;
use crate::workbench::{Event, TrialPlace};
use crate::worker::shared::{Shared, is_news};

/// How often it is written that they are still there, in milliseconds.
const ALIVE_MS: u64 = 5_000;
/// How long the run of a task that was just left may take to be let go of.
const LEAVING: Duration = Duration::from_secs(3);
/// How often it is looked whether it is.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How old a log without a line has to be until nobody can be about to write its first.
const UNBEGUN_AGE: Duration = Duration::from_mins(1);
const PERSON: ParticipantKind = ParticipantKind::Person;

/// Somebody who takes part.
pub(super) struct Seat {
    /// How far they are, as far as it is on disk.
    pub(super) progress: PersonProgress,
    home: PathBuf,
    log: StudyLog,
    /// The tasks whose logs are open.
    trials: BTreeMap<u32, TrialLog>,
    /// What is not on disk yet, in order.
    unwritten: VecDeque<(Option<u32>, Moment, Happening)>,
    /// Why not, as it was told last.
    told: Option<String>,
}

/// The log of a task.
struct TrialLog {
    log: StudyLog,
    /// What it is held against; `None` where it is over and only asked about.
    prepared: Option<PreparedTrial>,
    limit_ms: u64,
    /// The events that the clock goes by.
    timed: Vec<StudyEvent>,
    is_shown: bool,
    is_running: bool,
    is_over: bool,
    /// Up to when it is known that they are there.
    alive_ms: u64,
}

impl Seat {
    /// Somebody who joins.
    pub(super) fn new(
        dir: &Path,
        plan: &StudyPlan,
        participant: &str,
        row: u32,
        now: Moment,
    ) -> Result<Self, String> {
        let home = person_dir(dir, participant, PERSON);
        std::fs::create_dir_all(&home).map_err(|error| format!("{error}: {}", home.display()))?;
        let mut log = begin_log(&person_log(&home, PERSON))?;
        let (study, name) = (plan.id.clone(), participant.to_owned());
        let joined = Happening::Joined { study, participant: name, row };
        log.append(now, joined).map_err(|error| error.to_string())?;
        let progress = PersonProgress::new(participant, PERSON, row);
        Ok(Self::of(progress, home, log))
    }

    /// Somebody who was there before.
    pub(super) fn again(dir: &Path, person: &PersonRecord, now: Moment) -> Result<Self, String> {
        let progress = PersonProgress::of(person);
        let progress = progress.ok_or("their log does not say which row of the plan is theirs")?;
        let home = person_dir(dir, &person.participant, PERSON);
        let (log, _) = StudyLog::reopen(&person_log(&home, PERSON), PERSON, now)
            .map_err(|error| error.to_string())?;
        Ok(Self::of(progress, home, log))
    }

    fn of(progress: PersonProgress, home: PathBuf, log: StudyLog) -> Self {
        let (trials, unwritten) = (BTreeMap::new(), VecDeque::new());
        Self { progress, home, log, trials, unwritten, told: None }
    }

    /// Makes the task at a position ready; of one that was begun before, with what is in its log.
    pub(super) fn begin(
        &mut self,
        shared: &Shared,
        now: Moment,
        material: &StudyMaterial,
        position: u32,
    ) -> Result<(TrialPlace, Vec<StudyEvent>), String> {
        let plan = &*material.plan;
        let planned = planned_tasks(plan, self.progress.row);
        let planned = planned.get(position as usize).ok_or("there is no such task")?;
        let unknown = "the plan does not know this task";
        let (wanted, task) =
            plan.tasks.get(planned.task).zip(material.tasks.get(planned.task)).ok_or(unknown)?;
        let open_environment = &*shared.open_environment;
        let given = PreparedTask::given_start(&task.task, open_environment)
            .map_err(|error| error.to_string())?;
        let prepared = PreparedTrial::new((plan, wanted), &task.task, &given, open_environment)
            .map_err(|error| error.to_string())?;
        let least_steps = least_steps(shared, &prepared);
        let facts = planned.facts(plan, self.progress.row, Some(prepared.distance), least_steps);
        let facts = facts.ok_or(unknown)?;
        let dir = trial_dir(&self.home, position, &wanted.id);
        let path = trial_log(&dir, PERSON);
        // As seen from the run, so that a packet says nothing of the machine that it was answered on.
        let tasks = Path::new("..").join(seen_from(&self.home, &task.set_dir));
        let tasks = tasks.to_string_lossy().into_owned();
        let manifest = trial_manifest(&facts, PERSON, &prepared.start, tasks, &now.wall);
        let (log, events) = if is_begun(&path) {
            wait_until_left(&dir)?;
            let (log, _) = StudyLog::reopen(&path, PERSON, now).map_err(|it| it.to_string())?;
            // With the line that says so.
            (log, ReadLog::open(&path).map_err(|error| error.to_string())?.events)
        } else {
            begin_run(&dir, &manifest, &prepared)?;
            let mut log = begin_log(&path)?;
            let begun = Happening::Begun { trial: facts.clone() };
            let event = log.append(now, begun).map_err(|error| error.to_string())?;
            (log, vec![event])
        };
        let place = TrialPlace {
            dir,
            facts,
            start: prepared.start.clone(),
            goal: Arc::clone(&prepared.truth),
            words: task.task.instruction.clone(),
            manifest,
            goes_on: events.len() > 1,
        };
        let mut trial = TrialLog::new(log, Some(prepared), wanted.limit_secs);
        for event in &events {
            trial.take_in(event);
            self.progress.take_in(Some(position), event);
        }
        self.trials.insert(position, trial);
        Ok((place, events))
    }

    /// Something happened: it is written as soon as that is possible.
    pub(super) fn happens(&mut self, now: Moment, position: Option<u32>, what: Happening) {
        // The time may have been up a moment before somebody was done.
        let trial = position.and_then(|position| self.trials.get(&position));
        let is_late = trial.is_some_and(|trial| trial.is_over) && !comes_after_the_end(&what);
        if !is_late {
            self.unwritten.push_back((position, now, what));
        }
    }

    /// Writes what is not on disk yet, and tells what became of it: a failure only when it is news.
    pub(super) fn write(&mut self, shared: &Shared) {
        while let Some((position, now, what)) = self.unwritten.front().cloned() {
            let written = match position {
                None => self.log.append(now, what).map_err(|error| error.to_string()),
                Some(position) => self.append_at(position, now, what),
            };
            match written {
                Ok(event) => {
                    self.unwritten.pop_front();
                    self.progress.take_in(position, &event);
                    tell(shared, StudyNews::Kept { position, event: Box::new(event) });
                }
                Err(why) => {
                    if is_news(&mut self.told, &why) {
                        tell(shared, StudyNews::Unwritten(Some(why)));
                    }
                    return;
                }
            }
        }
        if self.told.take().is_some() {
            tell(shared, StudyNews::Unwritten(None));
        }
    }

    /// What is lost if they get up now, and why; `None`: all is on disk.
    pub(super) fn lost(&self) -> Option<String> {
        let many = self.unwritten.len();
        let why = self.told.as_deref().unwrap_or_default();
        let who = &self.progress.participant;
        (many > 0).then(|| format!("{many} things that {who} did last are not kept: {why}"))
    }

    /// Writes into the log of a task, which is opened again if it was broken off behind its end.
    fn append_at(
        &mut self,
        position: u32,
        now: Moment,
        what: Happening,
    ) -> Result<StudyEvent, String> {
        let trial = match self.trials.remove(&position) {
            Some(trial) => trial,
            None => self.reopened(position, now.clone())?,
        };
        let trial = self.trials.entry(position).or_insert(trial);
        trial.append(now, what).map_err(|error| error.to_string())
    }

    fn reopened(&self, position: u32, now: Moment) -> Result<TrialLog, String> {
        let attempt = self.progress.attempts.get(&position);
        let facts = &attempt.ok_or("the task was not begun")?.facts;
        let dir = trial_dir(&self.home, position, &facts.task);
        let reopened = StudyLog::reopen(&trial_log(&dir, PERSON), PERSON, now);
        let (log, read) = reopened.map_err(|error| error.to_string())?;
        let mut trial = TrialLog::new(log, None, facts.limit_secs);
        read.events.iter().for_each(|event| trial.take_in(event));
        Ok(trial)
    }

    /// Tells how late it is, writes that they are there, and ends the task when its time is up.
    pub(super) fn look_at_clock(&mut self, shared: &Shared, now: Moment) {
        let open = self.trials.iter_mut().find(|(_, it)| it.is_shown && !it.is_over);
        let Some((position, trial)) = open else { return };
        let position = *position;
        let (active_ms, stopped_ms) = trial.read(&now);
        // Never waits: the time may be up while nobody looks.
        let news = StudyNews::Clock { position, active_ms, stopped_ms };
        shared.mailbox.send_now(Event::Study(news));
        let is_up = trial.is_running && active_ms >= trial.limit_ms;
        if is_up && self.unwritten.is_empty() {
            self.unwritten.push_back((Some(position), now, Happening::Timeout));
        } else if now.mono_ms.saturating_sub(trial.alive_ms) >= ALIVE_MS {
            trial.alive_ms = now.mono_ms;
            self.unwritten.push_back((Some(position), now, Happening::Alive));
        }
        self.write(shared);
    }

    /// Holds the document at the end against the task's rule.
    pub(super) fn check(
        &self,
        shared: &Shared,
        position: u32,
        document: &Document,
    ) -> Result<Happening, String> {
        let trial = self.trials.get(&position).ok_or("the task is not open")?;
        let prepared = trial.prepared.as_ref().ok_or("the task is over")?;
        let found = prepared.check(document, &*shared.open_environment);
        let found = found.map_err(|error| error.to_string())?;
        Ok(Happening::Checked { success: found.success, value: found.value })
    }
}

/// Nothing is written into the log of a task that somebody is at in another window: theirs would say that they were
/// gone. Who has just left it here is soon done with its run.
fn wait_until_left(dir: &Path) -> Result<(), String> {
    let until = Instant::now() + LEAVING;
    while folder::is_live(dir) {
        if Instant::now() >= until {
            return Err(format!("somebody is at it in another window: {}", dir.display()));
        }
        std::thread::sleep(LOOK_EVERY);
    }
    Ok(())
}

/// Whether a log has a first line; a crash may leave one without.
fn is_begun(path: &Path) -> bool {
    path.exists() && !says_nothing(path)
}

fn says_nothing(path: &Path) -> bool {
    ReadLog::open(path).is_ok_and(|read| read.whole_bytes == 0)
}

/// Begins a log. One that a crash left before its first line is begun anew, once nobody can be about to write that.
fn begin_log(path: &Path) -> Result<StudyLog, String> {
    let age = std::fs::metadata(path).and_then(|file| file.modified());
    let age = age.ok().and_then(|modified| modified.elapsed().ok()).unwrap_or_default();
    if age >= UNBEGUN_AGE && says_nothing(path) {
        std::fs::remove_file(path).map_err(|error| format!("{error}: {}", path.display()))?;
    }
    StudyLog::create(path, PERSON, Safety::EveryLine).map_err(|error| error.to_string())
}

/// How many steps the assistant's plan of a task has, if it has one.
fn least_steps(shared: &Shared, prepared: &PreparedTrial) -> Option<u32> {
    // Nobody can give it up, and it is bounded.
    let (measure, never) = (TextMeasurer(&shared.render), CancelToken::default());
    Guide::least_steps_between(&prepared.design, &prepared.truth, &measure, &never).ok().flatten()
}

/// Begins the run of a task. It is gone on with by whoever records what is done.
fn begin_run(dir: &Path, manifest: &Manifest, prepared: &PreparedTrial) -> Result<(), String> {
    // A crash between the run and the study's log of it: the run is there, and nothing was done in it.
    if dir.join(MANIFEST_FILE).exists() {
        return Ok(());
    }
    // And one before the run's own manifest: what it left is no run.
    folder::unclaim(dir);
    let recorder = Recorder::create(dir, manifest.clone(), prepared.start.document.as_ref());
    recorder.map(drop).map_err(|error| error.to_string())
}

fn comes_after_the_end(what: &Happening) -> bool {
    matches!(
        what,
        Happening::Answer { .. }
            | Happening::SuggestionIgnored { .. }
            | Happening::SuggestionStale { .. }
            | Happening::Checked { .. }
    )
}

impl TrialLog {
    fn new(log: StudyLog, prepared: Option<PreparedTrial>, limit_secs: f64) -> Self {
        Self {
            log,
            prepared,
            limit_ms: (limit_secs * 1_000.0) as u64,
            timed: Vec::new(),
            is_shown: false,
            is_running: false,
            is_over: false,
            alive_ms: 0,
        }
    }

    fn append(&mut self, now: Moment, what: Happening) -> Result<StudyEvent, StudyLogError> {
        let event = self.log.append(now, what)?;
        self.take_in(&event);
        Ok(event)
    }

    fn take_in(&mut self, event: &StudyEvent) {
        self.alive_ms = event.at.mono_ms;
        match event.what {
            Happening::Shown => (self.is_shown, self.is_running) = (true, true),
            Happening::Pause { .. } | Happening::Recovered => self.is_running = false,
            Happening::Resume => self.is_running = true,
            Happening::Leaving | Happening::Back | Happening::Alive => {}
            Happening::Done | Happening::GiveUp | Happening::Timeout => {
                (self.is_over, self.is_running) = (true, false);
            }
            // Time passes between those that the clock goes by, whatever happens meanwhile.
            _ => return,
        }
        self.timed.push(event.clone());
    }

    /// Milliseconds at the task, and those that the clock stands still now.
    fn read(&mut self, now: &Moment) -> (u64, u64) {
        let Some(last) = self.timed.last() else { return (0, 0) };
        let at = Stamp {
            wall: now.wall.clone(),
            mono_ms: now.mono_ms.max(last.at.mono_ms),
            process: last.at.process,
        };
        let event = StudyEvent { what: Happening::Alive, by: PERSON, at };
        self.timed.push(event);
        let clock = TaskClock::of(&self.timed);
        self.timed.pop();
        let stopped = clock.stops.last().filter(|_| !self.is_running);
        (clock.active_ms, stopped.map_or(0, |stop| stop.millis))
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn a_log_that_a_crash_left_before_its_first_line_is_begun_anew() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log.jsonl");
        let empty = std::fs::File::create(&path).unwrap();
        assert!(!is_begun(&path));
        let early = begin_log(&path).unwrap_err();
        assert!(early.contains("cannot be begun"), "another may write its first line now: {early}");
        empty.set_modified(SystemTime::now() - 2 * UNBEGUN_AGE).unwrap();
        let mut log = begin_log(&path).unwrap();
        let wall = "2026-11-26T03:00:00Z".to_owned();
        log.append(Moment { wall, mono_ms: 1 }, Happening::Alive).unwrap();
        assert!(is_begun(&path));
        let old = std::fs::File::options().append(true).open(&path).unwrap();
        old.set_modified(SystemTime::now() - 2 * UNBEGUN_AGE).unwrap();
        assert!(begin_log(&path).is_err(), "what says something stays");
        assert_eq!(ReadLog::open(&path).unwrap().events.len(), 1);
    }
}
