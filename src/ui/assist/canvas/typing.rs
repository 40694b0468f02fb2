//! The field that lies over a text while it is typed into.
//!
//! It is the window's own field, so that input methods, copying and moving the cursor work as everywhere. A turned text
//! is written upright.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use egui::text::{CCursor, CCursorRange, LayoutJob, TextFormat};
use egui::{
    Align, Align2, Area, Color32, FontFamily, FontId, Frame, Galley, Id, Key, Margin, Order, Popup,
    Rect, Response, TextEdit, Ui, Vec2, vec2,
};

use super::view::CanvasView;
use crate::design::{
    AutoResize, LineHeight, Node, NodeId, Paint, TextAlign, TextContent, TextDecoration, TextStyle,
    VerticalAlign,
};
use crate::editor::{Act, InPlace, TypedText, TypingAct};
use crate::ui::assist::acting::act;
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::with_escape;
use crate::workbench::AssistDesk;

/// The smallest and the largest letters that the field shows, in points of the screen.
const LETTERS: (f32, f32) = (4.0, 240.0);
/// Frames in which letters are selected again.
const RESTORES: u8 = 3;
/// Room for the cursor behind the last letter.
const CURSOR: f32 = 8.0;

/// What egui calls the field, to know whether it has the keyboard.
pub(in crate::ui) fn typing_id() -> Id {
    Id::unique("assist_typing")
}

/// What is typed, and into which text.
#[derive(Debug, Default)]
pub(super) struct TypingField {
    of: Option<NodeId>,
    words: String,
    /// The keyboard is elsewhere for a moment, where the properties of what is typed are.
    is_left: bool,
    /// For how many frames the letters that were selected when it left are selected again: a field that was without it
    /// lets go of them in its first frame with it.
    restores: u8,
}

impl TypingField {
    /// Draws the field, while a text is typed into. `properties`: where those of the letters are changed, without
    /// being done with the text.
    pub(super) fn show(
        &mut self,
        ui: &Ui,
        cx: &ViewContext<'_>,
        desk: &AssistDesk,
        view: CanvasView,
        (clip, properties): (Rect, Option<Rect>),
    ) {
        let document = desk.editor.shown();
        let typed = desk.editor.in_place().typed().and_then(|id| document.get(id));
        let Some((node, text)) = typed.and_then(|node| Some((node, node.text()?))) else {
            (self.of, self.is_left) = (None, false);
            return;
        };
        let begins = self.of.as_ref() != Some(&node.id);
        if begins {
            (self.of, self.is_left) = (Some(node.id.clone()), false);
            text.characters.clone_into(&mut self.words);
        }
        let Ok(bounds) = document.absolute_box(&node.id) else { return };
        // Turned, it is written upright from where its box begins.
        let place = view.to_screen(bounds.origin());
        let size =
            vec2((node.size.width * view.zoom) as f32, (node.size.height * view.zoom) as f32);
        let look = TypedTextLook::of(ui, node, text, view.zoom);
        let area = Area::new(typing_id().with("area"));
        let area = area.order(Order::Middle).constrain(false).fixed_pos(place);
        let response = area.show(ui.ctx(), |ui| {
            ui.set_clip_rect(clip);
            self.field_ui(ui, &look, (text, size))
        });
        let response = response.inner;
        if begins {
            response.request_focus();
            select_letters(ui, CCursorRange::select_all_str(&self.words));
            return;
        }
        if response.changed() {
            act(cx, Act::Typing(TypingAct::Write(self.words.clone())));
        }
        self.end_or_stay(ui, cx, desk, &response, properties);
    }

