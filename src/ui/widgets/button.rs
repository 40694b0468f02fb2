//! Buttons: one shape, a few looks.

use egui::{
    Align2, AsIdSalt, Id, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2,
    vec2,
};

use super::kbd::tooltip_ui;
use super::stable::{allocate_stable, allocate_stable_of};
use super::text::{paint_text, text_width};
use crate::ui::theme::{Tokens, Type, size, tokens};

/// What a button looks like at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Look {
    /// The one action a panel is about.
    Primary,
    /// Any other action.
    #[default]
    Raised,
    /// A tool in a bar: no ground until it is under the pointer or on.
    Tool,
}

/// A button with an icon, a text or both.
#[derive(Debug)]
pub(crate) struct Button<'a> {
    icon: Option<&'static str>,
    text: &'a str,
    name: &'a str,
    tooltip: &'a str,
    key: Option<String>,
    look: Look,
    selected: Option<bool>,
    enabled: bool,
    height: f32,
    padding: f32,
    tint: Option<egui::Color32>,
    shows_key: bool,
    of: Option<Id>,
}

const PADDING: f32 = 10.0;
const ICON_WIDTH: f32 = 15.0;
const GAP: f32 = 6.0;

impl<'a> Button<'a> {
    /// A button with words on it; they are its name too.
    pub(crate) fn text(text: &'a str) -> Self {
        Self { icon: None, text, ..Self::icon("", text) }
    }

    /// A button with nothing but an icon; the name is for screen readers.
    pub(crate) fn icon(icon: &'static str, name: &'a str) -> Self {
        Self {
            icon: Some(icon),
            text: "",
            name,
            tooltip: "",
            key: None,
            look: Look::default(),
            selected: None,
            enabled: true,
            height: size::BUTTON,
            padding: PADDING,
            tint: None,
            shows_key: false,
            of: None,
        }
    }

    /// The same with an icon before its words.
    pub(crate) fn with_icon(self, icon: &'static str) -> Self {
        Self { icon: Some(icon), ..self }
    }

    /// Another name for screen readers than its words.
    pub(crate) fn named(self, name: &'a str) -> Self {
        Self { name, ..self }
    }

    /// What it looks like.
    pub(crate) fn look(self, look: Look) -> Self {
        Self { look, ..self }
    }

    /// Makes it a toggle that is on or off.
    pub(crate) fn selected(self, selected: bool) -> Self {
        Self { selected: Some(selected), ..self }
    }

    /// Whether it can be pressed.
    pub(crate) fn enabled(self, enabled: bool) -> Self {
        Self { enabled, ..self }
    }

    /// What it does, for those who wait with the pointer on it.
    pub(crate) fn tooltip(self, tooltip: &'a str) -> Self {
        Self { tooltip, ..self }
    }

    /// The key that does the same.
    pub(crate) fn key(self, key: Option<String>) -> Self {
        Self { key, ..self }
    }

    /// Another height than the usual.
    pub(crate) fn height(self, height: f32) -> Self {
        Self { height, ..self }
    }

    /// Less room at its sides, for a row of many.
    pub(crate) fn compact(self) -> Self {
        Self { padding: 6.0, ..self }
    }

    /// Another colour for its icon, beside words.
    pub(crate) fn tint(self, tint: egui::Color32) -> Self {
        Self { tint: Some(tint), ..self }
    }

    /// Has its key beside its words.
    pub(crate) fn with_key(self) -> Self {
        Self { shows_key: true, ..self }
    }

    /// What it is known by instead of by the place in the code that shows it: one of a list, or the only one of its
    /// kind.
    pub(crate) fn of(self, salt: impl AsIdSalt) -> Self {
        Self { of: Some(Id::unique(salt)), ..self }
    }

    /// The key that stands beside the words, and the room it takes.
    fn shown_key(&self, ui: &Ui) -> Option<(&str, f32)> {
        let key = self.key.as_deref().filter(|_| self.shows_key && !self.text.is_empty())?;
        Some((key, text_width(ui, key, Type::Caption) + GAP))
    }

    fn width(&self, ui: &Ui) -> f32 {
        let words = if self.text.is_empty() { 0.0 } else { text_width(ui, self.text, Type::Body) };
        let width = match (self.icon, self.text.is_empty()) {
            // A square, whatever the icon's own width.
            (Some(_), true) => self.height,
            (Some(_), false) => self.padding - 2.0 + ICON_WIDTH + GAP + words + self.padding,
            (None, _) => words + 2.0 * self.padding,
        };
        (width + self.shown_key(ui).map_or(0.0, |(_, room)| room)).ceil()
    }

