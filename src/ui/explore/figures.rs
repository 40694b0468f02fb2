//! The figures of the papers, of the runs that are shown.

use egui::{
    Align2, Color32, FontId, Id, Pos2, Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2,
};

use super::parts::{caption_ui, explore, mark_ui};
use super::plotting::selecting_runs;
use super::saving::save_menu_ui;
use crate::evaluate::figures::{Anchor, FIGURES, Figure, Ink, Mark, Shape, VectorPicture};
use crate::ui::context::ViewContext;
use crate::ui::theme::{Tokens, Type, tokens};
use crate::ui::widgets::{Button, Look, rich_text, section_header_ui};
use crate::workbench::{ExploreCommand, Fetched, RunId};

/// Draws all of them, those that lack data as what they lack.
pub(super) fn figures_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    egui::Frame::new().inner_margin(egui::Margin::symmetric(12, 6)).show(ui, |ui| {
        let words = "Of the runs that are shown, of the open labelling project and of the open study. As files, with every score: pentimento report figures RUNS --out DIR";
        ui.add(egui::Label::new(rich_text(words, Type::Caption, tokens(ui).dim)).wrap());
        state_ui(ui, cx);
        // Those made last stay while others are made.
        let figures = cx.state.explored_figures().map(|figures| &figures.0);
        for (kind, figure) in FIGURES.iter().zip(figures.into_iter().flatten()) {
            ui.add_space(6.0);
            section_header_ui(ui, kind.title, kind.id);
            match figure {
                Ok(figure) => figure_ui(ui, cx, figure, figure.id, figure.title),
                Err(why) => {
                    let words = format!("Not made: {why}.");
                    let words = rich_text(words, Type::Caption, tokens(ui).dim);
                    ui.add(egui::Label::new(words).wrap());
                }
            }
        }
    });
}

/// Says that they are being made, or why they are not; a line that is always there, so that nothing below moves.
fn state_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let (state, tokens) = (cx.state, tokens(ui));
    let Some(key) = state.explore_figures_key() else {
        caption_ui(ui, "They are made once the calls of all runs are read…", tokens.dim);
        return;
    };
    match state.derived.paper_figures.get(&key) {
        Some(Fetched::Ready(_)) => caption_ui(ui, "", tokens.dim),
        Some(Fetched::Failed(why)) => caption_ui(ui, why, tokens.warn),
        Some(Fetched::Pending) | None => {
            caption_ui(ui, "Those of the runs that are shown now are being made…", tokens.dim);
        }
    }
}

/// Draws a figure and gives where, and how large a point of it is.
pub(super) fn drawing_at_ui(ui: &mut Ui, figure: &Figure) -> (Rect, f32) {
    let drawing = &figure.drawing;
    // Never larger than it is: letters would be larger than all others.
    let scale = (ui.available_width() / drawing.width as f32).min(1.0);
    let size = vec2(drawing.width as f32, drawing.height as f32) * scale;
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, figure.title));
    if ui.is_rect_visible(rect) {
        paint(ui, drawing, rect, scale);
    }
    for remark in &figure.remarks {
        ui.add(egui::Label::new(rich_text(remark, Type::Caption, tokens(ui).dim)).wrap());
    }
    (rect, scale)
}

/// Draws a figure as wide as there is room, whose marks select their runs, with its remarks, and buttons that copy and
/// save it. By `id` it is made again, and screen readers call it `name`.
pub(in crate::ui) fn figure_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    figure: &Figure,
    id: &'static str,
    name: &str,
) {
    let (rect, scale) = drawing_at_ui(ui, figure);
    for (at, mark) in figure.drawing.marks.iter().enumerate() {
        let areas = mark.areas.iter().map(|area| {
            let [x, y, width, height] = area.map(|value| value as f32 * scale);
            Rect::from_min_size(rect.min + vec2(x, y), vec2(width, height))
        });
        let areas: Vec<Rect> = areas.collect();
        runs_ui(ui, cx, mark, &areas, Id::unique(("figure_mark", figure.id, at)));
    }
    ui.horizontal(|ui| {
        let copied = format!("Copy the numbers of {name}");
        let copy = Button::text("Copy its numbers").named(&copied).look(Look::Tool).height(20.0);
        let tip = "Copy the numbers of the figure as a spreadsheet takes them.";
        if copy.tooltip(tip).show(ui).clicked() {
            ui.ctx().copy_text(figure.numbers_tsv());
        }
        save_menu_ui(ui, cx, &format!("Save {name}"), id);
    });
}