    /// Is done with the text where the keyboard goes elsewhere, but not while it is at its properties.
    fn end_or_stay(
        &mut self,
        ui: &Ui,
        cx: &ViewContext<'_>,
        desk: &AssistDesk,
        response: &Response,
        properties: Option<Rect>,
    ) {
        let InPlace::Text(TypedText { selected, .. }) = desk.editor.in_place() else { return };
        if response.has_focus() {
            self.is_left = false;
            if ui.input(|input| input.key_pressed(Key::Escape)) {
                response.surrender_focus();
                act(cx, Act::Typing(TypingAct::End));
                return;
            }
            let cursor = TextEdit::load_state(ui.ctx(), response.id);
            let cursor = cursor.and_then(|state| state.cursor.char_range());
            let now = cursor.map(|range| range.as_sorted_char_range());
            // A cursor between two letters selects none, wherever it stands.
            let now = now.map(|range| range.start.0..range.end.0);
            let now = now.map(|range| if range.is_empty() { 0..0 } else { range });
            let is_let_go = now.as_ref().is_some_and(|now| now != selected);
            if self.restores > 0 && is_let_go && !response.changed() {
                self.restores -= 1;
                select_letters(ui, range_of(selected));
                return;
            }
            self.restores = 0;
            // What was just written is not there yet, nor are the letters that are selected in it.
            if let Some(now) = now.filter(|now| now != selected && !response.changed()) {
                act(cx, Act::Typing(TypingAct::Select(now)));
            }
            return;
        }
        let pressed = ui.input(|input| {
            let pointer = &input.pointer;
            // A click elsewhere takes the keyboard when it is let go.
            let is_click = pointer.any_pressed() || pointer.any_released();
            is_click.then(|| pointer.interact_pos()).flatten()
        });
        let is_at_properties =
            pressed.zip(properties).is_some_and(|(at, properties)| properties.contains(at));
        if response.lost_focus() && !is_at_properties {
            act(cx, Act::Typing(TypingAct::End));
            return;
        }
        self.is_left |= response.lost_focus();
        let is_busy = ui.input(|input| input.pointer.any_down())
            || Popup::is_any_open(ui.ctx())
            || ui.memory(|memory| memory.focused().is_some());
        // What the keyboard was away for is done. Without it, egui forgets which letters were selected.
        if self.is_left && !is_busy {
            self.is_left = false;
            self.restores = RESTORES;
            response.request_focus();
            select_letters(ui, range_of(selected));
        }
    }

    fn field_ui(
        &mut self,
        ui: &mut Ui,
        look: &TypedTextLook,
        (text, size): (&TextContent, Vec2),
    ) -> Response {
        let wraps = text.style.auto_resize != AutoResize::WidthAndHeight;
        // As wide as its words, where nothing else says how wide.
        let width =
            if wraps { size.x } else { look.laid_out(ui, &self.words, f32::INFINITY).size().x };
        let mut layouter = |ui: &Ui, words: &dyn egui::TextBuffer, room: f32| {
            look.laid_out(ui, words.as_str(), if wraps { room } else { f32::INFINITY })
        };
        let field = TextEdit::multiline(&mut self.words)
            .id(typing_id())
            .frame(Frame::NONE)
            .margin(Margin::ZERO)
            .desired_rows(1)
            .desired_width(width + if wraps { 0.0 } else { CURSOR })
            .min_size(if wraps { size } else { vec2(CURSOR, 0.0) })
            .align(Align2([if wraps { look.align } else { Align::Min }, look.down]))
            .event_filter(with_escape())
            .layouter(&mut layouter);
        ui.set_width(width + CURSOR);
        ui.add(field).accessible_name("Text on the canvas")
    }
}

/// The letters as the field counts them.
fn range_of(letters: &Range<usize>) -> CCursorRange {
    let [from, to] = [letters.start, letters.end].map(CCursor::new);
    CCursorRange::two(from, to)
}

/// Has these letters selected in the field.
fn select_letters(ui: &Ui, range: CCursorRange) {
    let mut state = TextEdit::load_state(ui.ctx(), typing_id()).unwrap_or_default();
    state.cursor.set_char_range(Some(range));
    TextEdit::store_state(ui.ctx(), typing_id(), state);
}

