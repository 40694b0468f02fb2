//! Lists of paints: fills and strokes, the one on top first.

use egui::{Align, Id, Layout, Ui};

use super::gradient::{gradient_ui, image_ui, kinds_ui};
use super::number_field::{FIELD, Fields, NumberField, property_ui};
use super::parts::{hint_ui, plus_ui, section_ui, small_button_ui};
use super::picker::{Picked, Picker, hex_field_ui, popup_ui, swatch_ui};
use super::subject::Subject;
use crate::base::Rgba;
use crate::design::{GradientKind, Paint, PaintKind};
use crate::editor::{Common, NumberProperty, PaintList, PropertyAct, paints_of};
use crate::ui::icons;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::elided_label_ui;

/// Draws a list, with what belongs below it; nothing of nodes that have none.
pub(super) fn paints_ui(
    ui: &mut Ui,
    fields: &mut Fields,
    picker: &mut Picker,
    subject: Subject<'_>,
    list: PaintList,
    below: impl FnOnce(&mut Ui, &mut Fields),
) {
    let paints = paints_of(subject.document, subject.ids, list);
    if !paints.is_there() {
        return;
    }
    let label = list.label();
    section_ui(
        ui,
        label,
        |ui| {
            if plus_ui(ui, &format!("Add {}", label.to_lowercase())) {
                subject.send(PropertyAct::AddPaint(list));
            }
        },
        |ui| {
            match &paints {
                Common::Nothing => {}
                Common::Mixed => hint_ui(ui, "Mixed. Add one to replace them all."),
                Common::Same(paints) => {
                    for (at, paint) in paints.iter().enumerate().rev() {
                        let row = PaintRow { list, at, count: paints.len(), paint };
                        row.show(ui, fields, picker, subject);
                    }
                }
            }
            if !paints.is(&Vec::new()) {
                below(ui, fields);
            }
        },
    );
}

/// A paint of a list.
#[derive(Clone, Copy, Debug)]
struct PaintRow<'a> {
    list: PaintList,
    at: usize,
    count: usize,
    paint: &'a Paint,
}

