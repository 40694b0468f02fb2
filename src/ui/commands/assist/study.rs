//! The study.

use egui::Key;

use super::{assist, is_at_task};
use crate::study::PauseReason;
use crate::ui::commands::UiCommand;
use crate::ui::commands::command::Effect;
use crate::ui::commands::keys::{ctrl, key, shift};
use crate::workbench::{AssistCommand, State, StudyCommand, TrialPhase};

/// What there is to do.
#[rustfmt::skip]
pub(in crate::ui::commands) static TABLE: &[UiCommand] = commands![
    StudyPause, Study, "Pause or go on", "Hold the clock and hide the task, or let it go on.", [key(Key::F9)], can_pause_or_resume, pause_or_resume;
    StudyDone, Study, "Done", "The task is done: it is kept, and the next one follows.", [key(Key::F10)], is_running, |_| study(StudyCommand::Done);
    StudyGiveUp, Study, "Give up…", "Give up the task, after a question.", [shift(Key::F10)], is_running, |_| study(StudyCommand::AskGiveUp(true));
    Practise, Study, "Practice, five minutes", "Learn the canvas by six small tasks.", [ctrl(Key::F9)], can_practise, |_| study(StudyCommand::Practise(0));
];

fn study(command: StudyCommand) -> Effect {
    assist(AssistCommand::Study(command))
}

fn phase(state: &State) -> Option<TrialPhase> {
    let (_, trial) = state.assist.study.desk.as_ref()?.trial()?;
    Some(trial.phase)
}

fn is_running(state: &State) -> bool {
    phase(state) == Some(TrialPhase::Running)
}

fn can_pause_or_resume(state: &State) -> bool {
    matches!(
        phase(state),
        Some(TrialPhase::Running | TrialPhase::Paused(_) | TrialPhase::Recovered)
    )
}

fn pause_or_resume(state: &State) -> Effect {
    study(if is_running(state) {
        StudyCommand::Pause(PauseReason::Button)
    } else {
        StudyCommand::Resume
    })
}

fn can_practise(state: &State) -> bool {
    !is_at_task(state)
}
