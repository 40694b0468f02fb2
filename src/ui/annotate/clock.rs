//! How long an item is on the screen, and the pause after an answer.

use std::time::Duration;

use egui::Context;

use crate::ui::context::ViewContext;
use crate::workbench::{AnnotateCommand, Command, Dwell, Saving, Workspace};

/// How long an answer that is on disk stays before the next item comes: time to take it back, in seconds.
const PAUSE: f64 = 0.6;
/// Between two frames no more than this is counted, in seconds: nobody looks at a window that is put to sleep.
const LONGEST: f64 = 60.0;

/// Counts while the window has the keyboard.
#[derive(Debug, Default)]
pub(super) struct Clock {
    /// Whose unit is on the screen.
    unit: Option<(String, usize)>,
    dwell: Dwell,
    /// The part of a millisecond that is not counted yet, in seconds.
    rest: f64,
    last: Option<f64>,
    /// Since when the answer is on disk.
    paused_at: Option<f64>,
}

impl Clock {
    /// How long the unit on the screen was there so far.
    pub(super) fn dwell(&self) -> &Dwell {
        &self.dwell
    }

    /// Counts on to this frame.
    pub(super) fn tick(&mut self, ctx: &Context, cx: &ViewContext<'_>) {
        let desk = cx.state.annotate.desk.as_ref();
        let unit = desk.map(|desk| (desk.person.clone(), desk.at));
        let now = ctx.input(|input| input.time);
        if self.unit != unit {
            *self = Self { unit, last: Some(now), ..Self::default() };
        }
        let since = self.last.replace(now).map_or(0.0, |last| (now - last).clamp(0.0, LONGEST));
        let is_seen = ctx.input(|input| input.focused)
            && cx.state.workspace == Workspace::Annotate
            && cx.state.overlay.is_none();
        if is_seen && let Some(desk) = desk {
            self.rest += since;
            let millis = (self.rest * 1000.0).floor().max(0.0);
            self.rest -= millis / 1000.0;
            let view = if desk.view.holds_truth { "ground truth" } else { desk.view.layout.name() };
            self.count(millis as u64, view);
        }
        self.pause(ctx, cx, now);
    }

    fn count(&mut self, millis: u64, view: &str) {
        if millis == 0 {
            return;
        }
        self.dwell.millis += millis;
        *self.dwell.views.entry(view.to_owned()).or_default() += millis;
    }

    /// Goes on when the pause is over.
    fn pause(&mut self, ctx: &Context, cx: &ViewContext<'_>, now: f64) {
        let is_paused =
            cx.state.annotate.desk.as_ref().is_some_and(|desk| desk.saving == Saving::GoingOn);
        if !is_paused {
            self.paused_at = None;
            return;
        }
        let left = *self.paused_at.get_or_insert(now) + PAUSE - now;
        if left > 0.0 {
            ctx.request_repaint_after(Duration::from_secs_f64(left));
        } else {
            self.paused_at = None;
            cx.send(Command::Annotate(AnnotateCommand::GoOn));
        }
    }
}
