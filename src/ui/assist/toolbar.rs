//! Over the canvas: tools, undo, snapping, the goal, zoom. Where there is no room, what menus and keys have too goes
//! first.

use egui::{Align, Layout, Popup, Ui};

use crate::editor::Tool;
use crate::ui::commands::{AssistLocal, CommandButton, CommandId, command};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::size;
use crate::ui::widgets::{Button, Look};
use crate::workbench::{AssistCommand, AssistDesk, Command, GoalView, LookCommand};

/// The tools that have a button, in their order: a tool, its command, its icon.
const TOOLS: &[(Tool, CommandId, &str)] = &[
    (Tool::Move, CommandId::TakeMove, icons::TOOL_MOVE),
    (Tool::Frame, CommandId::TakeFrame, icons::NODE_FRAME),
    (Tool::Rectangle, CommandId::TakeRectangle, icons::NODE_RECTANGLE),
    (Tool::Ellipse, CommandId::TakeEllipse, icons::NODE_ELLIPSE),
    (Tool::Line, CommandId::TakeLine, icons::NODE_LINE),
    (Tool::Pen, CommandId::TakePen, icons::NODE_VECTOR),
    (Tool::Text, CommandId::TakeText, icons::NODE_TEXT),
    (Tool::Hand, CommandId::TakeHand, icons::TOOL_HAND),
    (Tool::Comment, CommandId::TakeComment, icons::COMMENT),
];
/// Shapes that become one, in the menu beside the tools.
const BOOLEANS: &[CommandId] = &[
    CommandId::UnionSelection,
    CommandId::SubtractSelection,
    CommandId::IntersectSelection,
    CommandId::ExcludeSelection,
    CommandId::FlattenSelection,
    CommandId::UseAsMask,
];
/// Zooms of the menu, in hundredths.
const ZOOMS: [u16; 3] = [50, 100, 200];

/// Around buttons and between groups of them.
const GAP: f32 = 8.0;

/// What there is room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Room {
    /// The words of snapping and the goal.
    words: bool,
    /// Snapping and the goal at all.
    toggles: bool,
    /// Undo and redo.
    undo: bool,
}

impl Room {
    /// In a bar so wide, beside the tools.
    fn of(width: f32) -> Self {
        let tools = (TOOLS.len() as f32 + 1.0) * size::BUTTON + 2.0 * GAP;
        // Zoom and fit, which stay.
        let left = width - tools - 100.0;
        let undo = 2.0 * size::BUTTON + GAP;
        let toggles = 2.0 * (size::BUTTON + GAP);
        Self {
            undo: left >= undo,
            toggles: left >= undo + toggles,
            words: left >= undo + toggles + 110.0,
        }
    }
}

/// Draws the bar; gives what the canvas is to do.
pub(super) fn toolbar_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    desk: &AssistDesk,
    zoom: f64,
) -> Option<AssistLocal> {
    let room = Room::of(ui.available_width());
    let mut asked = None;
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        ui.add_space(GAP);
        for (tool, id, icon) in TOOLS {
            let is_taken = desk.editor.tool() == *tool;
            CommandButton::icon(*id, icon).selected(is_taken).show(ui, cx);
        }
        booleans_ui(ui, cx, BOOLEANS);
        if room.undo {
            ui.add_space(GAP);
            CommandButton::icon(CommandId::UndoEdit, icons::UNDO).show(ui, cx);
            CommandButton::icon(CommandId::RedoEdit, icons::REDO).show(ui, cx);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(GAP);
            let fit = command(CommandId::CanvasFit);
            let button = Button::icon(icons::FIT, fit.text).look(Look::Tool).tooltip(fit.tooltip);
            if button.key(fit.key(ui, cx.state)).show(ui).clicked() {
                asked = Some(AssistLocal::Fit);
            }
            asked = asked.or(zoom_ui(ui, cx, zoom));
            if room.toggles {
                ui.add_space(GAP);
                goal_ui(ui, cx, desk, room.words);
                ui.add_space(GAP);
                let snaps = cx.state.settings.canvas.snaps;
                let snap = if room.words {
                    CommandButton::text(CommandId::ToggleSnapping).with_icon(icons::SNAP)
                } else {
                    CommandButton::icon(CommandId::ToggleSnapping, icons::SNAP)
                };
                snap.look(Look::Tool).selected(snaps).show(ui, cx);
            }
        });
    });
    asked
}

/// The menu of shapes that become one.
fn booleans_ui(ui: &mut Ui, cx: &ViewContext<'_>, commands: &[CommandId]) {
    ui.add_space(GAP);
    let button = Button::icon(icons::UNITE, "Boolean groups").look(Look::Tool);
    let button = button.tooltip("Make one shape of those that are selected.").show(ui);
    Popup::menu(&button).show(|ui| {
        ui.set_min_width(180.0);
        for id in commands {
            CommandButton::text(*id).menu_item_ui(ui, cx);
        }
    });
}

