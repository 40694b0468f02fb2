//! What the run of a task says of itself.

use serde_json::{Map, Value, json};

use super::clock::Ending;
use super::event::{ParticipantKind, TrialFacts};
use crate::environment::canvas::HandTools;
use crate::environment::{FONTS_SETTING, HANDS_SETTING, StartState};
use crate::run::{AgentRef, Manifest, Outcome, TASKS_SETTING, TaskRef};

/// The kind of the agent of runs that a person made in a study.
pub const PARTICIPANT_KIND: &str = "participant";
/// The same of a script that stands for one.
pub const SCRIPTED_PARTICIPANT_KIND: &str = "scripted_participant";
/// The setting of a run that says which study it is of, whose it is, and under which condition.
pub const STUDY_SETTING: &str = "study";

/// What the run of a task says of how it came out.
pub fn trial_outcome(ending: Ending, limit_secs: f64) -> Outcome {
    match ending {
        Ending::Done => Outcome::Completed,
        Ending::GaveUp => Outcome::Cancelled,
        Ending::TimedOut => Outcome::LimitReached(format!("the time limit of {limit_secs} s")),
    }
}

/// The manifest of the run of a task that begins now. `tasks` is where the task's set lies, as seen from the run's
/// folder: what is recorded of somebody names no folder of theirs. `started` is RFC 3339, UTC.
pub fn trial_manifest(
    facts: &TrialFacts,
    by: ParticipantKind,
    start: &StartState,
    tasks: String,
    started: &str,
) -> Manifest {
    let task = TaskRef::new(&facts.set, &facts.task);
    let (kind, name) = match by {
        ParticipantKind::Person => (PARTICIPANT_KIND, facts.participant.clone()),
        ParticipantKind::Scripted => {
            (SCRIPTED_PARTICIPANT_KIND, format!("{} (scripted)", facts.participant))
        }
    };
    let agent = AgentRef { kind: kind.to_owned(), name, version: None };
    let mut settings = Map::new();
    settings.insert(TASKS_SETTING.to_owned(), Value::from(tasks));
    // Hands change what no tool does; a script has the tools alone.
    if let Some(hands) = HandTools::Allowed.setting()
        && by == ParticipantKind::Person
    {
        settings.insert(HANDS_SETTING.to_owned(), hands);
    }
    settings.insert(FONTS_SETTING.to_owned(), Value::from(start.fonts.name()));
    settings.insert(
        STUDY_SETTING.to_owned(),
        json!({"id": facts.study, "participant": facts.participant, "condition": facts.condition}),
    );
    Manifest {
        mode: "study".to_owned(),
        environment: start.environment.clone(),
        canvas_size: Some(start.canvas_size),
        compat: start.compat.clone(),
        settings,
        ..Manifest::new(task, agent, started)
    }
}
