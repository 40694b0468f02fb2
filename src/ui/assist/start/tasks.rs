//! The tasks of the set that is looked at, each with what is to be arrived at.

use egui::{Align2, Rect, Role, Sense, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use super::begin::open;
use crate::environment::EnvironmentKind;
use crate::run::TaskRef;
use crate::task::Task;
use crate::ui::context::ViewContext;
use crate::ui::stage::Textures;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{
    allocate_stable_of, card_ui, paint_text, rich_text, section_header_ui, task_kind_words,
};
use crate::workbench::views::design_tasks;
use crate::workbench::{AssistStart, PictureKey};

/// Most of an instruction that a line could show.
const MOST_WORDS: usize = 40;
/// How high a task is.
const ROW: f32 = 56.0;
/// Between two of them.
const GAP: f32 = 6.0;
/// The picture of a task.
const PICTURE: egui::Vec2 = vec2(36.0, 44.0);

/// Draws them, the selected one first.
pub(super) fn tasks_ui(ui: &mut Ui, cx: &ViewContext<'_>, textures: &mut Textures) {
    let Some(listed) = design_tasks(cx.state) else {
        section_header_ui(ui, "Tasks", "");
        let words = "No task set is open. Open one in Inspect to design its tasks by hand.";
        ui.add(egui::Label::new(rich_text(words, Type::Body, tokens(ui).dim)).wrap());
        return;
    };
    section_header_ui(ui, "Tasks", &listed.set.set.name);
    ui.spacing_mut().item_spacing.y = GAP;
    let selected = cx.state.selection.task.as_ref();
    for task_ref in &listed.tasks {
        if let Some(task) = cx.state.library.task(task_ref) {
            task_ui(ui, cx, textures, (task_ref, task), selected == Some(task_ref));
        }
    }
    if listed.tasks.is_empty() {
        let words = "None of its tasks is on the vector canvas.";
        ui.label(rich_text(words, Type::Body, tokens(ui).dim));
    }
    if listed.more > 0 {
        let words =
            format!("and {} more: select one in Inspect, and it stands here first", listed.more);
        ui.label(rich_text(words, Type::Caption, tokens(ui).dim));
    }
}

fn task_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    textures: &mut Textures,
    (task_ref, task): (&TaskRef, &Task),
    is_selected: bool,
) {
    // Only the vector canvas can be worked on by hand.
    let is_canvas = task.environment == EnvironmentKind::Canvas;
    let sense = if is_canvas { Sense::click() } else { Sense::hover() };
    let (row, response) = allocate_stable_of(ui, &task.id, vec2(ui.available_width(), ROW), sense);
    let name = format!("Design {}", task.id);
    response.widget_info(|| WidgetInfo::selected(Role::Button, is_canvas, is_selected, &name));
    let words: Vec<&str> = task.instruction.split_whitespace().take(MOST_WORDS).collect();
    let words = words.join(" ");
    if ui.is_rect_visible(row) {
        let tokens = tokens(ui);
        card_ui(ui, row, &response, is_selected);
        let corner = row.min + vec2(6.0, (ROW - PICTURE.y) / 2.0);
        let place = Rect::from_min_size(corner, PICTURE);
        ui.painter().rect_filled(place, size::RADIUS_SMALL, tokens.stage);
        let key = PictureKey::GroundTruth(task_ref.clone());
        if let Some(picture) = cx.state.ready_picture(&key) {
            textures.cover(ui.painter(), &key, picture, place);
            ui.painter().rect_stroke(place, 1, tokens.line(), StrokeKind::Outside);
        }
        let left = place.right() + 12.0;
        let room = row.right() - left - 10.0;
        let at = pos2(left, row.top() + 18.0);
        let ink = if is_canvas { tokens.text } else { tokens.dim };
        let kind = task_kind_words(task.kind);
        let title =
            paint_text(ui.painter(), at, Align2::LEFT_CENTER, &task.id, (Type::Strong, ink), room);
        let at = pos2(title.right() + 8.0, title.center().y);
        let left_over = row.right() - at.x - 10.0;
        let style = (Type::Caption, tokens.dim);
        paint_text(ui.painter(), at, Align2::LEFT_CENTER, kind, style, left_over);
        let at = pos2(left, row.top() + 38.0);
        paint_text(ui.painter(), at, Align2::LEFT_CENTER, &words, style, room);
    }
    if response.clicked() {
        open(cx, AssistStart::Task(task_ref.clone()));
    }
    response.on_hover_text(task.instruction.as_str());
}
