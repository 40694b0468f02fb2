//! The field of a number: its mark, its value, its unit. The mark is dragged to change it.

use egui::{
    Align2, Color32, CursorIcon, Event, Id, Key, Modifiers, Rect, Sense, StrokeKind, Ui, pos2, vec2,
};

use super::subject::Subject;
use super::typing::{TextSpot, Typing};
use crate::design::NodeId;
use crate::design::gesture::NumberEntry;
use crate::editor::{Common, NumberProperty, PropertyAct, number_values};
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{paint_text, text_width};

/// How high a field is.
pub(super) const FIELD: f32 = 24.0;
/// Room for the mark.
const MARK: f32 = 22.0;
/// What stands where values differ.
const MIXED: &str = "Mixed";

/// What fields have between frames.
#[derive(Debug, Default)]
pub(super) struct Fields {
    pub(super) typing: Typing,
    scrub: Option<Scrub>,
    /// The field in which arrow keys changed the number last.
    stepped: Option<Id>,
}

/// A mark that is dragged.
#[derive(Debug)]
struct Scrub {
    id: Id,
    start: Common<f64>,
    /// How far, in units of the number.
    dragged: f64,
    /// So much of it was asked for.
    sent: f64,
}

/// What is done in a field.
#[derive(Debug)]
pub(super) enum NumberInput {
    /// A number was typed, for these nodes.
    Typed(NumberEntry, Vec<NodeId>),
    /// It changes, and goes on to.
    Going(NumberEntry),
    /// That is over.
    Ended,
}

/// A field of a number.
#[derive(Clone, Copy, Debug)]
pub(super) struct NumberField<'a> {
    /// A letter or an icon; empty for none.
    mark: &'a str,
    name: &'a str,
    unit: &'a str,
    value: Common<f64>,
    /// What stands there where there is no number.
    empty: &'a str,
    range: (f64, f64),
    enabled: bool,
    tooltip: &'a str,
}

impl<'a> NumberField<'a> {
    /// A field of this name in full words.
    pub(super) fn new(name: &'a str, value: Common<f64>) -> Self {
        let range = (f64::NEG_INFINITY, f64::INFINITY);
        let (mark, unit, empty, tooltip) = ("", "", "", "");
        Self { mark, name, unit, value, empty, range, enabled: true, tooltip }
    }

    /// What stands before the number, to be dragged.
    pub(super) fn mark(self, mark: &'a str) -> Self {
        Self { mark, ..self }
    }

    /// What stands behind the number.
    pub(super) fn unit(self, unit: &'a str) -> Self {
        Self { unit, ..self }
    }

    /// What stands there where there is no number.
    pub(super) fn empty(self, empty: &'a str) -> Self {
        Self { empty, ..self }
    }

    /// Dragging stays within this.
    pub(super) fn range(self, range: (f64, f64)) -> Self {
        Self { range, ..self }
    }

    /// Whether it can be changed.
    pub(super) fn enabled(self, enabled: bool) -> Self {
        Self { enabled, ..self }
    }

    /// What there is to say beside its name.
    pub(super) fn tooltip(self, tooltip: &'a str) -> Self {
        Self { tooltip, ..self }
    }

    /// Whether a number is in its range.
    pub(super) fn takes(self, value: f64) -> bool {
        (self.range.0..=self.range.1).contains(&value)
    }

    /// What its range is.
    pub(super) fn range_words(self) -> String {
        format!("a number between {} and {}", self.range.0, self.range.1)
    }

    /// By which it is known.
    pub(super) fn id(self) -> Id {
        Id::unique(("assist_number", self.name))
    }

    fn shown(self) -> String {
        match self.value {
            Common::Nothing => self.empty.to_owned(),
            Common::Same(value) => number_text(value),
            Common::Mixed => MIXED.to_owned(),
        }
    }

