//! The thread that keeps the study that is open: it reads its folder, writes what happens into the logs, counts the
//! clock of the task, and holds designs against the task's rule.
//!
//! What is written is on disk before the window hears of it, with the moment at which it happened; what cannot be
//! written waits in its order and is tried again. [`seat`] is who takes part, [`opening`] what they begin with.

mod opening;
mod parts;
mod seat;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError};

use crate::agent::batch::seen_from;
use crate::base::{CancelToken, replace_file};
use crate::evaluate::figures::{study_figure, study_progress_figure};
use crate::evaluate::studies::{CountedRuns, StudyMaterial, StudyOfRuns, candidates, pack_study};
use crate::study::{
    PACKET_EXTENSION, Packet, PacketContent, ParticipantKind, PersonProgress, Preset, RESAMPLES,
    STUDY_FILE, StudyRecord, next_free_row, participant_of, unpacked, withdraw,
};
use crate::task;
use crate::workbench::protocol::{OpenedStudy, StudyNews, StudyOrder, StudyRecipe};
use crate::workbench::{OpenedTask, StudyCount, StudyFindings};

use super::compute::explore::judge_agents;
use super::shared::Shared;
use super::shared::job_border::JobError;
pub(in crate::worker) use opening::open_practice;
use parts::{Clock, tell};
use seat::Seat;

/// How often the clock is looked at, and what could not be written is tried again.
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// How often it is looked what others wrote into the folder, while nobody takes part here.
const READ_EVERY: Duration = Duration::from_secs(5);

/// An order, and when it was given.
pub(super) struct TimedOrder {
    pub(super) at: Instant,
    pub(super) order: StudyOrder,
    /// Raised once what is to be counted is not asked for any more.
    pub(super) counting: CancelToken,
}

/// The study that is open.
struct Open {
    dir: PathBuf,
    material: StudyMaterial,
    record: Arc<StudyRecord>,
    /// When the folder was read last.
    read_at: Instant,
    seat: Option<Seat>,
}

/// Opens, writes and counts until nobody can give orders any more.
pub(super) fn keep_study_until_closed(shared: &Shared, orders: &Receiver<TimedOrder>) {
    let mut clock = Clock::start();
    let mut open: Option<Open> = None;
    loop {
        match orders.recv_timeout(LOOK_EVERY) {
            Ok(timed) => take(shared, &mut clock, &mut open, timed),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                // The last chance of what could not be written so far.
                if let Some(seat) = open.as_mut().and_then(|open| open.seat.as_mut()) {
                    seat.write(shared);
                }
                return;
            }
        }
        let Some(open) = &mut open else { continue };
        if let Some(seat) = &mut open.seat {
            seat.write(shared);
            // Not past what is still to be heard of: logs only go forwards.
            let now = if orders.is_empty() { clock.now() } else { clock.last() };
            seat.look_at_clock(shared, now);
        } else if open.read_at.elapsed() >= READ_EVERY {
            open.look(shared);
        }
    }
}

fn take(
    shared: &Shared,
    clock: &mut Clock,
    open: &mut Option<Open>,
    TimedOrder { at, order, counting }: TimedOrder,
) {
    match order {
        StudyOrder::Open(path) => match read_study(&path) {
            Ok(found) => {
                leave(shared, open);
                tell(shared, StudyNews::Opened { path, result: Ok(Box::new(told(&found))) });
                *open = Some(found);
            }
            // One that cannot be opened leaves the one before it open.
            Err(why) => tell(shared, StudyNews::Opened { path, result: Err(why) }),
        },
        StudyOrder::Make(recipe) => {
            let made = make_study(&recipe).and_then(|()| read_study(&recipe.dir));
            let result = made.map(|found| {
                leave(shared, open);
                Box::new(told(open.insert(found)))
            });
            tell(shared, StudyNews::Opened { path: recipe.dir, result });
        }
        StudyOrder::Close => leave(shared, open),
        order => {
            if let Some(open) = open {
                open.take(shared, clock, at, order, &counting);
            }
        }
    }
}

/// Nothing more comes of the study that is open.
fn leave(shared: &Shared, open: &mut Option<Open>) {
    if let Some(mut open) = open.take() {
        open.get_up(shared);
    }
}

/// Reads the study in a folder; of a packet, unpacks it beside its file first.
fn read_study(path: &Path) -> Result<Open, String> {
    let mut dir = path.to_path_buf();
    if path.is_file() {
        if path.file_name().is_some_and(|name| name == STUDY_FILE) {
            dir = path.parent().map(Path::to_path_buf).unwrap_or_default();
        } else {
            let packet = Packet::open(path).map_err(|error| error.to_string())?;
            if packet.holds == PacketContent::Answers {
                return Err(
                    "these are answers: open the study that they are of, and merge them".into()
                );
            }
            dir = path.with_extension("");
            if dir == path {
                dir = path.with_extension("unpacked");
            }
            packet.unpack(&dir).map_err(|error| error.to_string())?;
        }
    }
    let material = StudyMaterial::open(&dir).map_err(|error| error.to_string())?;
    let record = StudyRecord::open(&dir).map_err(|error| error.to_string())?;
    let record = Arc::new(record);
    Ok(Open { dir, material, record, read_at: Instant::now(), seat: None })
}

