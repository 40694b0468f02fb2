//! The steps of each run as small pictures.

use egui::{Align2, Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use super::parts::annotate;
use crate::ui::context::ViewContext;
use crate::ui::stage::Textures;
use crate::ui::theme::{Type, picture_tint, tokens};
use crate::ui::widgets::paint_text;
use crate::workbench::views::{self, EvidenceShown, filmstrip_steps};
use crate::workbench::{AnnotateCommand, EvidenceCommand, EvidencePane, PictureKey};

/// A picture narrower than this says nothing.
const NARROWEST: f32 = 22.0;
const WIDEST: f32 = 46.0;
/// Where the name of a run stands.
const NAME: f32 = 64.0;

/// Draws a filmstrip a run, below each other.
pub(super) fn filmstrips_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    textures: &mut Textures,
    panes: &[EvidenceShown<'_>],
    area: Rect,
) {
    let tokens = tokens(ui);
    ui.painter().rect_filled(area, 0, tokens.panel);
    ui.painter().hline(area.x_range(), area.top(), tokens.line());
    let runs: Vec<&EvidenceShown<'_>> =
        panes.iter().filter(|it| matches!(it.pane, EvidencePane::Run(_))).collect();
    let height = (area.height() - 4.0) / runs.len().max(1) as f32;
    for (at, shown) in runs.into_iter().enumerate() {
        let top = area.top() + 2.0 + at as f32 * height;
        let row = Rect::from_min_size(pos2(area.left(), top), vec2(area.width(), height));
        let name = pos2(row.left() + 12.0, row.center().y);
        let style = (Type::Strong, tokens.text);
        paint_text(ui.painter(), name, Align2::LEFT_CENTER, shown.title, style, NAME);
        // A name before each strip: without it two of them are not told apart.
        let strip = Rect::from_min_max(
            pos2(row.left() + 12.0 + NAME, row.top() + 4.0),
            pos2(row.right() - 12.0, row.bottom() - 4.0),
        );
        film_ui(ui, cx, textures, shown, strip);
    }
}

fn film_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    textures: &mut Textures,
    shown: &EvidenceShown<'_>,
    strip: Rect,
) {
    let (EvidencePane::Run(run), Some((now, last))) = (shown.pane, shown.step) else { return };
    let Some(key) = views::evidence_key(cx.state) else { return };
    let steps: Vec<u32> = filmstrip_steps(last).collect();
    // Where pictures stand too close, every second (third …) is left out.
    let most = (strip.width() / NARROWEST).max(1.0) as usize;
    let stride = steps.len().div_ceil(most).max(1);
    let steps: Vec<u32> = steps.into_iter().step_by(stride).collect();
    let pitch = (strip.width() / steps.len() as f32).min(WIDEST + 4.0);
    let nearest = steps.iter().copied().min_by_key(|step| step.abs_diff(now));
    for (at, step) in steps.into_iter().enumerate() {
        let left = strip.left() + at as f32 * pitch;
        let cell = Rect::from_min_size(
            pos2(left, strip.top()),
            vec2((pitch - 4.0).max(4.0), strip.height()),
        );
        let id = egui::Id::unique(("label_film", run, step));
        let response = ui.interact(cell, id, Sense::click());
        let is_now = nearest == Some(step);
        let told = format!("{}, step {step}", shown.title);
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_now, &told));
        let picture = views::evidence_thumbnail(cx.state, key, run, step);
        picture_ui(ui, textures, picture, cell);
        if is_now {
            let stroke = Stroke::new(2.0, tokens(ui).accent);
            ui.painter().rect_stroke(cell.expand(1.0), 3, stroke, StrokeKind::Outside);
        }
        if response.on_hover_text(format!("Step {step}")).clicked() {
            annotate(cx, AnnotateCommand::View(EvidenceCommand::Step { run, step }));
        }
    }
}

fn picture_ui(
    ui: &Ui,
    textures: &mut Textures,
    picture: Option<(PictureKey, &std::sync::Arc<crate::workbench::StagePicture>)>,
    cell: Rect,
) {
    let tokens = tokens(ui);
    ui.painter().rect_filled(cell, 2, tokens.raised);
    let Some((key, picture)) = picture else { return };
    let (width, height) = (picture.pixels.width() as f32, picture.pixels.height() as f32);
    let shape = (width / height.max(1.0)) / cell.aspect_ratio().max(0.01);
    let uv = if shape <= 1.0 {
        Rect::from_min_size(pos2(0.0, 0.0), vec2(1.0, shape))
    } else {
        Rect::from_min_size(pos2((1.0 - 1.0 / shape) * 0.5, 0.0), vec2(1.0 / shape, 1.0))
    };
    let scale = cell.width() * ui.pixels_per_point() / (uv.width() * width).max(1.0);
    let texture = textures.picture(ui.ctx(), &key, picture, scale.min(1.9));
    ui.painter().image(texture, cell, uv, picture_tint(1.0));
    ui.painter().rect_stroke(cell, 1, tokens.line(), StrokeKind::Outside);
}
