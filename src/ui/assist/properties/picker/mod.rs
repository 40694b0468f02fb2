//! The picker of colours, in a popup below its swatch: a plane of saturation and value, bars of hue and opacity,
//! fields, the colours that the design has, and what takes one from the picture.
//!
//! - [`hsv`]: the arithmetic;
//! - [`fields`]: what is dragged, and swatches.

mod fields;
mod hsv;

pub(super) use fields::{paint_checkers, paint_colors, swatch_ui};

use egui::{Id, Popup, PopupCloseBehavior, RectAlign, Response, Ui, pos2, vec2};

use super::number_field::{FIELD, Fields, NumberField, NumberInput};
use super::parts::small_button_ui;
use super::subject::Subject;
use super::typing::{TextSpot, Typing};
use crate::base::Rgba;
use crate::editor::{Act, Common, Tool, colors_of_document};
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{Button, Look};

use fields::{Dragged, drag_ui, paint_ring};
use hsv::{Hsv, hsl_of, hsv_of_hsl, parse_hex};

/// How wide the popup is inside.
pub(super) const WIDTH: f32 = 224.0;

/// How a colour is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ColorNotation {
    #[default]
    Hex,
    Rgb,
    Hsl,
}

/// What the picker has between frames.
#[derive(Debug, Default)]
pub(super) struct Picker {
    /// Whose colour it is, the colour, and its hue where that does not say.
    now: Option<(Id, Rgba, Hsv)>,
    form: ColorNotation,
    /// The stop of a gradient that is picked for.
    pub(super) stop: usize,
}

/// What was picked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Picked {
    /// This for now; more is to come.
    Going(Rgba),
    /// This.
    Set(Rgba),
    /// What went on is over.
    Ended,
}

/// Shows the popup of a swatch that was pressed.
pub(super) fn popup_ui(swatch: &Response, content: impl FnOnce(&mut Ui)) {
    let popup = Popup::from_toggle_button_response(swatch).align(RectAlign::LEFT_START);
    popup.close_behavior(PopupCloseBehavior::CloseOnClickOutside).width(WIDTH).show(|ui| {
        ui.set_width(WIDTH);
        ui.spacing_mut().item_spacing = vec2(8.0, 8.0);
        content(ui);
    });
}

impl Picker {
    /// Draws the picker for a colour.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        fields: &mut Fields,
        subject: Subject<'_>,
        id: Id,
        color: Rgba,
    ) -> Option<Picked> {
        let hsv = self.hsv_of(id, color);
        let dragged = plane_ui(ui, hsv, color.a);
        let dragged = dragged.or(bars_ui(ui, subject, hsv, color.a));
        // All of it is drawn in every frame, whatever is done in one part.
        let written = self.written_ui(ui, fields, subject, color, hsv);
        let chosen = document_ui(ui, subject, color.a);
        // Kept, as a grey that comes of it has no hue to tell.
        if let Some((hsv, alpha, phase)) = dragged {
            let color = hsv.color(alpha);
            self.now = Some((id, color, hsv));
            return Some(match phase {
                Dragged::To(..) => Picked::Going(color),
                Dragged::Set(..) => Picked::Set(color),
                Dragged::Ended => Picked::Ended,
            });
        }
        written.or(chosen)
    }

    fn hsv_of(&mut self, id: Id, color: Rgba) -> Hsv {
        let before = match self.now {
            Some((of, same, hsv)) if of == id && same.to_u8() == color.to_u8() => return hsv,
            Some((of, _, hsv)) if of == id => hsv,
            _ => Hsv::default(),
        };
        let hsv = Hsv::of(color, before);
        self.now = Some((id, color, hsv));
        hsv
    }

    /// The colour in figures.
    fn written_ui(
        &mut self,
        ui: &mut Ui,
        fields: &mut Fields,
        subject: Subject<'_>,
        color: Rgba,
        hsv: Hsv,
    ) -> Option<Picked> {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            for (form, words) in [
                (ColorNotation::Hex, "Hex"),
                (ColorNotation::Rgb, "RGB"),
                (ColorNotation::Hsl, "HSL"),
            ] {
                let button = Button::text(words).look(Look::Tool).height(22.0).compact();
                if button.selected(self.form == form).show(ui).clicked() {
                    self.form = form;
                }
            }
        });
        let mut picked = None;
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let width = ((WIDTH - 12.0) / 4.0).floor();
            match self.form {
                ColorNotation::Hex => {
                    let name = "Hex value";
                    let rest = WIDTH - width - 4.0;
                    picked = hex_field_ui(ui, &mut fields.typing, subject, name, color, rest);
                }
                ColorNotation::Rgb => {
                    let channels = [color.r, color.g, color.b].map(|channel| channel * 255.0);
                    let names = [("Red", 255.0), ("Green", 255.0), ("Blue", 255.0)];
                    let changed = numbers_ui(ui, fields, subject, names, channels, width);
                    picked = changed.map(|([r, g, b], phase)| {
                        phase.picked(Rgba::new(r / 255.0, g / 255.0, b / 255.0, color.a))
                    });
                }
                ColorNotation::Hsl => {
                    let [hue, saturation, lightness] = hsl_of(color, hsv);
                    let names = [
                        ("Color hue", 360.0),
                        ("Color saturation", 100.0),
                        ("Color lightness", 100.0),
                    ];
                    let values = [hue, saturation * 100.0, lightness * 100.0];
                    let changed = numbers_ui(ui, fields, subject, names, values, width);
                    picked = changed.map(|([hue, saturation, lightness], phase)| {
                        let hsl = [hue, saturation / 100.0, lightness / 100.0];
                        phase.picked(hsv_of_hsl(hsl).color(color.a))
                    });
                }
            }
            let old = color.a * 100.0;
            let field = NumberField::new("Alpha", Common::Same(old)).range((0.0, 100.0)).unit("%");
            let alpha = value_ui(ui, fields, subject, field, old, width);
            let alpha = alpha.map(|(alpha, phase)| phase.picked(color.with_alpha(alpha / 100.0)));
            picked = picked.or(alpha);
        });
        picked
    }
}

