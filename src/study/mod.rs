//! Studies of people who design: what is compared, who does what, what happened, and what it comes to.
//!
//! - [`StudyPlan`] is `study.json`; [`Preset`] makes those that come with the program;
//! - [`schedule`] says who does what in which order, [`Balance`] how evenly that meets;
//! - [`StudyEvent`] is a line of `study.jsonl`, which [`StudyLog`] writes and [`ReadLog`] reads and checks;
//! - [`TaskClock`]: how long somebody was at a task, whatever clocks and crashes did; [`Trial`]: what it came to;
//! - [`check_success`]: whether a task's document at the end passes; [`distance`](distance()): how far it is;
//! - [`suggestion_ledger`]: what was suggested, taken and kept; [`instruments`]: questionnaires, scored as published;
//! - [`PersonProgress`]: what somebody is to do next, by what is on disk;
//! - [`Packet`]: a study for one person in one file, and what they did in one file back;
//! - [`practice`]: tasks to learn the canvas by;
//! - [`StudyRecord`] reads a study's folder, [`StudyResults`] is what it comes to, with tests;
//! - [`scripted`]: participants that are scripts, for tests and demonstrations.
//!
//! Files of a module go one way: `plan` and `event` know nothing of what is above them here. Nothing reads a clock or
//! draws random numbers: moments and seeds come in. Uses `label` (forms and answers), `run`, `environment`, `metric`,
//! `design` and `base`.

mod assignment;
mod chance;
mod check;
mod clock;
mod codesign;
mod distance;
mod event;
mod folder;
pub mod instruments;
mod log;
mod manifest;
mod packed;
mod packet;
mod plan;
pub mod practice;
mod presets;
mod progress;
mod results;
pub mod scripted;
mod success;
mod trial;

pub use assignment::{Balance, Block, Meetings, next_free_row, schedule, williams};
pub use chance::Chance;
pub use check::LogFault;
pub use clock::{Ending, SHORTEST_FOCUS_PAUSE_MS, STOP_REASONS, Stop, TaskClock};
pub use codesign::{logged_values, suggestion_ledger};
pub use distance::distance;
pub use event::{
    Happening, Hunk, Origin, ParticipantKind, PauseReason, Request, Stamp, StudyEvent, TrialFacts,
};
pub use folder::{
    ANSWERS_EXTENSION, PACKET_EXTENSION, PEOPLE_DIR, PersonRecord, STUDY_FILE, StudyFolderError,
    StudyRecord, is_study, participant_of, person_dir, person_log, study_dir_of, trial_dir,
    trial_log, withdraw,
};
pub use log::{Moment, ReadLog, Safety, StudyLog, StudyLogError};
pub use manifest::{
    PARTICIPANT_KIND, SCRIPTED_PARTICIPANT_KIND, STUDY_SETTING, trial_manifest, trial_outcome,
};
pub use packed::{PACKED_FILE, PackedError, PackedRow, packed_rows};
pub use packet::{
    MergedAnswers, PACKET_FILE, PACKET_FORMAT, PACKET_VERSION, Packet, PacketContent, PacketError,
    PacketFile, PacketHead, gather, keep_packed, unpacked,
};
pub use plan::{
    Arrangement, AskedWhen, ComponentVariant, Condition, Help, Instrument, PlanFault, STUDY_FORMAT,
    STUDY_VERSION, StudyPlan, StudyPlanError, StudyTask, SuccessRule, TaskStart,
};
pub use presets::{CandidateTask, Preset, StartChoice, TooFewTasks};
pub use progress::{
    AttemptProgress, DueForm, NextThing, PersonProgress, PlannedTask, planned_tasks,
};
pub use results::{
    AgentAttempt, AgentModel, AttemptClock, Autonomous, Cell, ConditionClock, ConditionComparison,
    Counted, EQUAL_SHARES, EffectSize, GivenAnswer, GivenAnswers, Individual, LeftOutRun, Measure,
    MixedModel, Progress, QuestionnaireScore, RESAMPLES, StudyResults, TestFinding,
    UnfinishedAttempt, Unit,
};
pub use success::{SuccessError, SuccessFinding, SuccessInput, check_success};
pub use trial::{AskedForm, Trial};
