//! Shadows and blurs, the one on top first.

use egui::{Align, Id, Layout, Ui};

use super::number_field::{FIELD, Fields, NumberField, property_ui};
use super::parts::{column, hint_ui, menu_ui, plus_ui, section_ui, small_button_ui};
use super::picker::{Picked, Picker, hex_field_ui, popup_ui, swatch_ui};
use super::subject::Subject;
use crate::base::{Point, Rgba};
use crate::design::{BlendMode, Effect, EffectKind, Shadow};
use crate::editor::{Common, EffectNumber, NumberProperty, PropertyAct, effects_of};
use crate::ui::icons;

/// A kind of effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EffectType {
    DropShadow,
    InnerShadow,
    LayerBlur,
    BackgroundBlur,
}

const KINDS: [(EffectType, &str); 4] = [
    (EffectType::DropShadow, "Drop shadow"),
    (EffectType::InnerShadow, "Inner shadow"),
    (EffectType::LayerBlur, "Layer blur"),
    (EffectType::BackgroundBlur, "Background blur"),
];

/// Draws the section; nothing of nodes that have no effects.
pub(super) fn effects_ui(
    ui: &mut Ui,
    fields: &mut Fields,
    picker: &mut Picker,
    subject: Subject<'_>,
) {
    let effects = effects_of(subject.document, subject.ids);
    if !effects.is_there() {
        return;
    }
    section_ui(
        ui,
        "Effects",
        |ui| {
            if plus_ui(ui, "Add effect") {
                subject.send(PropertyAct::AddEffect);
            }
        },
        |ui| match &effects {
            Common::Nothing => {}
            Common::Mixed => hint_ui(ui, "Mixed. Add one to replace them all."),
            Common::Same(effects) => {
                for (at, effect) in effects.iter().enumerate().rev() {
                    let count = effects.len();
                    let name = if count == 1 {
                        "Effect".to_owned()
                    } else {
                        format!("Effect {}", count - at)
                    };
                    let row = EffectRow { at, effect, name: &name };
                    row.show(ui, fields, picker, subject);
                }
            }
        },
    );
}

/// An effect of the list.
#[derive(Clone, Copy, Debug)]
struct EffectRow<'a> {
    at: usize,
    effect: &'a Effect,
    name: &'a str,
}

impl EffectRow<'_> {
    fn set(self, subject: Subject<'_>, effect: Effect, burst: bool) {
        let act = PropertyAct::SetEffect { at: self.at, effect: Box::new(effect), burst };
        subject.send(act);
    }

    fn show(self, ui: &mut Ui, fields: &mut Fields, picker: &mut Picker, subject: Subject<'_>) {
        let name = self.name;
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 2.0;
                if small_button_ui(ui, icons::MINUS, &format!("Remove {}", name.to_lowercase())) {
                    subject.send(PropertyAct::RemoveEffect(self.at));
                }
                let visible = self.effect.visible;
                let (icon, verb) =
                    if visible { (icons::SHOWN, "Hide") } else { (icons::HIDDEN, "Show") };
                if small_button_ui(ui, icon, &format!("{verb} {}", name.to_lowercase())) {
                    let effect = Effect { visible: !visible, ..self.effect.clone() };
                    self.set(subject, effect, false);
                }
                let room = ui.available_width();
                let now = Common::from(kind_of(self.effect));
                let menu = format!("{name} type");
                if let Some(kind) = menu_ui(ui, &menu, &KINDS, &now, room)
                    && !now.is(&kind)
                {
                    self.set(subject, with_kind(self.effect, kind), false);
                }
            });
        });
        self.numbers_ui(ui, fields, subject);
        if let Some(shadow) = shadow_of(self.effect) {
            self.color_ui(ui, fields, picker, subject, shadow);
        }
    }

    fn numbers_ui(self, ui: &mut Ui, fields: &mut Fields, subject: Subject<'_>) {
        let rows: &[&[(EffectNumber, &str, &str)]] = match kind_of(self.effect) {
            Some(EffectType::DropShadow | EffectType::InnerShadow) => &[
                &[(EffectNumber::OffsetX, "X", "X"), (EffectNumber::OffsetY, "Y", "Y")],
                &[(EffectNumber::Blur, "blur", icons::BLUR), (EffectNumber::Spread, "spread", "S")],
            ],
            Some(EffectType::LayerBlur | EffectType::BackgroundBlur) => {
                &[&[(EffectNumber::Blur, "blur", icons::BLUR)]]
            }
            None => return,
        };
        let width = column(ui, 2);
        for row in rows {
            ui.horizontal(|ui| {
                for (number, words, mark) in *row {
                    let property = NumberProperty::Effect(self.at, *number);
                    let name = format!("{} {words}", self.name);
                    let field = NumberField::new(&name, subject.number(property)).mark(mark);
                    property_ui(ui, fields, subject, property, field, width);
                }
            });
        }
    }

    fn color_ui(
        self,
        ui: &mut Ui,
        fields: &mut Fields,
        picker: &mut Picker,
        subject: Subject<'_>,
        shadow: Shadow,
    ) {
        let color = shadow.color;
        let mut picked = None;
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            let swatch = swatch_ui(ui, &format!("{} color", self.name), &[color], FIELD);
            popup_ui(&swatch, |ui| {
                let id = Id::unique(("assist_effect", self.at));
                picked = picker.show(ui, fields, subject, id, color);
            });
            let name = format!("{} hex", self.name);
            let room = (ui.available_width() - 62.0).max(40.0);
            let typed = hex_field_ui(ui, &mut fields.typing, subject, &name, color, room);
            picked = picked.or(typed);
            let name = format!("{} opacity", self.name);
            let old = color.a * 100.0;
            let field = NumberField::new(&name, Common::Same(old)).range((0.0, 100.0)).unit("%");
            let alpha = super::picker::value_ui(ui, fields, subject, field, old, 60.0);
            let of_alpha = |(alpha, phase): (f64, super::picker::Phase)| {
                phase.picked(color.with_alpha(alpha / 100.0))
            };
            picked = picked.or(alpha.map(of_alpha));
        });
        match picked {
            None => {}
            Some(Picked::Ended) => subject.send(PropertyAct::EndBurst),
            Some(Picked::Going(color)) => self.set(subject, with_color(self.effect, color), true),
            Some(Picked::Set(color)) => self.set(subject, with_color(self.effect, color), false),
        }
    }
}