/// Whether more is to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Going,
    Set,
    Ended,
}

impl Phase {
    /// What is picked with it.
    pub(super) fn picked(self, color: Rgba) -> Picked {
        match self {
            Self::Going => Picked::Going(color),
            Self::Set => Picked::Set(color),
            Self::Ended => Picked::Ended,
        }
    }
}

/// Three numbers from 0 on, of which one is changed.
fn numbers_ui(
    ui: &mut Ui,
    fields: &mut Fields,
    subject: Subject<'_>,
    names: [(&str, f64); 3],
    values: [f64; 3],
    width: f32,
) -> Option<([f64; 3], Phase)> {
    let mut changed = None;
    for (at, ((name, most), value)) in names.into_iter().zip(values).enumerate() {
        let field = NumberField::new(name, Common::Same(value)).range((0.0, most));
        if let Some((value, phase)) = value_ui(ui, fields, subject, field, value, width) {
            let mut values = values;
            if let Some(there) = values.get_mut(at) {
                *there = value;
            }
            changed = Some((values, phase));
        }
    }
    changed
}

/// A number of its own, within the field's range; gives what it is to be.
pub(super) fn value_ui(
    ui: &mut Ui,
    fields: &mut Fields,
    subject: Subject<'_>,
    field: NumberField<'_>,
    old: f64,
    width: f32,
) -> Option<(f64, Phase)> {
    let (entry, phase) = match field.show(ui, fields, width, subject.ids)? {
        NumberInput::Typed(entry, nodes) if nodes == subject.ids => (entry, Phase::Set),
        // What was typed for other nodes is not theirs.
        NumberInput::Typed(..) => return None,
        NumberInput::Going(entry) => (entry, Phase::Going),
        NumberInput::Ended => return Some((old, Phase::Ended)),
    };
    let why = match entry.value(old) {
        Ok(value) if field.takes(value) => return Some((value, phase)),
        Ok(_) => field.range_words(),
        Err(why) => why.to_string(),
    };
    fields.typing.refuse(field.id(), why);
    None
}