    /// Draws it as wide as that; gives what was done in it.
    pub(super) fn show(
        self,
        ui: &mut Ui,
        fields: &mut Fields,
        width: f32,
        nodes: &[NodeId],
    ) -> Option<NumberInput> {
        let (_, rect) = ui.allocate_space(vec2(width, FIELD));
        let id = self.id();
        let stepped = self.stepped(ui, fields, id);
        let shown = self.shown();
        let tokens = tokens(ui);
        let mark_room = if self.mark.is_empty() { 8.0 } else { MARK };
        let unit_room =
            if self.unit.is_empty() { 4.0 } else { text_width(ui, self.unit, Type::Body) + 8.0 };
        let words = rect.with_min_x(rect.left() + mark_room).with_max_x(rect.right() - unit_room);
        let is_quiet = !self.enabled || !matches!(self.value, Common::Same(_));
        let ink = if is_quiet { tokens.dim } else { tokens.text };
        self.paint_ground(ui, fields, rect, id);
        if !self.enabled {
            let style = (Type::Body, ink);
            paint_text(
                ui.painter(),
                words.left_center(),
                Align2::LEFT_CENTER,
                &shown,
                style,
                words.width(),
            );
            let said = format!("{}: {shown}", self.name);
            let response =
                crate::ui::widgets::say(ui, ("assist_number_off", self.name), rect, &said);
            if !self.tooltip.is_empty() {
                response.on_hover_text(self.tooltip);
            }
            return None;
        }
        let style = (Type::Body, ink);
        let spot = TextSpot { id, rect: words, name: self.name, shown: &shown, nodes, style };
        let (response, done) = fields.typing.show(ui, spot);
        let has_focus = response.has_focus();
        let why = fields.typing.why_wrong(id).unwrap_or(self.tooltip);
        let tooltip = if why.is_empty() { self.name } else { why };
        response.on_hover_text(tooltip);
        if let Some(done) = done {
            return match NumberEntry::parse(&done.text, &done.shown) {
                Ok(entry) => Some(NumberInput::Typed(entry, done.nodes)),
                Err(why) => {
                    fields.typing.refuse(id, why.to_string());
                    None
                }
            };
        }
        if stepped.is_some() {
            return stepped;
        }
        if fields.stepped == Some(id) && !has_focus {
            fields.stepped = None;
            return Some(NumberInput::Ended);
        }
        self.scrubbed(ui, fields, rect.with_max_x(words.left()))
    }

    fn paint_ground(self, ui: &Ui, fields: &Fields, rect: Rect, id: Id) {
        let tokens = tokens(ui);
        let outline = fields.typing.outline(ui, id);
        ui.painter().rect(rect, size::RADIUS, tokens.raised, outline, StrokeKind::Inside);
        let ink = if self.enabled { tokens.dim } else { tokens.dim.gamma_multiply(0.6) };
        self.paint_marks(ui, rect, ink);
    }

    fn paint_marks(self, ui: &Ui, rect: Rect, ink: Color32) {
        let painter = ui.painter();
        // Icons are in a range of their own, for private use.
        let is_icon = self.mark.chars().all(|sign| ('\u{e000}'..='\u{f8ff}').contains(&sign));
        let font = if is_icon { Type::IconSmall } else { Type::Body };
        let at = pos2(rect.left() + MARK / 2.0, rect.center().y);
        paint_text(painter, at, Align2::CENTER_CENTER, self.mark, (font, ink), MARK);
        let at = pos2(rect.right() - 8.0, rect.center().y);
        paint_text(painter, at, Align2::RIGHT_CENTER, self.unit, (Type::Body, ink), rect.width());
    }

    /// Arrow keys change the number by steps; what was typed before counts first.
    fn stepped(self, ui: &Ui, fields: &mut Fields, id: Id) -> Option<NumberInput> {
        if !self.enabled || !ui.memory(|memory| memory.has_focus(id)) {
            return None;
        }
        let by = take_steps(ui);
        if by == 0.0 {
            return None;
        }
        fields.stepped = Some(id);
        let entry = match fields.typing.take_typed(id) {
            Some(done) => match NumberEntry::parse(&format!("{}{by:+}", done.text), &done.shown) {
                Ok(entry) => entry,
                Err(why) => {
                    fields.typing.refuse(id, why.to_string());
                    return None;
                }
            },
            None => relative(by)?,
        };
        Some(NumberInput::Going(entry))
    }

