//! Canvases of runs a thread works on, kept between jobs.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::environment::OpenEnvironment;
use crate::run::Run;
use crate::task::Task;
use crate::workbench::RunId;

use crate::evaluate::{CanvasError, RunCanvas};
use crate::worker::shared::Shared;

use super::history::History;

/// How many runs a thread keeps snapshots of.
const SESSIONS: usize = 4;

/// Canvases of the runs a thread worked on last, each with its snapshots, so that the next step
/// costs one call and not all of them. Each thread has its own: no lock is held while drawing. A clone
/// is another handle on the same, by which others have runs forgotten.
#[derive(Clone, Debug, Default)]
pub(in crate::worker) struct Sessions(Arc<Mutex<KeptSessions>>);

#[derive(Debug, Default)]
struct KeptSessions {
    /// What was used last is last.
    sessions: Vec<(RunId, CanvasSession)>,
    /// Whose session is worked with, to be kept again afterwards.
    lent: Option<RunId>,
}

#[derive(Debug)]
struct CanvasSession {
    canvas: RunCanvas,
    history: History,
}

impl Sessions {
    /// Lends the canvas of a run to `work`. If that panics, the canvas is gone with it and the next
    /// job begins anew.
    pub(in crate::worker) fn with<T>(
        &mut self,
        shared: &Shared,
        run_id: RunId,
        run: &Arc<Run>,
        task: Option<&Arc<Task>>,
        work: impl FnOnce(&mut RunCanvas) -> T,
    ) -> Result<T, CanvasError> {
        self.with_history(shared, run_id, run, task, |canvas, _| work(canvas))
    }

    /// The same with what is known of the history of its nodes.
    pub(in crate::worker) fn with_history<T>(
        &mut self,
        shared: &Shared,
        run_id: RunId,
        run: &Arc<Run>,
        task: Option<&Arc<Task>>,
        work: impl FnOnce(&mut RunCanvas, &mut History) -> T,
    ) -> Result<T, CanvasError> {
        self.with_session(run_id, run, task, &*shared.open_environment, |session| {
            work(&mut session.canvas, &mut session.history)
        })
    }

    fn with_session<T>(
        &mut self,
        run_id: RunId,
        run: &Arc<Run>,
        task: Option<&Arc<Task>>,
        open_environment: &OpenEnvironment,
        work: impl FnOnce(&mut CanvasSession) -> T,
    ) -> Result<T, CanvasError> {
        // Another run under this number, read from the same folder, has nothing in common with it.
        let known = self.lend(run_id).filter(|session| session.is_of(run));
        let mut session = match known {
            Some(session) => session,
            None => CanvasSession {
                canvas: RunCanvas::open(Arc::clone(run), task.cloned(), open_environment)?,
                history: History::default(),
            },
        };
        session.update(run);
        let done = work(&mut session);
        // After a panic this is not reached, and a half-changed canvas is not kept.
        self.take_back(run_id, session);
        Ok(done)
    }

    /// Lets go of what is kept of a run.
    pub(in crate::worker) fn forget(&self, run_id: RunId) {
        let mut kept = self.0.lock();
        // Also of a canvas that is lent: it is not taken back then.
        kept.lent.take_if(|lent| *lent == run_id);
        kept.sessions.retain(|(known, _)| *known != run_id);
    }

    fn lend(&self, run_id: RunId) -> Option<CanvasSession> {
        let mut kept = self.0.lock();
        kept.lent = Some(run_id);
        let at = kept.sessions.iter().position(|(known, _)| *known == run_id)?;
        Some(kept.sessions.remove(at).1)
    }

    /// Keeps a session again, unless its run was forgotten meanwhile.
    fn take_back(&self, run_id: RunId, session: CanvasSession) {
        let mut kept = self.0.lock();
        if kept.lent.take() != Some(run_id) {
            return;
        }
        kept.sessions.push((run_id, session));
        if kept.sessions.len() > SESSIONS {
            kept.sessions.remove(0);
        }
    }
}

impl CanvasSession {
    /// Whether it is of this run, be it at another length.
    fn is_of(&self, run: &Run) -> bool {
        self.canvas.run().manifest.id == run.manifest.id
    }

    /// Takes the run as it is now. A job that waited may still have it as it was, which is all the
    /// beginning of what is known already.
    fn update(&mut self, run: &Arc<Run>) {
        let known = self.canvas.run();
        // Both lists mostly share their steps, so this does not look at each of them.
        let common = known.steps.common_with(&run.steps);
        if common == run.steps.len() {
            return;
        }
        let grew = common == known.steps.len();
        self.canvas.update(Arc::clone(run));
        // Steps that were taken back made nodes that are not there: what is known of them is void.
        if !grew {
            self.history = History::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::environment::open_environment;
    use crate::run::reader;

    /// The shortest of the runs that are shipped, under this number, with so many of its steps.
    fn run(id: &str, steps: usize) -> Arc<Run> {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("sample_runs/runs/own-samples/quiz-progress/scripted-01");
        let mut run = reader::open(&dir).unwrap();
        id.clone_into(&mut run.manifest.id);
        run.steps.truncate(steps);
        Arc::new(run)
    }

    /// How many steps the canvas knows that is lent for this run.
    fn known_steps(sessions: &mut Sessions, run: &Arc<Run>) -> usize {
        let lent = sessions.with_session(RunId(1), run, None, &open_environment, |session| {
            session.canvas.run().steps.len()
        });
        lent.unwrap()
    }

    #[test]
    fn a_run_replaced_by_a_shorter_one_is_drawn_anew() {
        let mut sessions = Sessions::default();
        assert_eq!(known_steps(&mut sessions, &run("first", 3)), 3);
        assert_eq!(known_steps(&mut sessions, &run("second", 1)), 1);
    }

    #[test]
    fn a_run_of_other_steps_is_drawn_anew_however_short() {
        let mut sessions = Sessions::default();
        assert_eq!(known_steps(&mut sessions, &run("first", 3)), 3);
        let mut other = Run::clone(&run("first", 3));
        other.steps = other.steps.iter().skip(1).cloned().collect();
        assert_eq!(known_steps(&mut sessions, &Arc::new(other)), 2);
    }

    #[test]
    fn a_job_that_waited_while_its_run_grew_works_on_what_is_known() {
        let mut sessions = Sessions::default();
        assert_eq!(known_steps(&mut sessions, &run("first", 3)), 3);
        assert_eq!(known_steps(&mut sessions, &run("first", 1)), 3);
        assert_eq!(known_steps(&mut sessions, &run("first", 4)), 4);
    }

    #[test]
    fn a_run_that_is_forgotten_is_kept_no_longer_not_even_if_it_is_being_worked_on() {
        let mut sessions = Sessions::default();
        let handle = Sessions::clone(&sessions);
        let run = run("first", 2);
        known_steps(&mut sessions, &run);
        assert_eq!(handle.0.lock().sessions.len(), 1);
        handle.forget(RunId(1));
        assert!(handle.0.lock().sessions.is_empty());
        let worked = sessions
            .with_session(RunId(1), &run, None, &open_environment, |_| handle.forget(RunId(1)));
        worked.unwrap();
        assert!(handle.0.lock().sessions.is_empty());
    }
}
