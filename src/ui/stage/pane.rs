//! One picture of the stage with its title.

use egui::{Align2, Color32, Rect, StrokeKind, Ui, pos2, vec2};

use super::compositing::{Room, Shades};
use super::drawing::Drawing;
use super::geometry::PaneBox;
use super::overlaid::overlaid_ui;
use super::picture::picture_ui;
use super::shown::{ShownPanes, is_compared, is_held};
use super::title::title_ui;
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Tokens, Type, picture_tint, tokens};
use crate::ui::widgets::{paint_text, say, sentence, text_width};
use crate::workbench::StagePane;
use crate::workbench::views::{Heat, PaneStatus};

/// Draws one pane.
pub(super) fn pane_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    drawing: &mut Drawing,
    pane: &PaneBox<StagePane>,
    shown: &ShownPanes<'_>,
    scale: f32,
) {
    title_ui(ui, cx, pane, shown);
    let tokens = tokens(ui);
    // A little beyond the pane, or its shadow would be cut off.
    let painter = ui.painter().with_clip_rect(pane.visible.expand(24.0).intersect(ui.clip_rect()));
    painter.add(tokens.picture_shadow().as_shape(pane.visible, 2));
    painter.rect(pane.visible, 0, ground(tokens, pane), tokens.line(), StrokeKind::Outside);
    match pane.pane {
        which if is_held(cx, which) && shown.ground_truth.picture.is_some() => {
            picture_ui(ui, &mut drawing.textures, pane, &shown.ground_truth, scale);
        }
        which @ (StagePane::Run | StagePane::Branch | StagePane::Program(_)) => {
            picture_ui(ui, &mut drawing.textures, pane, shown.pane(which), scale);
            // A map is of the compared document; over another one it would lie on the wrong shapes.
            let opacity = cx.state.stage.heat_opacity;
            if opacity > 0.0 && is_compared(cx, which) {
                heat_ui(ui, cx, drawing, pane, &shown.heat, opacity);
            }
        }
        StagePane::Overlaid => overlaid_ui(ui, cx, drawing, pane, shown),
        which @ (StagePane::GroundTruth | StagePane::Slot(_)) => {
            picture_ui(ui, &mut drawing.textures, pane, shown.pane(which), scale);
        }
        StagePane::Heat => heat_ui(ui, cx, drawing, pane, &shown.heat, 1.0),
    }
    status_ui(ui, pane, shown);
}

fn ground(tokens: &Tokens, pane: &PaneBox<StagePane>) -> Color32 {
    if pane.pane.facts().is_map { tokens.heat_ground } else { tokens.panel }
}

fn heat_ui(
    ui: &Ui,
    cx: &ViewContext<'_>,
    drawing: &mut Drawing,
    pane: &PaneBox<StagePane>,
    heat: &Heat<'_>,
    opacity: f32,
) {
    let (Some(map), Some(key)) = (heat.map, &heat.key) else { return };
    let painter = ui.painter().with_clip_rect(pane.visible.intersect(ui.clip_rect()));
    let number = drawing.first_draw
        + match pane.pane {
            StagePane::Program(at) => 2 + u64::from(at),
            StagePane::Heat => 1,
            _ => 0,
        };
    let room = Room { number, visible: painter.clip_rect(), picture: pane.picture };
    let shades =
        Shades { threshold: cx.state.stage.heat_threshold, opacity, palette: heat.palette };
    drawing.compositing.heat_ui(&painter, room, (key, map, heat.scale), shades);
}

