//! Above the evidence: how it is laid out, how large, and whether everything is on disk.

use egui::{Align, Align2, Layout, Role, Sense, StrokeKind, Ui, WidgetInfo, vec2};

use super::parts::annotate;
use crate::label::ItemKind;
use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{Button, Look, elided_label_ui, paint_text, rich_text, text_width};
use crate::workbench::views;
use crate::workbench::{AnnotateCommand, EvidenceCommand, EvidenceLayout, Saving};

/// Draws the bar. `scale`: screen points a pixel of the reference, once it is known.
pub(super) fn toolbar_ui(ui: &mut Ui, cx: &ViewContext<'_>, scale: Option<f32>) {
    let tokens = tokens(ui);
    let Some(desk) = &cx.state.annotate.desk else { return };
    let is_wide = ui.available_width() > 560.0;
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.add_space(8.0);
        let is_pair = cx.state.annotate.asked().is_some_and(|(it, _)| it.kind == ItemKind::Pair);
        if is_pair {
            for layout in EvidenceLayout::ALL {
                let (icon, name, tooltip) = match layout {
                    EvidenceLayout::SideBySide => {
                        (icons::SIDE_BY_SIDE, "Side by side", "Both beside the ground truth.")
                    }
                    EvidenceLayout::Swipe => {
                        (icons::SWIPE, "Swipe", "One over the other, with a line to drag.")
                    }
                    EvidenceLayout::Blink => {
                        (icons::BLINK, "Blink", "One after the other in the same place.")
                    }
                };
                let button = if is_wide {
                    Button::text(name).with_icon(icon)
                } else {
                    Button::icon(icon, name)
                };
                let is_on = desk.view.layout == layout;
                let button = button.look(Look::Tool).selected(is_on).tooltip(tooltip);
                if button.show(ui).clicked() {
                    annotate(cx, AnnotateCommand::View(EvidenceCommand::Layout(layout)));
                }
            }
            ui.add_space(6.0);
        }
        // Of a pair both go by one step: one pair of buttons is enough.
        if let Some((step, last)) = views::evidence_panes(cx.state).iter().find_map(|it| it.step) {
            CommandButton::icon(CommandId::EvidenceBack, icons::STEP_BACK).show(ui, cx);
            ui.label(rich_text(format!("Step {step} of {last}"), Type::Body, tokens.text));
            CommandButton::icon(CommandId::EvidenceForward, icons::STEP_FORWARD).show(ui, cx);
            ui.add_space(6.0);
        }
        CommandButton::icon(CommandId::FitEvidence, icons::FIT)
            .selected(desk.view.zoom.is_none())
            .show(ui, cx);
        if views::can_show_difference(cx.state) {
            CommandButton::icon(CommandId::ShowDifference, icons::HEAT)
                .selected(views::shows_difference(cx.state))
                .show(ui, cx);
        }
        if views::can_show_layers(cx.state) {
            CommandButton::icon(CommandId::ShowEvidenceLayers, icons::NODES)
                .selected(views::shows_evidence_layers(cx.state))
                .show(ui, cx);
        }
        if views::has_gold(cx.state) {
            CommandButton::text(CommandId::GoldFollows)
                .short("Gold follows")
                .look(Look::Tool)
                .selected(views::gold_follows(cx.state))
                .show(ui, cx);
        }
        if let Some(scale) = scale {
            let words = format!("{:.0} %", scale * 100.0);
            ui.label(rich_text(words, Type::Body, tokens.dim));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(10.0);
            // From the right: whether all is on disk is what is looked for first.
            if cx.state.annotate.is_blind() {
                if desk.review.is_some() {
                    CommandButton::text(CommandId::RevealNames).look(Look::Tool).show(ui, cx);
                    ui.add_space(4.0);
                }
                blind_ui(ui);
                ui.add_space(8.0);
            }
            saving_ui(ui, &desk.saving);
        });
    });
}

fn saving_ui(ui: &mut Ui, saving: &Saving) {
    let tokens = tokens(ui);
    let (icon, words, ink) = match saving {
        Saving::Done | Saving::GoingOn => (icons::DONE, "Saved".to_owned(), tokens.gain),
        Saving::Writing(_) => (icons::QUEUED, "Saving…".to_owned(), tokens.dim),
        Saving::Failing { why, .. } => (icons::ERROR, format!("Not saved: {why}"), tokens.loss),
    };
    let room = ui.available_width();
    let width = (text_width(ui, &words, Type::Body) + 2.0).min(room - 28.0).max(20.0);
    ui.allocate_ui(vec2(width, size::BUTTON), |ui| {
        ui.centered_and_justified(|ui| elided_label_ui(ui, &words, Type::Body, ink));
    });
    ui.label(rich_text(icon, Type::Icon, ink));
}

/// Names are kept from who looks at the screen.
fn blind_ui(ui: &mut Ui) {
    let tokens = tokens(ui);
    let words = "Blind";
    let width = text_width(ui, words, Type::Caption) + 16.0;
    let (rect, response) = ui.allocate_exact_size(vec2(width, 20.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, words));
    ui.painter().rect(rect, 10, tokens.raised, tokens.line(), StrokeKind::Inside);
    let style = (Type::Caption, tokens.dim);
    paint_text(ui.painter(), rect.center(), Align2::CENTER_CENTER, words, style, width);
    response.on_hover_text("Who made what, scores and costs are kept from this screen.");
}
