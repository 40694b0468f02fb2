//! What is to come of the design: in place of it as long as a key is held, beside it, or half clear over it.

use egui::{Align2, Painter, Rect, Ui, pos2, vec2};

use super::picture::CanvasPicture;
use super::view::CanvasView;
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, picture_tint, tokens};
use crate::ui::widgets::{paint_text, say};
use crate::workbench::{AssistDesk, GoalView};

/// Between the design and the goal beside it, in points of the screen.
const BESIDE: f32 = 40.0;
/// How far above it its name stands, as those of frames do.
const NAME: f32 = 4.0;
/// How much of the goal shows over the design.
const OVER: f32 = 0.5;

/// The goal's picture.
#[derive(Debug, Default)]
pub(super) struct Goal {
    picture: CanvasPicture,
}

/// How the goal is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GoalPlace {
    /// The design alone.
    Nowhere,
    /// The goal alone.
    Instead,
    /// At the right of the design.
    Beside,
    /// Over the design.
    Over,
}

impl GoalPlace {
    /// How it is seen now.
    pub(super) fn of(cx: &ViewContext<'_>, desk: &AssistDesk) -> Self {
        // It is that of the page with the screen.
        if desk.goal.is_none() || desk.other_page().is_some() {
            return Self::Nowhere;
        }
        match cx.state.settings.canvas.goal {
            _ if desk.holds_goal => Self::Instead,
            GoalView::Off => Self::Nowhere,
            GoalView::Beside => Self::Beside,
            GoalView::Over => Self::Over,
        }
    }
}

/// Whether the goal stands beside the design, while no key holds it in its place.
pub(super) fn is_beside(cx: &ViewContext<'_>, desk: &AssistDesk) -> bool {
    desk.goal.is_some()
        && desk.other_page().is_none()
        && cx.state.settings.canvas.goal == GoalView::Beside
}

/// All of the design, and of the goal beside it.
pub(super) fn whole(desk: &AssistDesk, is_beside: bool, mut room: Rect) -> CanvasView {
    let mut of = desk.area();
    if let Some(goal) = desk.goal_screen().filter(|_| is_beside) {
        let below = desk.screen().y - of.y;
        (of.width, of.height) = (of.width + goal.width, of.height.max(below + goal.height));
        room.max.x -= BESIDE;
    }
    CanvasView::fitted(of, room)
}

impl Goal {
    /// Paints it, if it is seen.
    pub(super) fn paint(
        &mut self,
        ui: &Ui,
        painter: &Painter,
        cx: &ViewContext<'_>,
        desk: &AssistDesk,
        view: CanvasView,
    ) {
        let place = GoalPlace::of(cx, desk);
        let Some(key) = desk.goal_picture_key().filter(|_| place != GoalPlace::Nowhere) else {
            return;
        };
        let Some(goal) = desk.goal_screen() else { return };
        // Its corner lies on that of the design, wherever both lie on their pages.
        let screen = desk.screen();
        let by = screen.origin().since(goal.origin());
        let by = vec2((by.x * view.zoom) as f32, (by.y * view.zoom) as f32);
        let mut goal_view = CanvasView { origin: view.origin + by, ..view };
        if place == GoalPlace::Beside {
            // At the right of all that lies on the page.
            let right = desk.area().right() - screen.x;
            goal_view.origin.x += (right * view.zoom) as f32 + BESIDE;
        }
        let tint = picture_tint(if place == GoalPlace::Over { OVER } else { 1.0 });
        self.picture.paint_key(painter, cx, key, goal_view, tint);
        let area = goal_view.rect_to_screen(goal);
        let words = match place {
            GoalPlace::Over => "Goal over it",
            _ => "Goal",
        };
        let (at, anchor) = match place {
            // The design's own name and size stand above it.
            GoalPlace::Over => (pos2(area.right(), area.bottom() + NAME), Align2::RIGHT_TOP),
            _ => (pos2(area.left(), area.top() - NAME), Align2::LEFT_BOTTOM),
        };
        let style = (Type::Medium, tokens(ui).dim);
        let said = paint_text(painter, at, anchor, words, style, f32::INFINITY);
        say(
            ui,
            "goal",
            said,
            match place {
                GoalPlace::Beside => "The goal, beside the design",
                GoalPlace::Over => "The goal, over the design",
                GoalPlace::Instead | GoalPlace::Nowhere => "The goal, in place of the design",
            },
        );
    }
}