/// Hue and opacity, beside what takes a colour from the picture.
fn bars_ui(ui: &mut Ui, subject: Subject<'_>, hsv: Hsv, alpha: f64) -> Option<(Hsv, f64, Dragged)> {
    let mut picked = None;
    ui.horizontal(|ui| {
        if small_button_ui(ui, icons::EYEDROPPER, "Take a color from the canvas") {
            subject.act(Act::Take(Tool::Eyedropper));
            ui.close();
        }
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 6.0;
            let width = ui.available_width();
            let (_, rect) = ui.allocate_space(vec2(width, 12.0));
            paint_colors(ui, rect, |x, _| {
                let hue = f64::from(x) * 360.0;
                Hsv { hue, saturation: 1.0, value: 1.0 }.color(1.0)
            });
            let share = (hsv.hue / 360.0) as f32;
            let at = pos2(rect.left() + share * rect.width(), rect.center().y);
            paint_ring(ui, at, Hsv { saturation: 1.0, value: 1.0, ..hsv }.color(1.0));
            let dragged = drag_ui(ui, rect, ("Hue", hsv.hue), (share, 0.0), false);
            picked = dragged.map(|phase| match phase {
                Dragged::To(x, _) | Dragged::Set(x, _) => {
                    (Hsv { hue: f64::from(x) * 360.0, ..hsv }, alpha, phase)
                }
                Dragged::Ended => (hsv, alpha, phase),
            });
            let (_, rect) = ui.allocate_space(vec2(width, 12.0));
            paint_checkers(ui, rect);
            paint_colors(ui, rect, |x, _| hsv.color(f64::from(x)));
            let at = pos2(rect.left() + alpha as f32 * rect.width(), rect.center().y);
            paint_ring(ui, at, hsv.color(1.0));
            let value = alpha * 100.0;
            let dragged =
                drag_ui(ui, rect, ("Opacity of the color", value), (alpha as f32, 0.0), false);
            let of_alpha = dragged.map(|phase| match phase {
                Dragged::To(x, _) | Dragged::Set(x, _) => (hsv, f64::from(x), phase),
                Dragged::Ended => (hsv, alpha, phase),
            });
            picked = picked.or(of_alpha);
        });
    });
    picked
}

/// The plane of saturation and value.
fn plane_ui(ui: &mut Ui, hsv: Hsv, alpha: f64) -> Option<(Hsv, f64, Dragged)> {
    let (_, rect) = ui.allocate_space(vec2(WIDTH, 140.0));
    let at = |x: f32, y: f32| Hsv { saturation: f64::from(x), value: 1.0 - f64::from(y), ..hsv };
    paint_colors(ui, rect, |x, y| at(x, y).color(1.0));
    let now = (hsv.saturation as f32, 1.0 - hsv.value as f32);
    paint_ring(ui, rect.min + vec2(now.0, now.1) * rect.size(), hsv.color(1.0));
    let named = ("Saturation and value", hsv.saturation * 100.0);
    let phase = drag_ui(ui, rect, named, now, true)?;
    let picked = match phase {
        Dragged::To(x, y) | Dragged::Set(x, y) => at(x, y),
        Dragged::Ended => hsv,
    };
    Some((picked, alpha, phase))
}

/// The colours that the design has.
fn document_ui(ui: &mut Ui, subject: Subject<'_>, alpha: f64) -> Option<Picked> {
    let colors = colors_of_document(subject.document);
    if colors.is_empty() {
        return None;
    }
    let mut picked = None;
    super::parts::hint_ui(ui, "In this design");
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
        for color in colors {
            let name = format!("Color {}", color.to_hex());
            if swatch_ui(ui, &name, &[color], 22.0).on_hover_text(&name).clicked() {
                // One that is opaque there is as opaque here as what it replaces.
                let alpha = if color.a < 1.0 { color.a } else { alpha };
                picked = Some(Picked::Set(color.with_alpha(alpha)));
            }
        }
    });
    picked
}

/// A field in which a colour is typed as hexadecimal digits.
pub(super) fn hex_field_ui(
    ui: &mut Ui,
    typing: &mut Typing,
    subject: Subject<'_>,
    name: &str,
    color: Rgba,
    width: f32,
) -> Option<Picked> {
    let (_, rect) = ui.allocate_space(vec2(width, FIELD));
    let id = Id::unique(("assist_hex", name));
    let theme = tokens(ui);
    let outline = typing.outline(ui, id);
    let painter = ui.painter();
    painter.rect(rect, size::RADIUS, theme.raised, outline, egui::StrokeKind::Inside);
    let shown = color.with_alpha(1.0).to_hex();
    let words = rect.shrink2(vec2(6.0, 0.0));
    let style = (Type::Mono, theme.text);
    let spot = TextSpot { id, rect: words, name, shown: &shown, nodes: subject.ids, style };
    let (response, done) = typing.show(ui, spot);
    response.on_hover_text(typing.why_wrong(id).unwrap_or(name));
    let done = done.filter(|done| done.nodes == subject.ids)?;
    let color = parse_hex(&done.text, color.a);
    if color.is_none() {
        typing.refuse(id, "type a color such as #1B4DFF");
    }
    color.map(Picked::Set)
}