/// How the words look on the screen.
#[derive(Debug)]
struct TypedTextLook {
    /// As the design has it.
    text: TextContent,
    color: Color32,
    zoom: f64,
    align: Align,
    justify: bool,
    down: Align,
}

impl TypedTextLook {
    fn of(ui: &Ui, node: &Node, text: &TextContent, zoom: f64) -> Self {
        let style = &text.style;
        let color = shown_color(&node.fills).unwrap_or(tokens(ui).text);
        let (align, justify) = match style.align {
            TextAlign::Left => (Align::Min, false),
            TextAlign::Center => (Align::Center, false),
            TextAlign::Right => (Align::Max, false),
            TextAlign::Justified => (Align::Min, true),
        };
        let down = match style.vertical_align {
            VerticalAlign::Top => Align::Min,
            VerticalAlign::Center => Align::Center,
            VerticalAlign::Bottom => Align::Max,
        };
        Self { text: text.clone(), color, zoom, align, justify, down }
    }

    /// How letters of a style look that have these fills of their own.
    fn format(&self, style: &TextStyle, fills: Option<&[Paint]>) -> TextFormat {
        let color = fills.and_then(shown_color).unwrap_or(self.color);
        let (least, most) = LETTERS;
        let size = ((style.font_size * self.zoom) as f32).clamp(least, most);
        let line = egui::Stroke::new((size / 14.0).max(1.0), color);
        let mut format = TextFormat {
            font_id: FontId::new(size, family(style)),
            color,
            italics: style.italic,
            extra_letter_spacing: (style.letter_spacing * self.zoom) as f32,
            line_height: line_height(style).map(|pixels| (pixels * self.zoom) as f32),
            ..TextFormat::default()
        };
        match style.decoration {
            TextDecoration::None => {}
            TextDecoration::Underline => format.underline = line,
            TextDecoration::Strikethrough => format.strikethrough = line,
        }
        format
    }

    fn laid_out(&self, ui: &Ui, words: &str, room: f32) -> Arc<Galley> {
        let mut text = Cow::Borrowed(&self.text);
        // What is being typed is in the design a frame later.
        if text.characters != words {
            text.to_mut().rewrite(words);
        }
        let mut job = LayoutJob::default();
        for (letters, own) in text.runs() {
            let format = match own {
                Some(own) => self.format(&own.over(&text.style), own.fills.as_deref()),
                None => self.format(&text.style, None),
            };
            job.append(letters, 0.0, format);
        }
        // Of a text without letters the cursor is as high as they will be.
        if job.sections.is_empty() {
            job.append("", 0.0, self.format(&text.style, None));
        }
        job.wrap.max_width = room;
        // Without a box there is nothing to be aligned in.
        if room.is_finite() {
            (job.halign, job.justify) = (self.align, self.justify);
        }
        ui.fonts_mut(|fonts| fonts.layout_job(job))
    }
}

/// The nearest of the weights that the window has.
fn family(style: &TextStyle) -> FontFamily {
    match style.font_weight {
        weight if weight >= 600.0 => Type::Strong.font().family,
        weight if weight >= 500.0 => Type::Medium.font().family,
        _ => FontFamily::Proportional,
    }
}

/// The distance of lines in pixels; `None` as the font has it.
fn line_height(style: &TextStyle) -> Option<f64> {
    match style.line_height {
        LineHeight::Auto => None,
        LineHeight::Pixels(pixels) => Some(pixels),
        LineHeight::Percent(percent) => Some(style.font_size * percent / 100.0),
    }
}

/// The color of the topmost paint that has one.
fn shown_color(fills: &[Paint]) -> Option<Color32> {
    let mut shown = fills.iter().rev().filter(|paint| paint.visible);
    let [r, g, b, a] = shown.find_map(Paint::solid_color)?.to_u8();
    Some(Color32::from_rgba_unmultiplied(r, g, b, a))
}
