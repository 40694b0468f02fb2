//! Rows and fields of the dialog.

use std::path::{Path, PathBuf};

use egui::{Align, DragValue, Id, Label, Layout, RichText, Ui};

use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::path_field::path_field_ui;
use crate::ui::theme::tokens;
use crate::ui::widgets::{Button, Look, add_stable, caption_row_ui, tick_look};
use crate::workbench::{Browse, Command, LaunchEdit};

/// An amount of which there is none until it is set; what is set can be taken back.
pub(super) fn optional_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    field: &OptionalField<'_>,
    value: Option<f64>,
    edit: impl FnOnce(Option<f64>) -> LaunchEdit,
) {
    let OptionalField { name, unit, tooltip, first, speed, decimals } = *field;
    let tokens = tokens(ui);
    // Edited beside the value, so that a tick and a drag in one frame are one change.
    let mut new = value;
    let response = ui
        .horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            tick_look(ui);
            let mut is_on = value.is_some();
            if ui.checkbox(&mut is_on, RichText::new(name).color(tokens.dim)).changed() {
                new = is_on.then_some(first);
            }
            // By the value of before: the field appears a frame after its tick, with the amount the
            // state took.
            if let Some(amount) = value {
                let mut amount = amount;
                let drag = DragValue::new(&mut amount)
                    .range(0.01..=1e9)
                    .speed(speed)
                    .max_decimals(decimals);
                let drag = add_stable(ui, drag).accessible_name(format!("{name}, in {unit}"));
                if drag.changed() {
                    new = Some(amount);
                }
                ui.label(RichText::new(unit).color(tokens.dim));
            }
        })
        .response;
    response.on_hover_text(tooltip);
    if new != value {
        cx.send(Command::EditLaunch(edit(new)));
    }
    ui.add_space(4.0);
}

/// An amount that may be set.
#[derive(Clone, Copy, Debug)]
pub(super) struct OptionalField<'a> {
    /// What it is called.
    pub(super) name: &'a str,
    /// In what it is counted.
    pub(super) unit: &'a str,
    /// What it does.
    pub(super) tooltip: &'a str,
    /// What it is when it is set.
    pub(super) first: f64,
    /// By how much it changes with a point of dragging.
    pub(super) speed: f64,
    /// Digits after the point.
    pub(super) decimals: usize,
}

/// A whole number with words around it.
pub(super) fn number_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    (before, after): (&str, &str),
    value: u32,
    range: std::ops::RangeInclusive<u32>,
    edit: impl FnOnce(u32) -> LaunchEdit,
) {
    caption_row_ui(ui, |ui| {
        label_ui(ui, before);
        let mut value = value;
        let name = format!("{before} so many {after}");
        let field = DragValue::new(&mut value).range(range).speed(0.2);
        let response = add_stable(ui, field).accessible_name(name);
        ui.label(RichText::new(after).color(tokens(ui).dim));
        if response.changed() {
            cx.send(Command::EditLaunch(edit(value)));
        }
    });
    ui.add_space(4.0);
}

/// A label that all fields of a column stand beside.
pub(super) fn label_ui(ui: &mut Ui, words: &str) {
    // A label has the width of its words; fields below each other begin at one line all the same.
    let before = ui.cursor().left();
    ui.label(RichText::new(words).color(tokens(ui).dim));
    ui.add_space((before + 56.0 - ui.cursor().left()).max(0.0));
}

/// Words over as many lines as they take, with their spaces as they are: columns justify else.
pub(super) fn wrapped_ui(ui: &mut Ui, words: RichText) {
    ui.vertical(|ui| ui.add(Label::new(words).wrap()));
}

/// Whether a launch needs what is to be chosen.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    Needed,
    Optional,
}

/// A path that is chosen.
pub(super) struct PathField<'a> {
    /// What stands before it.
    pub(super) label: &'a str,
    /// What its button does.
    pub(super) choose: &'a str,
    /// Whether a launch needs it.
    pub(super) need: Need,
    /// The dialog that chooses it.
    pub(super) browse: Browse,
    /// What takes it back, and what that is called; `None`: nothing does.
    pub(super) clear: Option<(&'a str, LaunchEdit)>,
    /// What typing does.
    pub(super) edit: fn(String) -> LaunchEdit,
}

/// A path as it was typed; none if nothing was.
pub(super) fn typed(path: String) -> Option<PathBuf> {
    (!path.is_empty()).then(|| PathBuf::from(path))
}

/// A path, and buttons to choose it and to take it back.
pub(super) fn path_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    path: Option<&Path>,
    field: PathField<'_>,
) {
    let PathField { label, choose, need, browse, clear, edit } = field;
    caption_row_ui(ui, |ui| {
        label_ui(ui, label);
        // Buttons first, from the right, so that the path gets the room they leave.
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let button = Button::text("Choose…").height(24.0).tooltip(choose);
            if button.named(choose).show(ui).clicked() {
                cx.send(Command::Browse(browse));
            }
            if let Some((words, edit)) = clear.filter(|_| path.is_some()) {
                let button = Button::icon(icons::CLOSE, words).look(Look::Tool).height(24.0);
                if button.tooltip(words).show(ui).clicked() {
                    cx.send(Command::EditLaunch(edit));
                }
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let id = Id::unique(("launch_path", label));
                let hint = if need == Need::Needed { "needed" } else { "none" };
                if let Some(typed) = path_field_ui(ui, cx, id, path, (label, hint)) {
                    cx.send(Command::EditLaunch(edit(typed)));
                }
            });
        });
    });
    ui.add_space(4.0);
}
