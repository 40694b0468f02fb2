//! What the parts of the room share: asking, colours and forms of models, words of numbers.

use egui::{
    Align2, Color32, Painter, Pos2, Rect, Response, Shape, Stroke, StrokeKind, Ui, pos2, vec2,
};
use egui_plot::MarkerShape;

use crate::ui::context::ViewContext;
use crate::ui::theme::{Tokens, Type, tokens};
use crate::ui::widgets::{metric_words, paint_text};
use crate::workbench::{Column, Command, ExploreCommand, State};

/// Asks for something in the room.
pub(super) fn explore(cx: &ViewContext<'_>, command: ExploreCommand) {
    cx.send(Command::Explore(command));
}

/// The forms of models, beside their colours.
const FORMS: [MarkerShape; 4] =
    [MarkerShape::Circle, MarkerShape::Diamond, MarkerShape::Up, MarkerShape::Square];

/// The place of a model, or of what else runs are told apart by, among those that have a colour of their own: the four
/// with most runs.
pub(super) fn series_of(state: &State, name: &str) -> Option<usize> {
    let series = state.explore.table.series.iter().take(FORMS.len());
    series.into_iter().position(|(known, _)| &**known == name)
}

/// The same of a group by a column: only what runs are told apart by has colours.
pub(super) fn series_of_group(state: &State, by: &Column, name: &str) -> Option<usize> {
    series_of(state, name).filter(|_| *by == state.explore.view.color_by)
}

/// The colour and form of a model; what has none of its own is grey.
pub(super) fn look_of(tokens: &Tokens, series: Option<usize>) -> (Color32, MarkerShape) {
    let known = series.and_then(|at| Some((*tokens.series.get(at)?, *FORMS.get(at)?)));
    known.unwrap_or((tokens.dim, MarkerShape::Circle))
}

/// Paints the form of a model.
pub(super) fn paint_mark(painter: &Painter, at: Pos2, tokens: &Tokens, series: Option<usize>) {
    let (color, form) = look_of(tokens, series);
    let corners: &[(f32, f32)] = match form {
        MarkerShape::Diamond => &[(0.0, -4.5), (4.5, 0.0), (0.0, 4.5), (-4.5, 0.0)],
        MarkerShape::Up => &[(0.0, -4.0), (4.0, 3.5), (-4.0, 3.5)],
        MarkerShape::Square => &[(-3.5, -3.5), (3.5, -3.5), (3.5, 3.5), (-3.5, 3.5)],
        _ => {
            painter.circle_filled(at, 3.5, color);
            return;
        }
    };
    let points = corners.iter().map(|(x, y)| pos2(at.x + x, at.y + y)).collect();
    painter.add(Shape::convex_polygon(points, color, Stroke::NONE));
}

/// Shows that the pointer or the keyboard is on a mark of a figure, and that all of its runs are selected.
pub(super) fn mark_ui(ui: &Ui, areas: &[Rect], response: &Response, is_selected: bool) {
    let tokens = tokens(ui);
    let color = match (is_selected, response.hovered() || response.has_focus()) {
        (true, _) => tokens.accent,
        (false, true) => tokens.dim,
        (false, false) => return,
    };
    if let [area] = areas {
        ui.painter().rect_stroke(*area, 2, Stroke::new(1.0, color), StrokeKind::Inside);
        return;
    }
    // Outlines of the pieces of a curve would cross it.
    for area in areas {
        ui.painter().rect_filled(*area, 0, color.gamma_multiply(0.3));
    }
}

/// A number of a column as people read it.
pub(super) fn number_words(state: &State, column: &Column, number: f64) -> String {
    match column {
        Column::Score(id) => {
            let range = state.variants.get(id).map_or((0.0, 1.0), |variant| variant.range);
            metric_words(range, number)
        }
        Column::Cost => format!("${number:.2}"),
        Column::Precision | Column::Preferred | Column::Ndec => format!("{number:.2}"),
        Column::Seconds | Column::SuccessSeconds => format!("{number:.0}"),
        _ if number.fract() == 0.0 => format!("{number:.0}"),
        // Nobody says in what range others score.
        Column::Imported(_) => format!("{number:.3}"),
        _ => format!("{number:.1}"),
    }
}

/// A line of a few words in a caption's size, cut where the room ends.
pub(super) fn caption_ui(ui: &mut Ui, words: &str, color: Color32) {
    let (response, is_cut) = line_ui(ui, words, color);
    // Cut: all of it where the pointer rests.
    if is_cut {
        response.on_hover_text(words);
    }
}

/// The same, with more words where the pointer rests.
pub(super) fn explained_ui(ui: &mut Ui, words: &str, color: Color32, more: &str) {
    line_ui(ui, words, color).0.on_hover_text(more);
}

fn line_ui(ui: &mut Ui, words: &str, color: Color32) -> (Response, bool) {
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), 16.0), egui::Sense::hover());
    let shown = paint_text(
        ui.painter(),
        rect.left_center(),
        Align2::LEFT_CENTER,
        words,
        (Type::Caption, color),
        rect.width(),
    );
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, words));
    (response, shown.width() >= rect.width() - 1.0)
}
