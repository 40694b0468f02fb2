//! The layers of a run at the step it is shown at, beside its picture.

use egui::{Align2, Id, Rect, Role, ScrollArea, Sense, Ui, UiBuilder, WidgetInfo, pos2, vec2};

use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{count, paint_text, rich_text, say, sentence};
use crate::workbench::views::{self, EvidenceShown};
use crate::workbench::{Comparison, EvidencePane, Fetched, LayerRow, LayerTree};

/// A column of layers beside a picture.
const COLUMN: (f32, f32) = (132.0, 208.0);
/// The pictures of two runs keep at least so much.
const LEAST_PICTURES: f32 = 300.0;
/// From one level to the next.
const INDENT: f32 = 10.0;
/// Deeper levels stand below each other.
const MOST_LEVELS: u32 = 7;
/// Most marks a row has room for.
const MARKS: usize = 2;
const MARK: f32 = 15.0;

/// Draws the layers of the runs at the edges of the area, where they are wanted and there is room; gives what is
/// left for the pictures.
pub(super) fn layers_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    panes: &[EvidenceShown<'_>],
    area: Rect,
) -> Rect {
    if !views::shows_evidence_layers(cx.state) {
        return area;
    }
    let runs: Vec<&EvidenceShown<'_>> =
        panes.iter().filter(|it| matches!(it.pane, EvidencePane::Run(_))).take(2).collect();
    let room = (area.width() - LEAST_PICTURES) / runs.len().max(1) as f32;
    if room < COLUMN.0 {
        return area;
    }
    let width = room.min(area.width() * 0.22).clamp(COLUMN.0, COLUMN.1);
    let mut left = area;
    for (at, shown) in runs.into_iter().enumerate() {
        // The run's at the left, its gold trajectory's at the right: each beside its own picture.
        let column = if at == 0 {
            let (column, rest) = left.split_left_right_at_x(left.left() + width);
            left = rest;
            column
        } else {
            let (rest, column) = left.split_left_right_at_x(left.right() - width);
            left = rest;
            column
        };
        column_ui(ui, cx, shown, column);
    }
    left
}

fn column_ui(ui: &mut Ui, cx: &ViewContext<'_>, shown: &EvidenceShown<'_>, column: Rect) {
    let EvidencePane::Run(run) = shown.pane else { return };
    let tokens = tokens(ui);
    ui.painter().rect_filled(column, 0, tokens.panel);
    // The side towards the picture, which is between the two columns.
    let edge = if run == 0 { column.right() } else { column.left() };
    ui.painter().vline(edge, column.y_range(), tokens.line());
    let inner = column.shrink2(vec2(1.0, 4.0));
    let id = ("label_layers", run);
    let mut ui = ui.new_child(UiBuilder::new().id_salt(id).max_rect(inner));
    ui.set_clip_rect(inner.intersect(ui.clip_rect()));
    ui.spacing_mut().item_spacing.y = 0.0;
    let step = shown.step.map_or(0, |(step, _)| step);
    let aside = match step {
        0 => "start".to_owned(),
        step => format!("step {step}"),
    };
    let title = Rect::from_min_size(inner.min, vec2(inner.width(), size::ROW));
    let middle = title.center().y;
    let name = format!("{} layers", shown.title);
    let at = pos2(title.left() + 10.0, middle);
    let style = (Type::Section, tokens.dim);
    paint_text(ui.painter(), at, Align2::LEFT_CENTER, &name, style, title.width() - 70.0);
    let at = pos2(title.right() - 10.0, middle);
    let style = (Type::Caption, tokens.dim);
    paint_text(ui.painter(), at, Align2::RIGHT_CENTER, &aside, style, 60.0);
    ui.advance_cursor_after_rect(title);
    let words = |ui: &mut Ui, words: &str| {
        ui.horizontal_wrapped(|ui| {
            ui.add_space(10.0);
            ui.label(rich_text(words, Type::Caption, tokens.dim));
        });
    };
    match views::evidence_layers(cx.state, run) {
        Some(Fetched::Ready(layers)) if layers.rows.is_empty() => words(&mut ui, "No layers."),
        Some(Fetched::Ready(layers)) => rows_ui(&mut ui, run, &name, layers),
        Some(Fetched::Failed(why)) => {
            words(&mut ui, &sentence(views::evidence_failure(cx.state, why)));
        }
        Some(Fetched::Pending) | None => words(&mut ui, "Layers loading…"),
    }
}

fn rows_ui(ui: &mut Ui, run: u8, name: &str, layers: &LayerTree) {
    let all = layers.rows.iter().filter(|row| !row.is_ghost).count();
    let words = format!("{name}: {}", count(all, "layer"));
    say(ui, ("label_layers_all", run), ui.available_rect_before_wrap(), &words);
    let area = ScrollArea::vertical().id_salt(("label_layer_rows", run)).auto_shrink(false);
    area.show_rows(ui, size::ROW, layers.rows.len(), |ui, range| {
        for (at, row) in layers.rows.iter().enumerate().take(range.end).skip(range.start) {
            row_ui(ui, (run, at), row);
        }
    });
}

/// A layer: its kind, its name, and how the step changed it.
fn row_ui(ui: &mut Ui, (run, at): (u8, usize), row: &LayerRow) {
    let tokens = tokens(ui);
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), size::ROW));
    let response = ui.interact(rect, Id::unique(("label_layer", run, at)), Sense::hover());
    let changes: Vec<&str> =
        row.change_kinds.iter().map(|kind| kind.word(Comparison::Previous)).collect();
    let said = match changes.join(", ") {
        changes if changes.is_empty() => row.name.clone(),
        changes => format!("{}, {changes}", row.name),
    };
    response.widget_info(|| WidgetInfo::labeled(Role::TreeItem, true, &said));
    if !changes.is_empty() {
        let body = rect.shrink2(vec2(4.0, 1.0));
        ui.painter().rect_filled(body, size::RADIUS_SMALL, tokens.accent_wash);
    }
    let ink = match (row.is_ghost, row.is_visible) {
        (true, _) => tokens.loss,
        (false, false) => tokens.dim,
        (false, true) => tokens.text,
    };
    let middle = rect.center().y;
    let mut right = rect.right() - 8.0;
    for kind in row.change_kinds.iter().take(MARKS) {
        let style = (Type::IconSmall, tokens.accent);
        let icon = icons::of_change_kind(*kind);
        paint_text(ui.painter(), pos2(right, middle), Align2::RIGHT_CENTER, icon, style, MARK);
        right -= MARK;
    }
    // Deeper ones stand no further in: there would be no room for their names.
    let left = rect.left() + 10.0 + row.depth.min(MOST_LEVELS) as f32 * INDENT;
    let style = (Type::IconSmall, if row.is_ghost { tokens.loss } else { tokens.dim });
    let icon = icons::of_node_kind(&row.kind);
    paint_text(ui.painter(), pos2(left, middle), Align2::LEFT_CENTER, icon, style, 18.0);
    let at = pos2(left + 18.0, middle);
    let room = (right - at.x - 2.0).max(0.0);
    paint_text(ui.painter(), at, Align2::LEFT_CENTER, &row.name, (Type::Body, ink), room);
    response.on_hover_text(said);
}
