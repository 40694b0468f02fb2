//! Canvases of runs a thread works on, kept between jobs.

use std::sync::Arc;

use crate::run::Run;
use crate::task::Task;
use crate::workbench::RunId;

use super::outline::History;
use super::shared::Shared;
use crate::evaluate::{CanvasError, RunCanvas};

/// How many runs a thread keeps snapshots of.
const SESSIONS: usize = 4;

/// Canvases of the runs a thread worked on last, each with its snapshots, so that the next step
/// costs one call and not all of them. Each thread has its own: no lock is held while drawing.
#[derive(Debug, Default)]
pub(super) struct Sessions(Vec<(RunId, Session)>);

#[derive(Debug)]
struct Session {
    canvas: RunCanvas,
    history: History,
}

impl Sessions {
    /// Lends the canvas of a run to `work`. If that panics, the canvas is gone with it and the next
    /// job begins anew.
    pub(super) fn with<T>(
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
    pub(super) fn with_history<T>(
        &mut self,
        shared: &Shared,
        run_id: RunId,
        run: &Arc<Run>,
        task: Option<&Arc<Task>>,
        work: impl FnOnce(&mut RunCanvas, &mut History) -> T,
    ) -> Result<T, CanvasError> {
        let mut session = match self.0.iter().position(|(known, _)| *known == run_id) {
            Some(at) => self.0.remove(at).1,
            None => Session {
                canvas: RunCanvas::open(Arc::clone(run), task.cloned(), &*shared.open_environment)?,
                history: History::default(),
            },
        };
        let known = session.canvas.run();
        if !Arc::ptr_eq(known, run) && known.steps.len() <= run.steps.len() {
            let grew = run.steps.starts_with(&known.steps);
            session.canvas.update(Arc::clone(run));
            if !grew {
                session.history = History::default();
            }
        }
        let done = work(&mut session.canvas, &mut session.history);
        self.0.push((run_id, session));
        if self.0.len() > SESSIONS {
            self.0.remove(0);
        }
        Ok(done)
    }
}