/// `None` of a kind that nobody knows here.
fn kind_of(effect: &Effect) -> Option<EffectType> {
    match effect.kind {
        EffectKind::DropShadow { .. } => Some(EffectType::DropShadow),
        EffectKind::InnerShadow(_) => Some(EffectType::InnerShadow),
        EffectKind::LayerBlur { .. } => Some(EffectType::LayerBlur),
        EffectKind::BackgroundBlur { .. } => Some(EffectType::BackgroundBlur),
        EffectKind::Other(_) => None,
    }
}

fn shadow_of(effect: &Effect) -> Option<Shadow> {
    match &effect.kind {
        EffectKind::DropShadow { shadow, .. } | EffectKind::InnerShadow(shadow) => Some(*shadow),
        EffectKind::LayerBlur { .. } | EffectKind::BackgroundBlur { .. } | EffectKind::Other(_) => {
            None
        }
    }
}

/// The effect as another kind, with the numbers that both have.
fn with_kind(effect: &Effect, kind: EffectType) -> Effect {
    let radius = match &effect.kind {
        EffectKind::DropShadow { shadow, .. } | EffectKind::InnerShadow(shadow) => shadow.radius,
        EffectKind::LayerBlur { radius } | EffectKind::BackgroundBlur { radius } => *radius,
        EffectKind::Other(_) => 4.0,
    };
    let shadow = shadow_of(effect).unwrap_or(Shadow {
        color: Rgba::BLACK.with_alpha(0.25),
        offset: Point::new(0.0, 4.0),
        radius,
        spread: 0.0,
        blend_mode: BlendMode::Normal,
    });
    let kind = match kind {
        EffectType::DropShadow => EffectKind::DropShadow { shadow, show_behind_node: false },
        EffectType::InnerShadow => EffectKind::InnerShadow(shadow),
        EffectType::LayerBlur => EffectKind::LayerBlur { radius },
        EffectType::BackgroundBlur => EffectKind::BackgroundBlur { radius },
    };
    Effect { kind, visible: effect.visible }
}

fn with_color(effect: &Effect, color: Rgba) -> Effect {
    let mut effect = effect.clone();
    if let EffectKind::DropShadow { shadow, .. } | EffectKind::InnerShadow(shadow) =
        &mut effect.kind
    {
        shadow.color = color;
    }
    effect
}
