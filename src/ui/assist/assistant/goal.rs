//! What is to come of the design, and how far it is.

use std::sync::Arc;

use egui::{
    Align, Frame, Label, Layout, Margin, Rect, Role, Sense, TextureHandle, TextureOptions, Ui,
    WidgetInfo, pos2, vec2,
};

use super::parts::NARROW;
use crate::ui::stage::reduced;
use crate::ui::theme::{Type, picture_tint, size, tokens};
use crate::ui::widgets::{elided_label_ui, rich_text, say_picture, text_width};
use crate::workbench::{AssistDesk, DesignPicture, DesignStanding};

/// The picture across, and its height at most.
const PICTURE: [f32; 2] = [80.0, 168.0];
/// Most letters of the instruction that are shown at once; the rest on hover.
const MOST_LETTERS: usize = 180;

/// The goal's texture, and of which picture it is.
#[derive(Default)]
pub(super) struct GoalPicture {
    shown: Option<(Arc<DesignPicture>, TextureHandle)>,
}

impl std::fmt::Debug for GoalPicture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GoalPicture").field("is_shown", &self.shown.is_some()).finish()
    }
}

impl GoalPicture {
    /// Draws the part.
    pub(super) fn show(&mut self, ui: &mut Ui, desk: &AssistDesk) {
        Frame::new().inner_margin(Margin::symmetric(12, 10)).show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = 12.0;
                self.picture_ui(ui, desk);
                ui.vertical(|ui| words_ui(ui, desk));
            });
        });
    }

    fn picture_ui(&mut self, ui: &mut Ui, desk: &AssistDesk) {
        let Some(picture) = &desk.assistant.goal_picture else { return };
        let of = vec2(picture.pixels.width() as f32, picture.pixels.height() as f32);
        let [across, most] = PICTURE;
        let scale = |across: f32| (across / of.x.max(1.0)).min(most / of.y.max(1.0));
        let is_shown = self.shown.as_ref().is_some_and(|(of, _)| Arc::ptr_eq(of, picture));
        if !is_shown {
            let image = reduced(&picture.pixels, scale(across) * ui.ctx().pixels_per_point());
            let texture = ui.ctx().load_texture("goal", image, TextureOptions::LINEAR);
            self.shown = Some((Arc::clone(picture), texture));
        }
        let Some((_, texture)) = &self.shown else { return };
        let across = if ui.available_width() < NARROW { across * 0.7 } else { across };
        let (rect, response) = ui.allocate_exact_size(of * scale(across), Sense::hover());
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        ui.painter().image(texture.id(), rect, whole, picture_tint(1.0));
        let outline = egui::StrokeKind::Outside;
        ui.painter().rect_stroke(rect, 0, tokens(ui).line(), outline);
        say_picture(ui, response.id.with("picture"), rect, "Picture of the goal");
    }
}

fn words_ui(ui: &mut Ui, desk: &AssistDesk) {
    let tokens = tokens(ui);
    ui.horizontal(|ui| {
        let title = if desk.brief.is_some() { "Brief" } else { "Goal" };
        ui.label(rich_text(title, Type::Strong, tokens.text));
        let screen = desk.goal.as_ref().and_then(|goal| goal.shown().main_frame());
        if let Some(screen) = screen {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let words = format!("{:.0} × {:.0}", screen.size.width, screen.size.height);
                ui.label(rich_text(words, Type::Caption, tokens.dim));
            });
        }
    });
    let instruction = desk.instruction.as_deref().unwrap_or(match desk.goal {
        Some(_) => "Make the design look like the picture.",
        None => "No goal is known: the assistant looks for what is amiss in any design.",
    });
    let mut shown: String = instruction.chars().take(MOST_LETTERS).collect();
    let is_cut = shown.len() < instruction.len();
    if is_cut {
        shown.push('…');
    }
    let label = ui.add(Label::new(rich_text(shown, Type::Body, tokens.dim)).wrap());
    if is_cut {
        label.on_hover_text(instruction);
    }
    ui.add_space(6.0);
    standing_ui(ui, desk);
}

/// How many layers match, or how much is amiss.
fn standing_ui(ui: &mut Ui, desk: &AssistDesk) {
    let tokens = tokens(ui);
    let Some((step, standing)) = &desk.assistant.standing else {
        ui.label(rich_text("Comparing…", Type::Caption, tokens.dim));
        return;
    };
    let is_old = *step != desk.editor.steps();
    let ink = if is_old { tokens.dim } else { tokens.text };
    match (standing.layers, standing.standing) {
        (Some([matching, all]), _) => {
            let count = format!("{matching} of {all}");
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                // The count stays whole: where there is no room the words before it are shorter.
                let room = ui.available_width() - text_width(ui, &count, Type::Strong) - 6.0;
                let long = "Layers that match";
                let fits = text_width(ui, long, Type::Body) <= room;
                ui.scope(|ui| {
                    ui.set_max_width(room.max(0.0));
                    let words = if fits { long } else { "Matching" };
                    elided_label_ui(ui, words, Type::Body, tokens.dim);
                });
                ui.label(rich_text(count, Type::Strong, ink));
            });
            bar_ui(ui, matching as f32 / all.max(1) as f32);
        }
        (None, DesignStanding::Flaws(count)) => {
            let words = match count {
                0 => "Nothing amiss".to_owned(),
                1 => "1 thing is amiss".to_owned(),
                many => format!("{many} things are amiss"),
            };
            ui.label(rich_text(words, Type::Body, ink));
        }
        (None, DesignStanding::Distance(_)) => {}
    }
}

fn bar_ui(ui: &mut Ui, share: f32) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 8.0), Sense::hover());
    response.widget_info(|| {
        WidgetInfo::labeled(Role::ProgressIndicator, true, "Share of the layers that match")
    });
    let tokens = tokens(ui);
    let rail = Rect::from_center_size(rect.center(), vec2(rect.width(), 4.0));
    ui.painter().rect_filled(rail, 2, tokens.hairline);
    let bar = Rect::from_min_size(rail.min, vec2(rail.width() * share.clamp(0.0, 1.0), 4.0));
    if bar.width() >= 1.0 {
        ui.painter().rect_filled(bar, size::RADIUS_SMALL / 2, tokens.gain);
    }
}