    /// The mark is dragged.
    fn scrubbed(self, ui: &Ui, fields: &mut Fields, mark: Rect) -> Option<NumberInput> {
        let id = self.id().with("mark");
        // Without Tab: the field itself has the arrow keys for it.
        let handle = ui.interact(mark, id, Sense::DRAG);
        let handle = handle.on_hover_cursor(CursorIcon::ResizeHorizontal);
        if handle.drag_started() {
            fields.scrub = Some(Scrub { id, start: self.value, dragged: 0.0, sent: 0.0 });
        }
        if handle.drag_stopped() {
            fields.scrub.take_if(|scrub| scrub.id == id)?;
            return Some(NumberInput::Ended);
        }
        let scrub = fields.scrub.as_mut().filter(|scrub| scrub.id == id)?;
        let modifiers = ui.input(|input| input.modifiers);
        scrub.dragged += f64::from(handle.drag_delta().x) * step(modifiers);
        let grain = if modifiers.alt { 0.1 } else { 1.0 };
        let by = (scrub.dragged / grain).round() * grain;
        if by == scrub.sent {
            return None;
        }
        let entry = match scrub.start {
            // From where it began, so that nothing drifts.
            Common::Same(start) => absolute((start + by).max(self.range.0).min(self.range.1)),
            Common::Nothing | Common::Mixed => relative(by - scrub.sent),
        };
        scrub.sent = by;
        entry.map(NumberInput::Going)
    }
}

/// The field of a number of what is shown; what is done in it is sent.
pub(super) fn property_ui(
    ui: &mut Ui,
    fields: &mut Fields,
    subject: Subject<'_>,
    property: NumberProperty,
    field: NumberField<'_>,
    width: f32,
) {
    let id = field.id();
    let input = field.range(property.range()).show(ui, fields, width, subject.ids);
    let (entry, nodes, burst) = match input {
        None => return,
        Some(NumberInput::Ended) => return subject.send(PropertyAct::EndBurst),
        Some(NumberInput::Typed(entry, nodes)) => (entry, nodes, false),
        Some(NumberInput::Going(entry)) => (entry, subject.ids.to_vec(), true),
    };
    match number_values(subject.document, &nodes, property, &entry) {
        Err(why) => fields.typing.refuse(id, why.to_string()),
        Ok(values) if values.is_empty() => {}
        Ok(_) => subject.send_on(nodes, PropertyAct::SetNumber { property, entry, burst }),
    }
}

/// A number as it stands in a field: at most two decimals.
pub(super) fn number_text(value: f64) -> String {
    // The sum has no minus zero.
    ((value * 100.0).round() / 100.0 + 0.0).to_string()
}

/// One step with these keys held.
fn step(modifiers: Modifiers) -> f64 {
    if modifiers.shift {
        10.0
    } else if modifiers.alt {
        0.1
    } else {
        1.0
    }
}

/// Takes the presses of the arrow keys up and down, as steps.
fn take_steps(ui: &Ui) -> f64 {
    ui.input_mut(|input| {
        let mut by = 0.0;
        input.events.retain(|event| {
            let Event::Key { key, pressed: true, modifiers, .. } = event else { return true };
            let sign = match key {
                Key::ArrowUp => 1.0,
                Key::ArrowDown => -1.0,
                _ => return true,
            };
            by += sign * step(*modifiers);
            false
        });
        by
    })
}

fn relative(by: f64) -> Option<NumberEntry> {
    NumberEntry::parse(&format!("{MIXED}{by:+}"), MIXED).ok()
}

fn absolute(value: f64) -> Option<NumberEntry> {
    NumberEntry::parse(&value.to_string(), "").ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_short_as_they_can_be() {
        let texts = [16.0, 0.5, 33.333_333, -0.001, 1e6].map(number_text);
        assert_eq!(texts, ["16", "0.5", "33.33", "0", "1000000"]);
    }

    #[test]
    fn steps_are_added_to_each_value() {
        for (by, expected) in [(10.0, 17.0), (-0.1, 6.9), (1.0, 8.0)] {
            assert_eq!(relative(by).unwrap().value(7.0).unwrap(), expected);
        }
        assert_eq!(absolute(-4.5).unwrap().value(7.0).unwrap(), -4.5);
    }
}
