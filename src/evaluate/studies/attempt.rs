//! What came of the task of a study that a run is of.

use std::path::Path;

use crate::run::Manifest;
use crate::study::{
    PARTICIPANT_KIND, ParticipantKind, ReadLog, SCRIPTED_PARTICIPANT_KIND, Trial, trial_log,
};

/// What came of an attempt at a task in a study.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyAttempt {
    /// A person's, or a script's.
    pub by: ParticipantKind,
    /// The id of its condition.
    pub condition: String,
    /// How hard its task is.
    pub level: String,
    /// Whether it succeeded within the limit.
    pub success: bool,
    /// Seconds at it, without pauses, at most the limit.
    pub seconds: f64,
}

impl StudyAttempt {
    /// Of a run in its folder, by the study's log beside it; `None` for a run of no study, and where the log cannot be
    /// read or does not say whether it succeeded ([`Trial::is_whole`]).
    pub fn of_run(dir: &Path, manifest: &Manifest) -> Option<Self> {
        let by = match manifest.agent.kind.as_str() {
            PARTICIPANT_KIND => ParticipantKind::Person,
            SCRIPTED_PARTICIPANT_KIND => ParticipantKind::Scripted,
            _ => return None,
        };
        let read = ReadLog::open(&trial_log(dir, by)).ok()?;
        Self::of_trial(&Trial::of(&read.events).filter(|trial| trial.by == by)?)
    }

    /// Of what its log says; `None` where that does not say whether it succeeded.
    pub fn of_trial(trial: &Trial) -> Option<Self> {
        trial.is_whole().then(|| Self {
            by: trial.by,
            condition: trial.facts.condition.clone(),
            level: trial.facts.difficulty.clone(),
            success: trial.succeeded(),
            seconds: trial.seconds(),
        })
    }
}