impl PaintRow<'_> {
    /// Its name; with its place, from the top, where there are several.
    fn name(self) -> String {
        let label = self.list.label();
        if self.count == 1 { label.to_owned() } else { format!("{label} {}", self.count - self.at) }
    }

    fn set(self, subject: Subject<'_>, paint: Paint, burst: bool) {
        let (list, at) = (self.list, self.at);
        subject.send(PropertyAct::SetPaint { list, at, paint: Box::new(paint), burst });
    }

    fn show(self, ui: &mut Ui, fields: &mut Fields, picker: &mut Picker, subject: Subject<'_>) {
        let name = self.name();
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            let swatch = swatch_ui(ui, &format!("{name} color"), &self.colors(), FIELD);
            popup_ui(&swatch, |ui| self.popup_ui(ui, fields, picker, subject));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if small_button_ui(ui, icons::MINUS, &format!("Remove {}", name.to_lowercase())) {
                    subject.send(PropertyAct::RemovePaint { list: self.list, at: self.at });
                }
                let (icon, verb) = if self.paint.visible {
                    (icons::SHOWN, "Hide")
                } else {
                    (icons::HIDDEN, "Show")
                };
                if small_button_ui(ui, icon, &format!("{verb} {}", name.to_lowercase())) {
                    let visible = !self.paint.visible;
                    self.set(subject, Paint { visible, ..self.paint.clone() }, false);
                }
                let property = NumberProperty::PaintOpacity(self.list, self.at);
                let opacity = format!("{name} opacity");
                let field = NumberField::new(&opacity, subject.number(property)).unit("%");
                property_ui(ui, fields, subject, property, field, 50.0);
                let room = ui.available_width();
                self.value_ui(ui, fields, subject, &name, room);
            });
        });
    }

    /// Its colour in digits, or what it is.
    fn value_ui(
        self,
        ui: &mut Ui,
        fields: &mut Fields,
        subject: Subject<'_>,
        name: &str,
        room: f32,
    ) {
        let words = match &self.paint.kind {
            PaintKind::Solid(color) => {
                let color = color.with_alpha(color.a * self.paint.opacity);
                let name = format!("{name} hex");
                let typing = &mut fields.typing;
                if let Some(Picked::Set(color)) =
                    hex_field_ui(ui, typing, subject, &name, color, room)
                {
                    self.set(subject, colored(self.paint, color), false);
                }
                return;
            }
            PaintKind::Gradient(gradient) => match gradient.kind {
                GradientKind::Linear => "Linear",
                GradientKind::Radial => "Radial",
                GradientKind::Angular => "Angular",
                GradientKind::Diamond => "Diamond",
            },
            PaintKind::Image(_) => "Image",
            PaintKind::Other(kind) => kind,
        };
        let color = tokens(ui).text;
        ui.allocate_ui_with_layout(
            egui::vec2(room, FIELD),
            Layout::left_to_right(Align::Center).with_main_wrap(false),
            |ui| {
                ui.add_space(6.0);
                elided_label_ui(ui, words, Type::Body, color)
            },
        );
    }

    /// The colours of its swatch.
    fn colors(self) -> Vec<Rgba> {
        let opacity = self.paint.opacity;
        match &self.paint.kind {
            PaintKind::Solid(color) => vec![color.with_alpha(color.a * opacity)],
            PaintKind::Gradient(gradient) => {
                let stops = gradient.stops.iter();
                stops.map(|stop| stop.color.with_alpha(stop.color.a * opacity)).collect()
            }
            PaintKind::Image(_) | PaintKind::Other(_) => vec![Rgba::DEFAULT_SHAPE],
        }
    }

    fn popup_ui(self, ui: &mut Ui, fields: &mut Fields, picker: &mut Picker, subject: Subject<'_>) {
        let id = Id::unique(("assist_paint", self.list, self.at));
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            if let Some(paint) = kinds_ui(ui, subject, self.paint) {
                self.set(subject, paint, false);
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| self.order_ui(ui, subject));
        });
        let changed = match &self.paint.kind {
            PaintKind::Solid(color) => {
                let color = color.with_alpha(color.a * self.paint.opacity);
                let picked = picker.show(ui, fields, subject, id, color);
                picked.map(|picked| match picked {
                    Picked::Going(color) => (Some(colored(self.paint, color)), true),
                    Picked::Set(color) => (Some(colored(self.paint, color)), false),
                    Picked::Ended => (None, false),
                })
            }
            PaintKind::Gradient(gradient) => {
                let changed = gradient_ui(ui, fields, picker, subject, id, gradient);
                changed.map(|(gradient, burst)| {
                    let kind = gradient.map(PaintKind::Gradient);
                    (kind.map(|kind| Paint { kind, ..self.paint.clone() }), burst)
                })
            }
            PaintKind::Image(image) => image_ui(ui, subject, image).map(|image| {
                let kind = PaintKind::Image(image);
                (Some(Paint { kind, ..self.paint.clone() }), false)
            }),
            PaintKind::Other(kind) => {
                hint_ui(ui, &format!("{kind} is kept as it is: nothing here draws it."));
                None
            }
        };
        match changed {
            None => {}
            Some((Some(paint), burst)) => self.set(subject, paint, burst),
            Some((None, _)) => subject.send(PropertyAct::EndBurst),
        }
    }

    /// Buttons that move it in its list.
    fn order_ui(self, ui: &mut Ui, subject: Subject<'_>) {
        if self.count < 2 {
            return;
        }
        let (list, from) = (self.list, self.at);
        if from > 0 && small_button_ui(ui, icons::UNFOLDED, "Move down in the list") {
            subject.send(PropertyAct::MovePaint { list, from, to: from - 1 });
            ui.close();
        }
        if from + 1 < self.count && small_button_ui(ui, icons::CARET_UP, "Move up in the list") {
            subject.send(PropertyAct::MovePaint { list, from, to: from + 1 });
            ui.close();
        }
    }
}

/// The paint with this colour; its alpha becomes the paint's opacity, as Figma has it.
fn colored(paint: &Paint, color: Rgba) -> Paint {
    let kind = PaintKind::Solid(color.with_alpha(1.0));
    Paint { kind, opacity: color.a, ..paint.clone() }
}
