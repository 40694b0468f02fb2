//! Commands: what a person asked for becomes a change of the state and work for the worker.

use crate::workbench::model::{
    Completing, NoticeLevel, Overlay, Recents, State, TOUR_CARDS, Workspace,
};
use crate::workbench::protocol::{Command, ExploreCommand, Request};
use crate::workbench::reduce::reconcile::reconcile;

mod annotate;
mod areas;
mod asking;
mod assist;
mod exchanges;
mod explore;
mod export;
mod find;
mod history;
mod launch;
mod library;
mod nodes;
mod notes;
mod paths;
mod place;
mod playback;
mod query;
mod ranges;
mod runs;
mod save;
mod scores;
mod select;
mod slots;
mod stage;
mod what_if;
mod windows;

pub(super) use annotate::{
    form_read, found, held, hold, made, opened, others, relocated, withdrawn, written,
};
pub(super) use assist::{
    hands_news, hold_clock_while_covered, refresh_assistant, study_after_hands, study_follows,
    study_news,
};
pub(super) use explore::drawing_copied;
pub(super) use library::{forget_run, unfold};
pub(super) use select::select_run;
pub(super) use what_if::{begin_shown, record_drag};

/// Smallest and largest scale of the window.
const TEXT_SCALE: (f32, f32) = (0.5, 3.0);

/// Does what the command says and gives the work it takes.
pub fn handle(state: &mut State, command: Command) -> Vec<Request> {
    let is_letter = matches!(&command, Command::Explore(ExploreCommand::SetFilter(_)));
    if state.explore.table.is_behind && !is_letter {
        // Whatever it means is meant of what is shown.
        state.refresh_explore(true);
    }
    let (before, is_jump) = (state.place(), history::is_jump(&command));
    let is_travel = matches!(command, Command::GoBack | Command::GoForward);
    let mut requests = carry_out(state, command);
    windows::go_to_window_of_table(state);
    requests.extend(hold_clock_while_covered(state));
    if !is_travel {
        history::note(state, before, is_jump);
    }
    requests.extend(reconcile(state, !is_letter));
    requests.extend(study_follows(state, &requests));
    requests
}

