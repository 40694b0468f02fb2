//! The field that lies over a text while it is typed into.
//!
//! It is the window's own field, so that input methods, copying and moving the cursor work as everywhere. A turned text
//! is written upright.

use std::sync::Arc;

use egui::text::{CCursorRange, LayoutJob, TextFormat};
use egui::{
    Align, Align2, Area, Color32, FontFamily, FontId, Frame, Galley, Id, Key, Margin, Order, Rect,
    TextEdit, Ui, vec2,
};

use super::view::CanvasView;
use crate::design::{
    AutoResize, LineHeight, Node, NodeId, Paint, TextAlign, TextContent, TextDecoration, TextStyle,
    VerticalAlign,
};
use crate::editor::{Act, TypingAct};
use crate::ui::assist::acting::act;
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::with_escape;
use crate::workbench::AssistDesk;

/// The smallest and the largest letters that the field shows, in points of the screen.
const LETTERS: (f32, f32) = (4.0, 240.0);
/// Room for the cursor behind the last letter.
const CURSOR: f32 = 8.0;

/// What is typed, and into which text.
#[derive(Debug, Default)]
pub(super) struct TypingField {
    of: Option<NodeId>,
    words: String,
}

impl TypingField {
    /// Draws the field, while a text is typed into.
    pub(super) fn show(
        &mut self,
        ui: &Ui,
        cx: &ViewContext<'_>,
        desk: &AssistDesk,
        view: CanvasView,
        clip: Rect,
    ) {
        let document = desk.editor.shown();
        let typed = desk.editor.in_place().typed().and_then(|id| document.get(id));
        let Some((node, text)) = typed.and_then(|node| Some((node, node.text()?))) else {
            self.of = None;
            return;
        };
        let begins = self.of.as_ref() != Some(&node.id);
        if begins {
            self.of = Some(node.id.clone());
            text.characters.clone_into(&mut self.words);
        }
        let Ok(bounds) = document.absolute_box(&node.id) else { return };
        // Turned, it is written upright from where its box begins.
        let place = view.to_screen(bounds.origin());
        let size =
            vec2((node.size.width * view.zoom) as f32, (node.size.height * view.zoom) as f32);
        let look = Look::of(ui, node, text, view.zoom);
        let id = Id::unique("assist_typing");
        let area =
            Area::new(id.with("area")).order(Order::Middle).constrain(false).fixed_pos(place);
        area.show(ui.ctx(), |ui| {
            ui.set_clip_rect(clip);
            self.field_ui(ui, cx, (id, begins), text, size, &look);
        });
    }

    fn field_ui(
        &mut self,
        ui: &mut Ui,
        cx: &ViewContext<'_>,
        (id, begins): (Id, bool),
        text: &TextContent,
        size: egui::Vec2,
        look: &Look,
    ) {
        let wraps = text.style.auto_resize != AutoResize::WidthAndHeight;
        // As wide as its words, where nothing else says how wide.
        let width =
            if wraps { size.x } else { look.laid_out(ui, &self.words, f32::INFINITY).size().x };
        let mut layouter = |ui: &Ui, words: &dyn egui::TextBuffer, room: f32| {
            look.laid_out(ui, words.as_str(), if wraps { room } else { f32::INFINITY })
        };
        let field = TextEdit::multiline(&mut self.words)
            .id(id)
            .frame(Frame::NONE)
            .margin(Margin::ZERO)
            .desired_rows(1)
            .desired_width(width + if wraps { 0.0 } else { CURSOR })
            .min_size(if wraps { size } else { vec2(CURSOR, 0.0) })
            .align(Align2([if wraps { look.align } else { Align::Min }, look.down]))
            .event_filter(with_escape())
            .layouter(&mut layouter);
        ui.set_width(width + CURSOR);
        let response = ui.add(field).accessible_name("Text on the canvas");
        if begins {
            response.request_focus();
            let mut state = TextEdit::load_state(ui.ctx(), id).unwrap_or_default();
            state.cursor.set_char_range(Some(CCursorRange::select_all_str(&self.words)));
            TextEdit::store_state(ui.ctx(), id, state);
            return;
        }
        if response.changed() {
            act(cx, Act::Typing(TypingAct::Write(self.words.clone())));
        }
        if response.has_focus() && ui.input(|input| input.key_pressed(Key::Escape)) {
            response.surrender_focus();
            act(cx, Act::Typing(TypingAct::End));
        } else if response.lost_focus() {
            act(cx, Act::Typing(TypingAct::End));
        }
    }
}

/// How the words look on the screen.
#[derive(Debug)]
struct Look {
    format: TextFormat,
    align: Align,
    justify: bool,
    down: Align,
}

impl Look {
    fn of(ui: &Ui, node: &Node, text: &TextContent, zoom: f64) -> Self {
        let style = &text.style;
        let color = shown_color(&node.fills).unwrap_or(tokens(ui).text);
        let (least, most) = LETTERS;
        let size = ((style.font_size * zoom) as f32).clamp(least, most);
        let line = egui::Stroke::new((size / 14.0).max(1.0), color);
        let mut format = TextFormat {
            font_id: FontId::new(size, family(style)),
            color,
            italics: style.italic,
            extra_letter_spacing: (style.letter_spacing * zoom) as f32,
            line_height: line_height(style).map(|pixels| (pixels * zoom) as f32),
            ..TextFormat::default()
        };
        match style.decoration {
            TextDecoration::None => {}
            TextDecoration::Underline => format.underline = line,
            TextDecoration::Strikethrough => format.strikethrough = line,
        }
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
        Self { format, align, justify, down }
    }

    fn laid_out(&self, ui: &Ui, words: &str, room: f32) -> Arc<Galley> {
        let mut job = LayoutJob::single_section(words.to_owned(), self.format.clone());
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
