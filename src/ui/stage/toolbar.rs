//! The buttons above the pictures, and the heat's legend below them.

use egui::{Align, Align2, Color32, Layout, Rect, Sense, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use super::view_bar;
use crate::base::ColorMap;
use crate::ui::commands::{CommandButton, CommandId, command};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Button, Look, paint_text, score_words, text_width};
use crate::workbench::{Command, ScoresCommand, StageCommand, StagePane, views};

/// From which width of the stage on the buttons of the views have words.
const WITH_VIEW_WORDS: f32 = 760.0;
/// And all others.
const WITH_WORDS: f32 = 1020.0;

/// Draws the buttons. `scale`: points a pixel of the ground truth.
pub(super) fn toolbar_ui(ui: &mut Ui, cx: &ViewContext<'_>, scale: f32) {
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.add_space(8.0);
        let width = ui.available_width();
        view_bar::views_ui(ui, cx, width > WITH_VIEW_WORDS);
        ui.add_space(6.0);
        let roomy = width > WITH_WORDS;
        let shown = views::panes(cx.state);
        // Where it lies over the run, it has no pane of its own.
        let overlaid = shown.contains(&StagePane::Overlaid).then(|| views::against_pane(cx.state));
        for (pane, id, icon, words) in [
            (StagePane::Run, CommandId::ShowRun, icons::RUN, "Run"),
            (
                StagePane::GroundTruth,
                CommandId::ShowGroundTruth,
                icons::GROUND_TRUTH,
                "Ground truth",
            ),
            (StagePane::Heat, CommandId::ShowHeat, icons::HEAT, "Heat"),
        ] {
            let button = CommandButton::icon(id, icon);
            // The state keeps the pane for the next task, though this one may have nothing for it.
            let is_on = cx.state.stage.panes.contains(&pane)
                && (pane == StagePane::Run || shown.contains(&pane) || overlaid == Some(pane));
            let button = button.selected(is_on);
            let is_asked = pane == StagePane::GroundTruth && cx.state.asks_in_words();
            let words = if is_asked { "Asked for" } else { words };
            if roomy { button.short(words) } else { button }.show(ui, cx);
        }
        let boxes = CommandButton::icon(CommandId::ShowBoxes, icons::BOXES);
        let boxes = boxes.selected(cx.state.stage.boxes);
        if roomy { boxes.short("Boxes") } else { boxes }.show(ui, cx);
        view_bar::slots_menu_ui(ui, cx);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            ui.add_space(8.0);
            zoom_ui(ui, cx, scale);
        });
    });
}

/// Fit, the zoom with its menu, and one step in and out; from the right.
fn zoom_ui(ui: &mut Ui, cx: &ViewContext<'_>, scale: f32) {
    let fitted = cx.state.stage.zoom.is_none();
    CommandButton::icon(CommandId::Fit, icons::FIT).selected(fitted).show(ui, cx);
    let words = percent(scale);
    let name = format!("Zoom {words}");
    let menu = Button::text(&words)
        .named(&name)
        .look(Look::Tool)
        .tooltip("Screen points a pixel of the ground truth. Click for fixed zooms.")
        .show(ui);
    egui::Popup::menu(&menu).show(|ui| {
        ui.set_min_width(150.0);
        for (id, zoom) in [
            (CommandId::Fit, "Fit"),
            (CommandId::ActualSize, "100 %"),
            (CommandId::Zoom2, "200 %"),
            (CommandId::Zoom4, "400 %"),
            (CommandId::Zoom8, "800 %"),
        ] {
            let key = command(id).key(ui, cx.state).unwrap_or_default();
            if ui.add(egui::Button::new(zoom).shortcut_text(key)).clicked() {
                CommandButton::text(id).press(cx);
            }
        }
        // The fixed zooms above have keys; these are only here.
        for zoom in [0.25, 0.5] {
            if ui.button(percent(zoom)).clicked() {
                cx.send(Command::Stage(StageCommand::Zoom(zoom)));
            }
        }
    });
}

