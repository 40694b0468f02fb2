//! What the colours of the heat mean, below the pictures: which map it is of, how much of it is seen and how
//! strongly.

use egui::{Align, Align2, Color32, Layout, Rect, Sense, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use super::view_bar::against_choices_ui;
use crate::base::ColorMap;
use crate::metric::MapKind;
use crate::metric::saliency::Saliency;
use crate::ui::commands::{CommandId, command};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{
    Button, Look, add_stable, chosen_look, paint_text, rich_text, score_words, text_width,
};
use crate::workbench::views::{Heat, SaliencyHeat};
use crate::workbench::{Command, ScoresCommand, StageCommand, StagePane, views};

/// Draws the legend: what the colours mean, and the threshold to be dragged on them.
pub(super) fn legend_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let tokens = tokens(ui);
    let threshold = cx.state.stage.heat_threshold;
    let words = format!("threshold {threshold:.2}");
    let style = (Type::Caption, tokens.dim);
    let (ramp, gap) = (120.0, 8.0);
    let (first, last) = end_words(&views::heat(cx.state));
    let ends = (text_width(ui, first, Type::Caption), text_width(ui, &last, Type::Caption));
    let overlay_width = 150.0;
    let threshold_width = 84.0;
    let menu_width = 30.0;
    let row = ends.0 + gap + ramp + gap + ends.1 + 2.0 * gap + threshold_width + overlay_width;
    let all = row + menu_width;
    let area = ui.available_rect_before_wrap();
    let mut x = (area.center().x - all * 0.5).max(area.left() + 12.0);
    let y = area.center().y - 2.0;
    heat_menu_ui(ui, cx, Rect::from_min_size(pos2(x, y - 12.0), vec2(menu_width, 24.0)));
    x += menu_width;
    paint_text(ui.painter(), pos2(x, y), Align2::LEFT_CENTER, first, style, 80.0);
    x += ends.0 + gap;
    ramp_ui(ui, cx, Rect::from_min_size(pos2(x, y - 4.0), vec2(ramp, 8.0)));
    x += ramp + gap;
    paint_text(ui.painter(), pos2(x, y), Align2::LEFT_CENTER, &last, style, 90.0);
    x += ends.1 + 2.0 * gap;
    paint_text(ui.painter(), pos2(x, y), Align2::LEFT_CENTER, &words, style, 120.0);
    x += threshold_width + gap;
    // Over the run it can only lie where the run is shown; in a narrow stage it makes way first.
    let shows_run = views::panes(cx.state).contains(&StagePane::Run);
    if x + overlay_width < area.right() && shows_run {
        let room = Rect::from_min_size(pos2(x, y - 12.0), vec2(overlay_width, 24.0));
        opacity_ui(ui, cx, room);
    }
}

/// What stands at both ends of the colours.
fn end_words(heat: &Heat<'_>) -> (&'static str, String) {
    match (heat.is_saliency(), heat.kind) {
        (true, MapKind::Difference) => ("−1 truth", "run +1".to_owned()),
        (true, MapKind::Generated | MapKind::GroundTruth) => ("0", "1 salient".to_owned()),
        (false, _) => match heat.slot_name() {
            Some(slot) => ("same", format!("unlike {slot}")),
            None => ("same", "different".to_owned()),
        },
    }
}