/// A mark of a figure, which a click selects the runs of. Keys stop at its first area alone.
fn runs_ui(ui: &Ui, cx: &ViewContext<'_>, mark: &Mark, areas: &[Rect], id: Id) {
    let Some((first, others)) = areas.split_first() else { return };
    let mut response = ui.interact(*first, id, Sense::click());
    let words = format!("Select {}", mark.words);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, words.clone()));
    for (at, area) in others.iter().enumerate() {
        response |= ui.interact(*area, id.with(at), Sense::CLICK);
    }
    let selected = &cx.state.explore.selected;
    // Thousands of runs are not looked up for what is out of sight.
    let is_selected = areas.iter().any(|area| ui.is_rect_visible(*area))
        && mark.runs.len() <= selected.len()
        && mark.runs.iter().all(|run| selected.contains(&RunId(*run)));
    mark_ui(ui, areas, &response, is_selected);
    let is_clicked = response.clicked();
    response.on_hover_text_at_pointer(&mark.words);
    if is_clicked {
        let runs = mark.runs.iter().copied().map(RunId).collect();
        explore(cx, ExploreCommand::Select(selecting_runs(ui, runs)));
    }
}

fn paint(ui: &Ui, drawing: &VectorPicture, rect: Rect, scale: f32) {
    let tokens = tokens(ui);
    // A little beyond the edge, as lines and letters reach over it.
    let painter = ui.painter().with_clip_rect(rect.expand(4.0).intersect(ui.clip_rect()));
    let place = |[x, y]: [f64; 2]| -> Pos2 { rect.min + vec2(x as f32, y as f32) * scale };
    for shape in &drawing.shapes {
        match shape {
            Shape::Rect { area: [x, y, width, height], ink } => {
                let size = vec2(*width as f32, *height as f32) * scale;
                let area = Rect::from_min_size(place([*x, *y]), size);
                painter.rect(area, 0, color(tokens, *ink), Stroke::NONE, StrokeKind::Inside);
            }
            Shape::Line { points, ink, width } => {
                // Thinner, or smaller below, nothing could be seen when the figure is narrow.
                let stroke = Stroke::new((*width as f32 * scale).max(0.7), color(tokens, *ink));
                painter.line(points.iter().copied().map(place).collect(), stroke);
            }
            Shape::Area { points, ink } => {
                // Bands are not convex: strips between both edges are.
                let color = color(tokens, *ink);
                let half = points.len() / 2;
                for at in 1..half {
                    let corners = [at - 1, at, points.len() - 1 - at, points.len() - at];
                    let corners =
                        corners.iter().filter_map(|at| points.get(*at)).copied().map(place);
                    painter.add(egui::Shape::convex_polygon(
                        corners.collect(),
                        color,
                        Stroke::NONE,
                    ));
                }
            }
            Shape::Text { at, text, anchor, size, ink } => {
                let anchor = match anchor {
                    Anchor::Start => Align2::LEFT_CENTER,
                    Anchor::Middle => Align2::CENTER_CENTER,
                    Anchor::End => Align2::RIGHT_CENTER,
                };
                let font = FontId { size: (*size as f32 * scale).max(7.0), ..Type::Caption.font() };
                painter.text(place(*at), anchor, text, font, color(tokens, *ink));
            }
        }
    }
}

fn color(tokens: &Tokens, ink: Ink) -> Color32 {
    match ink {
        Ink::Text => tokens.text,
        Ink::Dim => tokens.dim,
        Ink::Grid => tokens.hairline,
        Ink::Series(at) => {
            let [a, b, c, d] = tokens.series;
            let all = [a, b, c, d, tokens.accent, tokens.loss, tokens.warn, tokens.dim];
            pos_of(&all, at)
        }
        Ink::Wash(at) => color(tokens, Ink::Series(at)).gamma_multiply(0.3),
    }
}

fn pos_of(all: &[Color32; 8], at: usize) -> Color32 {
    all[at % all.len()]
}