fn percent(scale: f32) -> String {
    let percent = scale * 100.0;
    if percent < 9.95 { format!("{percent:.1} %") } else { format!("{percent:.0} %") }
}

/// Draws the legend: what the colours mean, and the threshold to be dragged on them.
pub(super) fn legend_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let tokens = tokens(ui);
    let threshold = cx.state.stage.heat_threshold;
    let words = format!("threshold {threshold:.2}");
    let style = (Type::Caption, tokens.dim);
    let (ramp, gap) = (120.0, 8.0);
    let ends = (text_width(ui, "same", Type::Caption), text_width(ui, "different", Type::Caption));
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
    paint_text(ui.painter(), pos2(x, y), Align2::LEFT_CENTER, "same", style, 60.0);
    x += ends.0 + gap;
    ramp_ui(ui, cx, Rect::from_min_size(pos2(x, y - 4.0), vec2(ramp, 8.0)));
    x += ramp + gap;
    paint_text(ui.painter(), pos2(x, y), Align2::LEFT_CENTER, "different", style, 80.0);
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
            let shown = cx.state.heat_variant().map(|variant| &variant.id);
            for variant in cx.state.variants.iter().filter(|it| it.map_range.is_some()) {
                let words = format!("{} · {}", variant.label, variant.variant_label);
                if ui.selectable_label(shown == Some(&variant.id), words).clicked() {
                    let choose = ScoresCommand::Choose(variant.id.clone());
                    cx.send(Command::Scores(choose));
                }
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

/// The colours of heat as a slider: what lies left of the handle is not shown.
fn ramp_ui(ui: &Ui, cx: &ViewContext<'_>, rect: Rect) {
    let tokens = tokens(ui);
    let threshold = cx.state.stage.heat_threshold.clamp(0.0, 1.0);
    let response = ui.interact(
        rect.expand2(vec2(6.0, 8.0)),
        ui.make_persistent_id("heat_threshold"),
        Sense::click_and_drag(),
    );
    response.widget_info(|| WidgetInfo::slider(true, f64::from(threshold), "Heat threshold"));
    let handle = rect.left() + rect.width() * threshold;
    let mut mesh = egui::Mesh::default();
    let ramp = cx.state.settings.heat_colors.ramp();
    // A column a point: the ramp is no straight line between two colours.
    for column in 0..rect.width() as u32 {
        let x = rect.left() + column as f32;
        let shade = (column as f32 / rect.width() * (ramp.len() - 1) as f32).round() as usize;
        let [r, g, b] = ramp[shade.min(ramp.len() - 1)];
        let color = if x < handle { tokens.heat_ground } else { Color32::from_rgb(r, g, b) };
        mesh.add_colored_rect(Rect::from_min_size(pos2(x, rect.top()), vec2(1.0, 8.0)), color);
    }
    ui.painter().add(mesh);
    ui.painter().rect_stroke(rect, 2, tokens.line(), StrokeKind::Outside);
    let grip = Rect::from_center_size(pos2(handle, rect.center().y), vec2(5.0, 14.0));
    let outline = egui::Stroke::new(1.0, tokens.stage);
    ui.painter().rect(grip, 2, tokens.text, outline, StrokeKind::Outside);
    if let Some(pos) = response.interact_pointer_pos() {
        let value = ((pos.x - rect.left()) / rect.width()).clamp(0.0, 1.0);
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
    // Metrics that count likeness fall where there is a difference.
    let side = if heat.scale.same > heat.scale.different { "above" } else { "below" };
    format!(
        "Drag: small differences are not shown, where {} is {side} {value}. The colours run from {} to {}.",
        variant.label,
        score_words(heat.scale.same),
        score_words(heat.scale.different)
    )
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
        let response = ui
            .add(slider)
            .labelled_by(label.id)
            .on_hover_text("How strongly the heat is drawn over the run's picture.");
        if response.changed() {
            cx.send(Command::Stage(StageCommand::HeatOpacity(opacity)));
        }
    });
}