/// Which map the heat shows, and in which colours.
fn heat_menu_ui(ui: &mut Ui, cx: &ViewContext<'_>, room: Rect) {
    let builder =
        egui::UiBuilder::new().max_rect(room).layout(Layout::left_to_right(Align::Center));
    ui.scope_builder(builder, |ui| {
        let button = Button::icon(icons::MORE, "Heat")
            .look(Look::Tool)
            .tooltip("Which metric the heat shows, and in which colours.")
            .height(22.0)
            .compact()
            .show(ui);
        egui::Popup::menu(&button).show(|ui| {
            ui.set_min_width(220.0);
            chosen_look(ui);
            let shown = cx.state.heat_variant().map(|variant| &variant.id);
            let metrics = cx.state.variants.iter().filter(|it| it.map_range.is_some());
            for variant in metrics.filter(|variant| !Saliency::has(variant)) {
                let words = format!("{} · {}", variant.label, variant.variant_label);
                if ui.selectable_label(shown == Some(&variant.id), words).clicked() {
                    let choose = ScoresCommand::Choose(variant.id.clone());
                    cx.send(Command::Scores(choose));
                }
            }
            if !cx.state.stage.slots.is_empty() {
                ui.separator();
                ui.label(rich_text("Against", Type::Caption, tokens(ui).dim));
                against_choices_ui(ui, cx);
            }
            ui.separator();
            let heats = views::saliency_heats(cx.state);
            if heats.is_empty() {
                let why = views::why_no_saliency(cx.state, MapKind::Generated).unwrap_or_default();
                ui.add_enabled(false, egui::Button::selectable(false, why));
            }
            let mut reasons: Vec<&str> = Vec::new();
            for heat in heats {
                saliency_item_ui(ui, cx, heat);
                reasons.extend(heat.why_not.filter(|why| !reasons.contains(why)));
            }
            for why in reasons {
                ui.label(rich_text(why, Type::Caption, tokens(ui).dim));
            }
            ui.separator();
            for colors in ColorMap::ALL {
                let is_on = cx.state.settings.heat_colors == colors;
                if ui.selectable_label(is_on, colors.name()).clicked() {
                    cx.send(Command::Stage(StageCommand::HeatColors(colors)));
                }
            }
        });
    });
}

/// A heat of saliency in the menu.
fn saliency_item_ui(ui: &mut Ui, cx: &ViewContext<'_>, heat: SaliencyHeat<'_>) {
    let words = format!("{} · {}", views::saliency_name(heat.kind), heat.variant.variant_label);
    let id = match heat.kind {
        MapKind::Generated => CommandId::ShowSaliency,
        MapKind::GroundTruth => CommandId::ShowTruthSaliency,
        MapKind::Difference => CommandId::ShowSaliencyDifference,
    };
    // The key shows the heat of the predictor that is shown, or of the first.
    let keyed = cx.state.saliency_variant().map(|variant| &variant.variant_label);
    let key = command(id).key(ui, cx.state).filter(|_| keyed == Some(&heat.variant.variant_label));
    let item = egui::Button::selectable(heat.is_shown, words);
    let item = item.shortcut_text(key.unwrap_or_default());
    if ui.add_enabled(heat.why_not.is_none(), item).clicked() {
        let show = ScoresCommand::ShowMap(heat.variant.id.clone(), heat.kind);
        cx.send(Command::Scores(show));
    }
}