    /// Shows it. It is known by the place in the code that shows it, if nothing else was said.
    #[track_caller]
    pub(crate) fn show(self, ui: &mut Ui) -> Response {
        let wanted = vec2(self.width(ui), self.height);
        // It still has a tooltip, which says why it is off.
        let sense = if self.enabled { Sense::click() } else { Sense::hover() };
        let (rect, response) = match self.of {
            Some(of) => allocate_stable_of(ui, of, wanted, sense),
            None => allocate_stable(ui, wanted, sense),
        };
        response.widget_info(|| match self.selected {
            Some(on) => WidgetInfo::selected(Role::Button, self.enabled, on, self.name),
            None => WidgetInfo::labeled(Role::Button, self.enabled, self.name),
        });
        // Texts are laid out only where they are seen; the name is told in any case.
        if ui.is_rect_visible(rect) {
            self.paint(ui, rect, &response);
        }
        if self.tooltip.is_empty() && self.key.is_none() {
            return response;
        }
        // A key is worth a tooltip of its own, which needs words before it.
        let words = if self.tooltip.is_empty() { self.name } else { self.tooltip };
        response.on_hover_ui(|ui| tooltip_ui(ui, words, self.key.as_deref()))
    }

    fn paint(&self, ui: &Ui, rect: Rect, response: &Response) {
        let tokens = tokens(ui);
        let (fill, outline, ink) = self.colors(tokens, response);
        let painter = ui.painter();
        painter.rect(rect, size::RADIUS, fill, outline, StrokeKind::Inside);
        if response.has_focus() {
            let ring = Stroke::new(1.5, tokens.accent);
            painter.rect_stroke(rect.expand(1.0), size::RADIUS + 1, ring, StrokeKind::Outside);
        }
        // Dimmed rather than another colour, so that the icon keeps its meaning.
        let ink = if self.enabled { ink } else { ink.gamma_multiply(0.4) };
        let middle = rect.center().y;
        if self.text.is_empty() {
            let icon = self.icon.unwrap_or_default();
            let center = Align2::CENTER_CENTER;
            paint_text(painter, rect.center(), center, icon, (Type::Icon, ink), f32::INFINITY);
            return;
        }
        let mut left = rect.left() + self.padding;
        if let Some(icon) = self.icon {
            let at = pos2(rect.left() + self.padding - 2.0, middle);
            let style = (Type::Icon, self.tint.unwrap_or(ink));
            paint_text(painter, at, Align2::LEFT_CENTER, icon, style, f32::INFINITY);
            left = at.x + ICON_WIDTH + GAP;
        }
        let at = pos2(left, middle);
        let mut room = rect.right() - left;
        if let Some((key, width)) = self.shown_key(ui) {
            let end = pos2(rect.right() - self.padding, middle);
            // On the accent a dimmed key could not be read.
            let is_quiet = self.enabled && self.look != Look::Primary;
            let ink = if is_quiet { tokens.dim } else { ink };
            paint_text(painter, end, Align2::RIGHT_CENTER, key, (Type::Caption, ink), width);
            room -= width;
        }
        paint_text(painter, at, Align2::LEFT_CENTER, self.text, (Type::Body, ink), room);
    }

    fn colors(
        &self,
        tokens: &Tokens,
        response: &Response,
    ) -> (egui::Color32, Stroke, egui::Color32) {
        let hovered = self.enabled && response.hovered();
        let clear = egui::Color32::TRANSPARENT;
        let ground = if hovered { tokens.raised_hover } else { tokens.raised };
        match self.look {
            Look::Primary if self.enabled => {
                let fill = if hovered { tokens.accent_hover } else { tokens.accent };
                (fill, Stroke::NONE, tokens.on_accent)
            }
            // What cannot be done now does not call for attention, and its words can be read.
            Look::Primary | Look::Raised => (ground, tokens.line(), tokens.text),
            Look::Tool if self.selected == Some(true) => (tokens.raised, Stroke::NONE, tokens.text),
            Look::Tool => {
                let ink = if hovered || self.selected.is_none() { tokens.text } else { tokens.dim };
                (if hovered { tokens.raised } else { clear }, Stroke::NONE, ink)
            }
        }
    }
}