/// Over a picture that is on its way, or in place of one that cannot be had.
fn status_ui(ui: &Ui, pane: &PaneBox<StagePane>, shown: &ShownPanes<'_>) {
    let (status, has_picture) = match pane.pane {
        StagePane::Heat => (shown.heat.status, shown.heat.map.is_some()),
        // Of the two, the one that is not there yet.
        StagePane::Overlaid if shown.run.status == PaneStatus::Current => {
            let against = shown.pane(shown.against);
            (against.status, against.picture.is_some())
        }
        which => (shown.pane(which).status, shown.pane(which).picture.is_some()),
    };
    let dark_ground = pane.pane.facts().is_map;
    match status {
        PaneStatus::Current => {}
        // The one before stays until the next is there: an empty pane would flicker while steps are
        // played.
        PaneStatus::Loading if has_picture => badge_ui(ui, pane, "loading…"),
        PaneStatus::Loading => {
            let words = match pane.pane {
                StagePane::Heat if shown.heat.is_saliency() => "Being predicted…",
                StagePane::Heat => "Being compared…",
                _ => "Picture loading…",
            };
            message_ui(ui, pane, icons::PICTURE, "", words, dark_ground);
        }
        PaneStatus::Failed(why) => {
            message_ui(ui, pane, icons::PICTURE_BROKEN, "Cannot be drawn", why, dark_ground);
        }
        PaneStatus::Nothing(why) => {
            message_ui(ui, pane, icons::PICTURE, "", &sentence(why), dark_ground);
        }
        PaneStatus::Asked(words) => asked_ui(ui, pane, words),
    }
}

fn badge_ui(ui: &Ui, pane: &PaneBox<StagePane>, words: &str) {
    let tokens = tokens(ui);
    let width = text_width(ui, words, Type::Caption) + 16.0;
    let rect = Rect::from_min_size(pane.visible.min + vec2(8.0, 8.0), vec2(width, 20.0));
    ui.painter().rect(rect, 10, tokens.overlay, tokens.line(), StrokeKind::Outside);
    let style = (Type::Caption, tokens.dim);
    paint_text(ui.painter(), rect.center(), Align2::CENTER_CENTER, words, style, width);
}

/// What the task asks for, where a picture of it would be.
fn asked_ui(ui: &Ui, pane: &PaneBox<StagePane>, words: &str) {
    /// Height of a line.
    const LINE: f32 = 18.0;
    let tokens = tokens(ui);
    let page = pane.visible.shrink(16.0);
    let mut job = egui::text::LayoutJob::simple(
        words.to_owned(),
        Type::Body.font(),
        tokens.text,
        page.width().max(20.0),
    );
    // Whatever does not fit is in the Inspector, and read out.
    job.wrap.max_rows = ((page.height() / LINE) as usize).max(1);
    job.sections.iter_mut().for_each(|section| section.format.line_height = Some(LINE));
    let painter = ui.painter().with_clip_rect(pane.visible.intersect(ui.clip_rect()));
    painter.galley(page.min, painter.layout_job(job), tokens.text);
    say(ui, ("stage_message", pane.pane), pane.visible, words);
}

fn message_ui(
    ui: &Ui,
    pane: &PaneBox<StagePane>,
    icon: &str,
    title: &str,
    words: &str,
    dark_ground: bool,
) {
    let tokens = tokens(ui);
    let (strong, quiet) = if dark_ground {
        (picture_tint(0.85), picture_tint(0.6))
    } else {
        (tokens.text, tokens.dim)
    };
    let room = (pane.visible.width() - 24.0).max(20.0);
    let painter = ui.painter().with_clip_rect(pane.visible.intersect(ui.clip_rect()));
    let parts =
        [(icon, Type::IconLarge, quiet), (title, Type::Strong, strong), (words, Type::Body, quiet)];
    // Laid out before anything is painted, as the middle of all three is that of the pane.
    let parts = parts.map(|(text, font, color)| {
        let mut job = egui::text::LayoutJob::simple(text.to_owned(), font.font(), color, room);
        job.halign = egui::Align::Center;
        job.wrap.max_rows = 6;
        painter.layout_job(job)
    });
    let height: f32 = parts.iter().map(|galley| galley.size().y + 6.0).sum();
    let mut at = pos2(pane.visible.center().x, pane.visible.center().y - height * 0.5);
    for galley in parts.into_iter().filter(|galley| !galley.is_empty()) {
        let step = galley.size().y + 6.0;
        painter.galley(at, galley, quiet);
        at.y += step;
    }
    say(ui, ("stage_message", pane.pane), pane.visible, &format!("{title} {words}"));
}