/// The colours of heat as a slider: what lies between the handle and nothing is not shown. Nothing is at the left
/// end, or in the middle of colours of both signs, which have a handle at each side.
fn ramp_ui(ui: &Ui, cx: &ViewContext<'_>, rect: Rect) {
    let tokens = tokens(ui);
    let threshold = cx.state.stage.heat_threshold.clamp(0.0, 1.0);
    let response = ui.interact(
        rect.expand2(vec2(6.0, 8.0)),
        ui.make_persistent_id("heat_threshold"),
        Sense::click_and_drag(),
    );
    response.widget_info(|| WidgetInfo::slider(true, f64::from(threshold), "Heat threshold"));
    let palette = views::heat(cx.state).palette;
    let (ramp, neutral) = (palette.ramp(), palette.neutral());
    let nothing = rect.left() + rect.width() * neutral;
    let reach = rect.width() * (1.0 - neutral);
    let hidden = reach * threshold;
    let mut mesh = egui::Mesh::default();
    // A column a point: the ramp is no straight line between two colours.
    for column in 0..rect.width() as u32 {
        let x = rect.left() + column as f32;
        let shade = (column as f32 / rect.width() * (ramp.len() - 1) as f32).round() as usize;
        let [r, g, b] = ramp[shade.min(ramp.len() - 1)];
        let is_hidden = (x - nothing).abs() < hidden;
        let color = if is_hidden { tokens.heat_ground } else { Color32::from_rgb(r, g, b) };
        mesh.add_colored_rect(Rect::from_min_size(pos2(x, rect.top()), vec2(1.0, 8.0)), color);
    }
    ui.painter().add(mesh);
    ui.painter().rect_stroke(rect, 2, tokens.line(), StrokeKind::Outside);
    let mirrored = (neutral > 0.0).then_some(nothing - hidden);
    for handle in mirrored.into_iter().chain([nothing + hidden]) {
        let grip = Rect::from_center_size(pos2(handle, rect.center().y), vec2(5.0, 14.0));
        let outline = egui::Stroke::new(1.0, tokens.stage);
        ui.painter().rect(grip, 2, tokens.text, outline, StrokeKind::Outside);
    }
    if let Some(pos) = response.interact_pointer_pos() {
        // Left of where nothing is there is nothing to hide, unless the colours go on there.
        let away = pos.x - nothing;
        let away = if neutral > 0.0 { away.abs() } else { away };
        let value = (away / reach).clamp(0.0, 1.0);
        // To hundredths, as it is shown: else each point of dragging would colour the map anew.
        let value = (value * 100.0).round() / 100.0;
        cx.send(Command::Stage(StageCommand::HeatThreshold(value)));
    }
    response.on_hover_cursor(egui::CursorIcon::ResizeHorizontal).on_hover_text(threshold_words(cx));
}

/// What the threshold means in the values of the map that is shown.
fn threshold_words(cx: &ViewContext<'_>) -> String {
    let heat = views::heat(cx.state);
    let Some(variant) = heat.variant else {
        return "Drag: differences below this are not shown.".to_owned();
    };
    let value = score_words(heat.scale.value_at(cx.state.stage.heat_threshold));
    if heat.is_saliency() {
        return saliency_words(&heat, &value);
    }
    // Metrics that count likeness fall where there is a difference.
    let side = if heat.scale.same > heat.scale.different { "above" } else { "below" };
    format!(
        "Drag: small differences are not shown, where {} is {side} {value}. The colours run from {} to {}.",
        variant.label,
        score_words(heat.scale.same),
        score_words(heat.scale.different)
    )
}

/// What a heat of saliency says: its values have no unit, and each map has a most salient place of its own.
fn saliency_words(heat: &Heat<'_>, threshold: &str) -> String {
    match heat.kind {
        MapKind::Difference => format!(
            "Drag: differences of less than {threshold} are not shown. The colours run from −1, where only the \
             ground truth is looked at, over 0 to +1, where only the run is."
        ),
        MapKind::Generated | MapKind::GroundTruth => format!(
            "Drag: saliency below {threshold} is not shown. The colours run from 0, the least salient place of \
             the picture, to 1, the most salient."
        ),
    }
}

fn opacity_ui(ui: &mut Ui, cx: &ViewContext<'_>, room: Rect) {
    let mut opacity = cx.state.stage.heat_opacity;
    let builder =
        egui::UiBuilder::new().max_rect(room).layout(Layout::left_to_right(Align::Center));
    ui.scope_builder(builder, |ui| {
        ui.spacing_mut().slider_width = 64.0;
        ui.spacing_mut().interact_size.y = 16.0;
        let words = egui::RichText::new("Overlay on run").font(Type::Caption.font());
        let label = ui.label(words.color(tokens(ui).dim));
        let slider = egui::Slider::new(&mut opacity, 0.0..=1.0).show_value(false);
        let response = add_stable(ui, slider)
            .labelled_by(label.id)
            .on_hover_text("How strongly the heat is drawn over the run's picture.");
        if response.changed() {
            cx.send(Command::Stage(StageCommand::HeatOpacity(opacity)));
        }
    });
}
