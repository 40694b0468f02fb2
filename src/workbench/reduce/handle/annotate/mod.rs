//! Labelling: what a person does becomes a change of the desk and work for the thread of the file.
//!
//! [`reading`] is before the first item, [`answering`] changes the draft, [`going`] moves from unit to unit,
//! [`writing`] has what was done written down and takes in what became of that.

mod answering;
mod going;
mod making;
mod opening;
mod reading;
mod reviewing;
mod sending;
mod view;
mod withdrawing;
mod writing;

use crate::workbench::model::{Desk, State, Workspace};
use crate::workbench::protocol::{AnnotateCommand, Request};

pub(in crate::workbench::reduce) use making::{form_read, made};
pub(in crate::workbench::reduce) use opening::{held, hold, opened, relocated};
pub(in crate::workbench::reduce) use reviewing::found;
pub(in crate::workbench::reduce) use withdrawing::withdrawn;
pub(in crate::workbench::reduce) use writing::{others, written};

/// Does what the command says and gives the work it takes.
pub(super) fn annotate(state: &mut State, command: AnnotateCommand) -> Vec<Request> {
    match command {
        AnnotateCommand::Show(workspace) => show(state, workspace),
        AnnotateCommand::Open(path) => return opening::open(state, path),
        AnnotateCommand::BeginNew => making::begin(state),
        AnnotateCommand::EditNew(draft) => making::edit(state, *draft),
        AnnotateCommand::ChooseNewFile(what, path) => {
            return making::choose_file(state, what, path);
        }
        AnnotateCommand::LeaveNew => return making::leave(state),
        AnnotateCommand::Make(path) => return making::make(state, path),
        AnnotateCommand::Close => return opening::close(state),
        AnnotateCommand::WarnOfUnsaved => opening::warn_of_unsaved(state),
        AnnotateCommand::SitDown(person) => opening::sit_down(state, &person),
        AnnotateCommand::SitDownToSettle(person) => opening::sit_down_to_settle(state, &person),
        AnnotateCommand::Review(command) => return reviewing::review(state, command),
        AnnotateCommand::Relocate(dir) => return opening::relocate(state, dir),
        AnnotateCommand::AskWithdrawal(person) => withdrawing::ask(state, person),
        AnnotateCommand::Withdraw(person) => return withdrawing::withdraw(state, person),
        AnnotateCommand::GetUp => opening::get_up(state),
        AnnotateCommand::Language(language) => {
            if let Some(desk) = &mut state.annotate.desk {
                desk.language.clone_from(&language);
            }
            state.settings.form_language = language;
        }
        AnnotateCommand::Agree => return reading::agree(state),
        AnnotateCommand::ToggleExamples => reading::toggle_examples(state),
        // Nothing is answered before what comes first is read.
        AnnotateCommand::Submit(_) if reading::is_reading(state) => return reading::go_on(state),
        _ if reading::is_reading(state) => {}
        // Who settles what others answered answers nothing.
        command if settles(state) && answers(&command) => {}
        AnnotateCommand::Submit(dwell) => return writing::submit(state, dwell),
        AnnotateCommand::Skip => return writing::skip(state),
        AnnotateCommand::Flag => return writing::flag(state),
        AnnotateCommand::Unflag => return writing::unflag(state),
        AnnotateCommand::Undo => return writing::undo(state),
        AnnotateCommand::Redo => return writing::redo(state),
        AnnotateCommand::GoOn => going::go_on(state),
        AnnotateCommand::GoTo(at) => going::go_to(state, at),
        AnnotateCommand::GoBy(by) if settles(state) => reviewing::go_by(state, by),
        AnnotateCommand::GoBy(by) => going::go_by(state, by),
        AnnotateCommand::EditFlag(reason) => with_desk(state, |desk| desk.flagging = reason),
        AnnotateCommand::ToggleGuide => {
            with_desk(state, |desk| desk.shows_guide = !desk.shows_guide);
        }
        AnnotateCommand::Point(pointing) => {
            with_desk(state, |desk| desk.view.pointing = pointing);
        }
        AnnotateCommand::ShowPlace(place) => {
            with_desk(state, |desk| desk.view.shown_place = place);
        }
        AnnotateCommand::View(command) => view::view(state, command),
        command => answering::answer(state, command),
    }
    Vec::new()
}

fn settles(state: &State) -> bool {
    state.annotate.desk.as_ref().is_some_and(|desk| desk.review.is_some())
}

/// Whether it is for who labels.
fn answers(command: &AnnotateCommand) -> bool {
    !matches!(
        command,
        AnnotateCommand::Undo
            | AnnotateCommand::Redo
            | AnnotateCommand::GoTo(_)
            | AnnotateCommand::GoBy(_)
            | AnnotateCommand::ToggleGuide
            | AnnotateCommand::ShowPlace(_)
            | AnnotateCommand::View(_)
    )
}

fn show(state: &mut State, workspace: Workspace) {
    state.workspace = workspace;
    state.overlay = None;
    // What is held down in one room is not held in the other.
    state.stage.hold_ground_truth = false;
    with_desk(state, |desk| desk.view.holds_truth = false);
}

fn with_desk(state: &mut State, change: impl FnOnce(&mut Desk)) {
    if let Some(desk) = &mut state.annotate.desk {
        change(desk);
    }
}
