//! Making a project of the runs that the library lists.

use std::path::PathBuf;

use crate::label::{Form, ItemKind};
use crate::workbench::derive::views;
use crate::workbench::model::{
    JobId, JobKind, JobOutcome, NewLabels, NewLabelsFile, OwnForm, State, Workspace,
};
use crate::workbench::protocol::Request;
use crate::workbench::reduce::handle::save::report_run;

use super::opening;

/// Begins a project; where one is being made already, that.
pub(super) fn begin(state: &mut State) {
    state.workspace = Workspace::Annotate;
    state.overlay = None;
    if state.annotate.new.is_none() {
        state.annotate.new = Some(NewLabels::default());
    }
}

/// What was chosen is another. While it is being made, nothing changes.
pub(super) fn edit(state: &mut State, draft: NewLabels) {
    if let Some(new) = state.annotate.new.as_mut().filter(|new| new.making.is_none()) {
        *new = NewLabels { making: None, problem: None, ..draft };
    }
}

/// A file was chosen for something of it.
pub(super) fn choose_file(state: &mut State, what: NewLabelsFile, path: PathBuf) -> Vec<Request> {
    let Some(new) = &mut state.annotate.new else { return Vec::new() };
    // What a form asks is seen before the project is made.
    if what == NewLabelsFile::Form {
        return vec![Request::ReadForm(path)];
    }
    if new.making.is_none() {
        new.set_file(what, Some(path));
        new.problem = None;
    }
    Vec::new()
}

/// A form was read, or cannot be: it is asked, in the place of what the same file held before.
pub(in crate::workbench::reduce) fn form_read(
    state: &mut State,
    path: PathBuf,
    result: Result<Box<Form>, String>,
) {
    let Some(new) = state.annotate.new.as_mut().filter(|new| new.making.is_none()) else { return };
    let form = match result {
        Ok(form) => *form,
        Err(why) => {
            new.problem = Some(why);
            return;
        }
    };
    new.problem = None;
    match new.own_forms.iter_mut().find(|own| own.path == path) {
        Some(own) => own.form = form,
        None => new.own_forms.push(OwnForm { path, form }),
    }
}

/// Leaves it; what is being made is stopped.
pub(super) fn leave(state: &mut State) -> Vec<Request> {
    let making = state.annotate.new.take().and_then(|new| new.making);
    making.into_iter().map(|(job, _)| Request::Cancel(job)).collect()
}

/// Makes it of the runs that the library lists.
pub(super) fn make(state: &mut State, path: PathBuf) -> Vec<Request> {
    let ids = views::run_order(state);
    // Pressed again while it is being made, the button does nothing.
    let Some(new) = state.annotate.new.as_mut().filter(|new| new.making.is_none()) else {
        return Vec::new();
    };
    new.problem = None;
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let sets = state.library.sets.iter();
    let task_sets = sets.map(|set| set.set.dir.to_string_lossy().into_owned()).collect();
    let (plan, study) = (new.plan(&stem, task_sets), Box::new(new.study()));
    let checked = plan.check().map_err(|error| error.to_string());
    let exists = path.exists().then(|| {
        format!("{} is there already: choose another name, nothing is overwritten", path.display())
    });
    let is_empty = ids.is_empty() && !new.needs_no_run();
    let empty = is_empty.then(|| "no run is listed: open some, or change the filter".to_owned());
    // What is wrong with the plan comes first: that is what the dialog before the user can mend.
    if let Some(why) = checked.err().or(exists).or(empty) {
        new.problem = Some(why);
        return Vec::new();
    }
    let job = state.jobs.start(JobKind::Save, format!("making {}", path.display()));
    if let Some(new) = &mut state.annotate.new {
        new.making = Some((job, path.clone()));
    }
    // What is about queries alone needs no run to be read.
    let ids =
        if plan.forms.iter().all(|form| form.about == ItemKind::Query) { Vec::new() } else { ids };
    let runs = ids.iter().filter_map(|id| report_run(state, *id)).collect();
    vec![Request::MakeLabels { job, runs, plan: Box::new(plan), study, path }]
}

/// The job ended: the project is opened, or it is told why there is none.
pub(in crate::workbench::reduce) fn made(
    state: &mut State,
    job: JobId,
    outcome: &JobOutcome,
) -> Vec<Request> {
    let new = state.annotate.new.as_mut();
    let Some(new) = new.filter(|it| it.making.as_ref().is_some_and(|(of, _)| *of == job)) else {
        return Vec::new();
    };
    let Some((_, path)) = new.making.take() else { return Vec::new() };
    match outcome {
        JobOutcome::Done => {
            state.annotate.new = None;
            opening::open(state, path)
        }
        // What was filled in stays, so that only what is wrong has to be mended.
        JobOutcome::Failed(why) => {
            new.problem = Some(why.clone());
            Vec::new()
        }
        JobOutcome::Cancelled => Vec::new(),
    }
}
