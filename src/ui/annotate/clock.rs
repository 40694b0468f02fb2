//! How long an item is on the screen, and the pause after an answer.

use std::time::Duration;

use egui::Context;

use crate::ui::context::ViewContext;
use crate::workbench::{AnnotateCommand, Command, Dwell, Saving, Workspace, views};

/// How long an answer that is on disk stays before the next item comes: time to take it back, in seconds.
const PAUSE: f64 = 0.6;
/// Between two frames no more than this is counted, in seconds: nobody looks at a window that is put to sleep.
const LONGEST: f64 = 60.0;

/// Without a break for so long a break is proposed, in seconds.
const WORK: f64 = 50.0 * 60.0;
/// So long without a key or the mouse is a break, in seconds.
const BREAK: f64 = 3.0 * 60.0;

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
    work: UnbrokenWork,
}

/// How long somebody works without a break.
#[derive(Clone, Copy, Debug, Default)]
struct UnbrokenWork {
    /// When that began.
    since: Option<f64>,
    /// When a key or the mouse was used last.
    used: f64,
}

impl UnbrokenWork {
    /// Somebody did something, or not, and it is this late.
    fn tick(&mut self, now: f64, is_used: bool) {
        let was_break = now - self.used > BREAK;
        if is_used {
            if was_break || self.since.is_none() {
                self.since = Some(now);
            }
            self.used = now;
        } else if was_break {
            self.since = None;
        }
    }

    /// The minutes without a break, once that is long.
    fn minutes(&self) -> Option<u64> {
        let worked = self.used - self.since?;
        (worked >= WORK).then_some((worked / 60.0) as u64)
    }
}

impl Clock {
    /// How long the unit on the screen was there so far.
    pub(super) fn dwell(&self) -> &Dwell {
        &self.dwell
    }

    /// The minutes that somebody has worked without a break, once a break is due.
    pub(super) fn minutes_without_break(&self) -> Option<u64> {
        self.work.minutes()
    }

    /// Counts on to this frame.
    pub(super) fn tick(&mut self, ctx: &Context, cx: &ViewContext<'_>) {
        let desk = cx.state.annotate.desk.as_ref();
        let unit = desk.map(|desk| (desk.person.clone(), desk.at));
        let now = ctx.input(|input| input.time);
        if self.unit != unit {
            *self = Self { unit, last: Some(now), work: self.work, ..Self::default() };
        }
        let is_used = ctx.input(|input| input.focused && !input.events.is_empty());
        self.work.tick(now, is_used && desk.is_some());
        let since = self.last.replace(now).map_or(0.0, |last| (now - last).clamp(0.0, LONGEST));
        let is_seen = ctx.input(|input| input.focused)
            && cx.state.workspace == Workspace::Annotate
            && cx.state.overlay.is_none()
            // What is read before the first item is none.
            && desk.is_some_and(|desk| desk.reading.is_none());
        if is_seen && let Some(desk) = desk {
            self.rest += since;
            let millis = (self.rest * 1000.0).floor().max(0.0);
            self.rest -= millis / 1000.0;
            let view = match &desk.view {
                view if view.holds_truth => "ground truth",
                _ if views::shows_difference(cx.state) => "difference",
                view => view.layout.name(),
            };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_break_is_due_after_fifty_minutes_and_over_after_three() {
        let mut work = UnbrokenWork::default();
        for minute in 0..50 {
            work.tick(f64::from(minute) * 60.0, true);
            assert_eq!(work.minutes(), None, "{minute}");
        }
        work.tick(50.0 * 60.0, true);
        assert_eq!(work.minutes(), Some(50));
        // Frames without anything done are no break before three minutes of them.
        work.tick(52.0 * 60.0, false);
        assert_eq!(work.minutes(), Some(50));
        work.tick(53.5 * 60.0, false);
        assert_eq!(work.minutes(), None);
        // What follows a break begins anew, also where no frame was drawn in it.
        work.tick(54.0 * 60.0, true);
        work.tick(200.0 * 60.0, true);
        assert_eq!(work.minutes(), None);
    }
}