fn told(open: &Open) -> OpenedStudy {
    let tasks = open
        .material
        .tasks
        .iter()
        .map(|it| OpenedTask { task: Arc::clone(&it.task), set_dir: it.set_dir.clone() });
    let warnings = open.material.warnings.iter().chain(&open.record.warnings);
    OpenedStudy {
        dir: open.dir.clone(),
        plan: Arc::clone(&open.material.plan),
        forms: Arc::clone(&open.material.forms),
        tasks: Arc::new(tasks.collect()),
        record: Arc::clone(&open.record),
        packet: unpacked(&open.dir).ok().flatten().map(|head| head.participant),
        warnings: warnings.cloned().collect(),
    }
}

/// Makes a study of tasks: its plan, in a folder that has none yet.
fn make_study(recipe: &StudyRecipe) -> Result<(), String> {
    let [dir, tasks] = [&recipe.dir, &recipe.tasks]
        .map(|path| std::path::absolute(path).unwrap_or_else(|_| path.clone()));
    let preset = Preset::ALL.get(recipe.preset).copied().unwrap_or(Preset::Small);
    let opened = task::open(&tasks).map_err(|error| error.to_string())?;
    let sets: Vec<_> = opened.sets.into_iter().map(|(set, _)| set).collect();
    let places = vec![seen_from(&dir, &tasks)];
    let plan = preset.plan(&candidates(&sets), places, recipe.start, recipe.seed);
    let plan = plan.map_err(|error| error.to_string())?;
    plan.check().map_err(|error| error.to_string())?;
    let path = dir.join(STUDY_FILE);
    if path.exists() {
        return Err(format!("there is a study already: {}", path.display()));
    }
    let json = serde_json::to_string_pretty(&plan).map_err(|error| error.to_string())? + "\n";
    let made = std::fs::create_dir_all(&dir).and_then(|()| replace_file(&path, json.as_bytes()));
    made.map_err(|error| format!("{error}: {}", path.display()))
}

impl Open {
    fn take(
        &mut self,
        shared: &Shared,
        clock: &mut Clock,
        at: Instant,
        order: StudyOrder,
        counting: &CancelToken,
    ) {
        match order {
            StudyOrder::Open(_)
            | StudyOrder::Make(_)
            | StudyOrder::Close
            | StudyOrder::StopCounting => {}
            StudyOrder::Seat(who) => {
                let result = self.sit_down(clock, who.as_deref());
                tell(shared, StudyNews::Seated(result.map(Box::new)));
                self.read_again(shared);
            }
            StudyOrder::GetUp => {
                self.get_up(shared);
                self.read_again(shared);
            }
            StudyOrder::Begin(position) => {
                let Some(seat) = &mut self.seat else { return };
                let result = seat.begin(shared, clock.now(), &self.material, position);
                tell(shared, StudyNews::Begun { position, result: result.map(Box::new) });
            }
            StudyOrder::Happened { position, what } => {
                if let Some(seat) = &mut self.seat {
                    seat.happens(clock.at(at), position, *what);
                    seat.write(shared);
                }
            }
            StudyOrder::Check { position, document } => {
                let Some(seat) = &mut self.seat else { return };
                match seat.check(shared, position, &document) {
                    Ok(what) => {
                        seat.happens(clock.now(), Some(position), what);
                        seat.write(shared);
                    }
                    Err(why) => tell(shared, StudyNews::Unchecked(why)),
                }
                self.read_again(shared);
            }
            StudyOrder::Count(of) => {
                let result = match self.count(shared, of.clone(), counting) {
                    Ok(found) => Ok(Arc::new(found)),
                    Err(JobError::Cancelled(_)) => return,
                    Err(JobError::Failed(why)) => Err(why),
                };
                tell(shared, StudyNews::Counted(of, result));
            }
            StudyOrder::Withdraw(who) => {
                // Whoever withdraws does not go on.
                if self.seat.as_ref().is_some_and(|seat| seat.progress.participant == who) {
                    self.seat = None;
                }
                let result = withdraw(&self.dir, &who).map_err(|error| error.to_string());
                let result = result.map(|()| format!("All that {who} did is removed."));
                tell(shared, StudyNews::Told(result));
                self.read_again(shared);
            }
            StudyOrder::Pack { row, path } => {
                let result = self.pack(row, &path);
                tell(shared, StudyNews::Told(result));
                self.read_again(shared);
            }
            StudyOrder::SaveAnswers(path) => {
                let answers = Packet::answers(&self.dir);
                let result = answers.and_then(|answers| answers.write(&path));
                let result = result.map_err(|error| error.to_string());
                let done = format!("What was done is in {}.", path.display());
                tell(shared, StudyNews::Told(result.map(|()| done)));
            }
            StudyOrder::Merge(path) => {
                let merged = Packet::open(&path).and_then(|packet| {
                    let merged = packet.merge_into(&self.dir)?;
                    Ok((packet.head.participant, merged))
                });
                let result = merged.map_err(|error| error.to_string()).map(|(who, merged)| {
                    format!("{who}: {} taken in, {} known already.", merged.taken, merged.known)
                });
                tell(shared, StudyNews::Told(result));
                self.read_again(shared);
            }
        }
    }

