//! The colours of what lies in a group or frame; changing one changes it wherever it is.

use egui::{Align, Id, Layout, Ui};

use super::number_field::{FIELD, Fields};
use super::parts::{hint_ui, section_ui};
use super::picker::{Picked, Picker, hex_field_ui, popup_ui, swatch_ui};
use super::subject::Subject;
use crate::design::NodeId;
use crate::editor::{InsideColor, PropertyAct, colors_inside};
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{count, elided_label_ui};

/// The most colours that are listed.
const MOST: usize = 12;

/// What the section has between frames.
#[derive(Debug, Default)]
pub(super) struct Inside {
    /// The rows while a colour is picked, and whose they are: as they were when that began, so that a colour that is
    /// passed on the way does not join it.
    held: Option<(Vec<NodeId>, Vec<InsideColor>)>,
}

impl Inside {
    /// Draws the section; nothing where nothing lies in what is selected.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        fields: &mut Fields,
        picker: &mut Picker,
        subject: Subject<'_>,
    ) {
        let colors = self.rows(subject);
        if colors.is_empty() {
            return;
        }
        let mut is_open = false;
        section_ui(
            ui,
            "Colors inside",
            |_| {},
            |ui| {
                for (at, color) in colors.iter().take(MOST).enumerate() {
                    is_open |= row_ui(ui, fields, picker, subject, (at, color));
                }
                if colors.len() > MOST {
                    let more = count(colors.len() - MOST, "more color");
                    hint_ui(ui, &format!("{more} inside."));
                }
            },
        );
        self.held = is_open.then(|| (subject.ids.to_vec(), colors));
    }

    fn rows(&self, subject: Subject<'_>) -> Vec<InsideColor> {
        match &self.held {
            Some((ids, rows)) if ids == subject.ids => {
                let rows = rows.iter().map(|row| {
                    let first = row.places.first();
                    let color = first.and_then(|place| place.color(subject.document));
                    InsideColor { color: color.unwrap_or(row.color), places: row.places.clone() }
                });
                rows.collect()
            }
            _ => colors_inside(subject.document, subject.ids),
        }
    }
}

/// A colour, and whose it is; whether its popup is open.
fn row_ui(
    ui: &mut Ui,
    fields: &mut Fields,
    picker: &mut Picker,
    subject: Subject<'_>,
    (at, inside): (usize, &InsideColor),
) -> bool {
    let (name, color) = (format!("Color inside {}", at + 1), inside.color);
    let id = Id::unique(("assist_inside", at));
    let (mut picked, mut is_open) = (None, false);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let swatch = swatch_ui(ui, &name, &[color], FIELD);
        popup_ui(&swatch, |ui| {
            is_open = true;
            picked = picker.show(ui, fields, subject, id, color);
        });
        let width = (ui.available_width() * 0.45).max(60.0);
        let hex = format!("{name} hex");
        let typed = hex_field_ui(ui, &mut fields.typing, subject, &hex, color, width);
        picked = picked.or(typed);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            elided_label_ui(ui, &owner(subject, inside), Type::Body, tokens(ui).dim);
        });
    });
    let places = inside.places.clone();
    match picked {
        None => {}
        Some(Picked::Ended) => subject.send(PropertyAct::EndBurst),
        Some(Picked::Going(color)) => {
            subject.send(PropertyAct::Recolor { places, color, burst: true });
        }
        Some(Picked::Set(color)) => {
            subject.send(PropertyAct::Recolor { places, color, burst: false });
        }
    }
    is_open
}

/// The layer that has the colour, or how many have it.
fn owner(subject: Subject<'_>, inside: &InsideColor) -> String {
    let mut nodes: Vec<_> = inside.places.iter().map(|place| &place.node).collect();
    nodes.dedup();
    match nodes.as_slice() {
        [only] => subject.document.get(only).map(|node| node.name.clone()).unwrap_or_default(),
        several => count(several.len(), "layer"),
    }
}