/// The menu of zooms and of what else is seen.
fn zoom_ui(ui: &mut Ui, cx: &ViewContext<'_>, zoom: f64) -> Option<AssistLocal> {
    let words = format!("{:.0} %", zoom * 100.0);
    let name = format!("Zoom, {words}");
    let button = Button::text(&words).named(&name).look(Look::Tool).compact();
    let button = button.tooltip("How large the design is, and what is shown of it.").show(ui);
    let mut asked = None;
    Popup::menu(&button).show(|ui| {
        ui.set_min_width(200.0);
        for (id, local) in [
            (CommandId::CanvasFit, AssistLocal::Fit),
            (CommandId::CanvasFitSelection, AssistLocal::FitSelection),
            (CommandId::CanvasIn, AssistLocal::ZoomIn),
            (CommandId::CanvasOut, AssistLocal::ZoomOut),
        ] {
            let command = command(id);
            let key = command.key(ui, cx.state).unwrap_or_default();
            let item = egui::Button::new(command.text).shortcut_text(key);
            if ui.add_enabled((command.enabled)(cx.state), item).clicked() {
                asked = Some(local);
            }
        }
        for hundredths in ZOOMS {
            let is_actual = hundredths == 100;
            let key = command(CommandId::CanvasActualSize).key(ui, cx.state);
            let key = key.filter(|_| is_actual).unwrap_or_default();
            let item = egui::Button::new(format!("Zoom to {hundredths} %")).shortcut_text(key);
            if ui.add(item).clicked() {
                asked = Some(AssistLocal::ZoomTo(hundredths));
            }
        }
        ui.separator();
        let canvas = cx.state.settings.canvas;
        for (id, is_on) in [
            (CommandId::ToggleRulers, canvas.rulers),
            (CommandId::TogglePixelGrid, canvas.pixel_grid),
            (CommandId::ToggleOutlines, canvas.outlines),
            (CommandId::ToggleSnapping, canvas.snaps),
            (CommandId::HidePanels, canvas.hides_panels),
        ] {
            CommandButton::text(id).selected(is_on).menu_item_ui(ui, cx);
        }
        ui.separator();
        let command = command(CommandId::NudgeAmount);
        let key = command.key(ui, cx.state).unwrap_or_default();
        let item = egui::Button::new(command.text).shortcut_text(key);
        if ui.add(item).on_hover_text(command.hover_text(cx.state)).clicked() {
            asked = Some(AssistLocal::NudgeAmount);
        }
    });
    asked
}

/// The goal: its key shows it as long as it is held, and the menu has the other ways.
fn goal_ui(ui: &mut Ui, cx: &ViewContext<'_>, desk: &AssistDesk, has_words: bool) {
    let has_goal = desk.goal.is_some();
    let view = cx.state.settings.canvas.goal;
    let is_on = desk.holds_goal || view != GoalView::Off;
    let tooltip = if has_goal {
        "Look at the goal: hold the key, or choose how."
    } else {
        "Nobody said what is to come of the design."
    };
    let button = if has_words {
        Button::text("Goal").with_icon(icons::GROUND_TRUTH).with_key()
    } else {
        Button::icon(icons::GROUND_TRUTH, "Goal")
    };
    let button = button.look(Look::Tool).selected(is_on && has_goal).enabled(has_goal);
    let button = button.tooltip(tooltip).key(Some("G".to_owned())).show(ui);
    Popup::menu(&button).show(|ui| {
        ui.set_min_width(180.0);
        for (id, way) in
            [(CommandId::GoalBeside, GoalView::Beside), (CommandId::GoalOver, GoalView::Over)]
        {
            CommandButton::text(id).selected(view == way).menu_item_ui(ui, cx);
        }
        if view != GoalView::Off && ui.button("Design alone").clicked() {
            let off = LookCommand::Goal(GoalView::Off);
            cx.send(Command::Assist(AssistCommand::Look(off)));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_bar_drops_words_first_then_toggles_then_undo() {
        let all = |width| {
            let room = Room::of(width);
            (room.words, room.toggles, room.undo)
        };
        assert_eq!(all(900.0), (true, true, true));
        let widths: Vec<u8> = (0..900)
            .map(|width| {
                let (words, toggles, undo) = all(width as f32);
                u8::from(words) + u8::from(toggles) + u8::from(undo)
            })
            .collect();
        assert!(widths.is_sorted(), "what there is room for grows with the room");
        assert_eq!(widths.first(), Some(&0));
    }
}