    /// Somebody sits down: the next free row, or who was there before.
    fn sit_down(&mut self, clock: &mut Clock, who: Option<&str>) -> Result<PersonProgress, String> {
        // Others may have written into the folder since.
        let record = StudyRecord::open(&self.dir).map_err(|error| error.to_string())?;
        self.record = Arc::new(record);
        let by = ParticipantKind::Person;
        let packet = unpacked(&self.dir).map_err(|error| error.to_string())?;
        let mut people = self.record.people.iter().filter(|person| person.by == by);
        let known = people.find(|person| Some(person.participant.as_str()) == who);
        let seat = match (known, packet) {
            (Some(person), _) => Seat::again(&self.dir, person, clock.now())?,
            (None, Some(head)) if who.is_none_or(|who| who == head.participant) => {
                Seat::new(&self.dir, &self.material.plan, &head.participant, head.row, clock.now())?
            }
            (None, Some(head)) => return Err(format!("this packet is for {}", head.participant)),
            (None, None) => {
                let row = next_free_row(&self.record.taken_rows(by));
                let participant = participant_of(row);
                if let Some(who) = who.filter(|who| *who != participant) {
                    return Err(format!("nobody called {who} takes part"));
                }
                Seat::new(&self.dir, &self.material.plan, &participant, row, clock.now())?
            }
        };
        let progress = seat.progress.clone();
        self.seat = Some(seat);
        Ok(progress)
    }

    /// Who took part gets up. What could not be written has its last chance, and it is said if it is lost.
    fn get_up(&mut self, shared: &Shared) {
        let Some(mut seat) = self.seat.take() else { return };
        seat.write(shared);
        if let Some(why) = seat.lost() {
            tell(shared, StudyNews::Told(Err(why)));
            tell(shared, StudyNews::Unwritten(None));
        }
    }

    fn pack(&self, row: u32, path: &Path) -> Result<String, String> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| error.to_string())?;
        let id = format!("{:032x}", u128::from_be_bytes(bytes));
        let mut path = path.to_path_buf();
        if path.extension().is_none() {
            path.set_extension(PACKET_EXTENSION);
        }
        let who = pack_study(&self.dir, &self.material, (row, id), &path);
        let who = who.map_err(|error| error.to_string())?;
        Ok(format!("The packet for {who} is {}.", path.display()))
    }

    fn count(
        &self,
        shared: &Shared,
        of: StudyCount,
        counting: &CancelToken,
    ) -> Result<StudyFindings, JobError> {
        counting.check()?;
        let record = StudyRecord::open(&self.dir).map_err(JobError::failed)?;
        let forms = self.material.scoring_forms();
        let people = StudyOfRuns::of(record, CountedRuns::All, &forms, of.counted, RESAMPLES);
        let StudyOfRuns { mut results, attempts, is_part: _ } = people;
        results.autonomous = judge_agents(shared, &self.material, &of.agents, counting)?;
        let (figure, progress) = (study_figure(&results), study_progress_figure(&results));
        Ok(StudyFindings { of, results, attempts, figure, progress })
    }

    /// Tells what others did in the folder meanwhile, such as at another machine. One that cannot be read is told of
    /// when something is done with it.
    fn look(&mut self, shared: &Shared) {
        self.read_at = Instant::now();
        if let Ok(record) = StudyRecord::open(&self.dir)
            && record != *self.record
        {
            self.record = Arc::new(record);
            tell(shared, StudyNews::Read(Arc::clone(&self.record)));
        }
    }

    /// Reads the folder, and tells what lies there.
    fn read_again(&mut self, shared: &Shared) {
        match StudyRecord::open(&self.dir) {
            Ok(record) => {
                (self.record, self.read_at) = (Arc::new(record), Instant::now());
                tell(shared, StudyNews::Read(Arc::clone(&self.record)));
            }
            Err(error) => tell(shared, StudyNews::Told(Err(error.to_string()))),
        }
    }
}