fn carry_out(state: &mut State, command: Command) -> Vec<Request> {
    match command {
        Command::Open(paths) => return library::open(state, paths, Recents::Remember),
        Command::Reopen(paths) => return library::open(state, paths, Recents::Leave),
        Command::ResumeUnfinished => return launch::resume_unfinished(state),
        Command::DiscardUnfinished => {
            state.unfinished.clear();
            state.overlay = None;
        }
        Command::ForgetPaths(paths) => library::forget_paths(state, paths),
        Command::Close(set) => return library::close(state, &set),
        Command::Launch => return launch::launch(state),
        Command::SaveStage { scale, path } => return save::save_stage(state, scale, path),
        Command::SavePicture { pane, path } => return save::save_picture(state, pane, path),
        Command::ExportReport { of, path } => return save::report(state, of, path),
        Command::Export { format, path } => return save::export(state, format, path),
        Command::ChooseExport(choices) => export::choose(state, *choices),
        Command::ExportAs(kind) => export::ask_how(state, kind),
        Command::ExportRuns { kind, form, path } => {
            return export::export_runs(state, (kind, form), path);
        }
        Command::CancelJob(job) if state.jobs.is_active(job) => return what_if::stop(state, job),
        Command::CompletePath { typed, folder } => {
            // Read anew each time: something may have been put there since.
            state.derived.folders.forget(|key, _| key.0 == folder);
            state.completing = Some(Completing { typed, folder });
        }
        Command::Exchanges(command) => exchanges::exchanges(state, command),
        Command::Find(command) => find::find(state, command),
        Command::PutNote(key, note) => return notes::put(state, key, note),
        Command::ToggleStar(key) => return notes::toggle_star(state, key),
        Command::Ranges(command) => return ranges::ranges(state, command),
        Command::Areas(command) => return areas::areas(state, command),
        Command::Runs(command) => return runs::runs(state, command),
        Command::Ask(command) => return asking::ask(state, command),
        Command::SelectTask(task) => {
            leave_table(state);
            select::select_task(state, task);
        }
        Command::SelectRun(run) => {
            leave_table(state);
            select::select_run(state, run);
        }
        Command::SelectRunBy(by) => select::select_run_by(state, by),
        Command::ArrangeLibrary(arrangement) => state.library.arrangement = arrangement,
        Command::ToggleFolded(key) => library::toggle_folded(state, key),
        Command::ShowRuns(runs) => state.in_flight.in_sight = runs,
        Command::PauseScoring(is_paused) => state.scoring_paused = is_paused,
        Command::SetFilter(filter) => state.library.filter = filter,
        Command::Playback(command) => playback::playback(state, command),
        Command::Explore(command) => return explore::explore(state, command),
        Command::Annotate(command) => return annotate::annotate(state, command),
        Command::Assist(command) => return assist::assist(state, command),
        Command::Stage(command) => stage::stage(state, command),
        Command::AddPicture(path) => slots::add_file(state, path),
        Command::GoToPlace(place) => place::go_to_place(state, place),
        Command::Windows(command) => windows::windows(state, command),
        Command::ShowInspector(tab) => windows::show_inspector(state, tab),
        Command::Nodes(command) => nodes::nodes(state, command),
        Command::Query(command) => query::query(state, command),
        Command::WhatIf(command) => return what_if::what_if(state, command),
        Command::Scores(command) => return scores::scores(state, command),
        Command::OpenLaunch(tasks) => launch::open_dialog(state, tasks),
        Command::EditLaunch(edit) => launch::edit(state, edit),
        Command::ClearEndedJobs => state.jobs.by_id.retain(|_, job| job.outcome.is_none()),
        Command::ToggleOverlay(overlay) => {
            state.overlay = (state.overlay != Some(overlay)).then_some(overlay);
        }
        Command::CloseOverlay => close_overlay(state),
        Command::TypePath(what) => paths::ask(state, what),
        Command::EditTypedPath(text) => paths::edit(state, text),
        Command::ChoosePath(what, path) => {
            // Closed first, as what was chosen may open an overlay of its own.
            if state.overlay == Some(Overlay::Path) {
                close_overlay(state);
            }
            return carry_out(state, paths::chosen(what, path));
        }
        Command::GoBack => return history::travel(state, true),
        Command::GoForward => return history::travel(state, false),
        Command::GoToNote(key) => select::go_to_note(state, &key),
        Command::ShowTour(card) => show_tour(state, card),
        Command::CloseHint => state.settings.hint_is_closed = true,
        Command::SetKeys(keys) => state.settings.keys = keys,
        Command::SetTextScale(scale) if scale.is_finite() => {
            state.settings.text_scale = scale.clamp(TEXT_SCALE.0, TEXT_SCALE.1);
        }
        Command::SetTheme(theme) => state.settings.theme = theme,
        Command::SystemTheme { is_dark } => state.system_is_dark = is_dark,
        Command::Warn(text) => state.notify(NoticeLevel::Warning, text),
        Command::HideNotice(id) => hide_notice(state, id),
        Command::ClearNotices => state.notices.clear(),
        Command::DismissNotice(id) => state.notices.retain(|notice| notice.id != id),
        // Dialogs, the window and what comes with the program are the application's business; a job that
        // has ended has nothing to stop.
        Command::Browse(_)
        | Command::OpenSamples
        | Command::Quit
        | Command::Reveal(_)
        | Command::SetTextScale(_)
        | Command::CancelJob(_) => {}
    }
    Vec::new()
}

fn close_overlay(state: &mut State) {
    state.overlay = None;
    state.completing = None;
    state.typed_path = None;
}

/// However it ends, it does not come by itself again.
fn show_tour(state: &mut State, card: u8) {
    state.overlay = (card < TOUR_CARDS).then_some(Overlay::Tour(card));
    state.settings.tour_is_seen = true;
}

fn hide_notice(state: &mut State, id: u64) {
    for notice in state.notices.iter_mut().filter(|notice| notice.id == id) {
        notice.is_hidden = true;
    }
}

/// Whoever goes to a run or a task, by the palette, wants to see it: the table has no stage.
fn leave_table(state: &mut State) {
    if state.workspace == Workspace::Explore {
        state.workspace = Workspace::Inspect;
    }
}
