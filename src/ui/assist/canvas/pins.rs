//! Comments, as pins on the layers they are about.

use egui::{
    Align2, Area, Id, Key, Modifiers, Order, Painter, Popup, PopupCloseBehavior, Pos2, Rect,
    Response, Role, Sense, Stroke, TextEdit, Ui, WidgetInfo, pos2, vec2,
};

use super::view::CanvasView;
use crate::base::Point;
use crate::design::NodeId;
use crate::design::gesture::{Depth, HitSettings, hit};
use crate::editor::{Act, Tool};
use crate::ui::assist::acting::act;
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Button, Look, paint_text, rich_text};
use crate::workbench::{
    AssistCommand, AssistDesk, Command, Comment, CommentCommand, LONGEST_COMMENT,
};

/// How large a pin is.
const PIN: f32 = 22.0;
/// How wide what is written is.
const WIDTH: f32 = 240.0;

/// What belongs to the pins alone.
#[derive(Debug, Default)]
pub(super) struct Pins {
    draft: Option<CommentDraft>,
    /// A comment whose words are being changed.
    edited: Option<(u32, String)>,
}

/// A comment that is being written.
#[derive(Debug)]
struct CommentDraft {
    node: NodeId,
    at: Point,
    text: String,
    is_new: bool,
}

impl Pins {
    /// A click with the tool in hand begins a comment on what lies there; gives whether it is in hand.
    pub(super) fn take_pointer(
        &mut self,
        desk: &AssistDesk,
        view: CanvasView,
        response: &Response,
    ) -> bool {
        if desk.editor.tool() != Tool::Comment {
            return false;
        }
        if response.clicked()
            && let Some(pos) = response.interact_pointer_pos()
        {
            self.begin(draft_at(desk, view, pos));
        }
        true
    }

    /// Begins a comment. A click elsewhere while one is written moves its pin: what was typed so far goes along.
    fn begin(&mut self, draft: Option<CommentDraft>) {
        if let Some(draft) = draft {
            let text = self.draft.take().map_or_else(String::new, |before| before.text);
            self.draft = Some(CommentDraft { text, ..draft });
        }
    }

    /// Draws the pins, what was said where the pointer asks, and what is being written.
    pub(super) fn show(
        &mut self,
        ui: &Ui,
        painter: &Painter,
        cx: &ViewContext<'_>,
        desk: &AssistDesk,
        view: CanvasView,
    ) {
        for comment in desk.comments.iter() {
            if let Some(at) = place_of(desk, &comment.node, comment.at) {
                self.pin_ui(ui, painter, cx, comment, view.to_screen(at));
            }
        }
        let Some(mut draft) = self.draft.take() else { return };
        let Some(at) = place_of(desk, &draft.node, draft.at) else {
            // Its layer is gone; what was typed is there for another.
            self.draft = Some(draft);
            return;
        };
        if write_ui(ui, cx, &mut draft, view.to_screen(at)) {
            self.draft = Some(draft);
        } else {
            // As after a shape, the pointer selects again.
            act(cx, Act::Take(Tool::Move));
        }
    }

    fn pin_ui(
        &mut self,
        ui: &Ui,
        painter: &Painter,
        cx: &ViewContext<'_>,
        comment: &Comment,
        at: Pos2,
    ) {
        let tokens = tokens(ui);
        // The lower left corner of a pin points at its place.
        let center = at + vec2(PIN / 2.0, -PIN / 2.0);
        let area = Rect::from_center_size(center, vec2(PIN, PIN));
        let id = Id::unique(("comment_pin", comment.number));
        let response = ui.interact(area, id, Sense::click());
        let state = if comment.done { ", done" } else { "" };
        let words = format!("Comment {}{state}: {}", comment.number, comment.text);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &words));
        let (fill, ink) = if comment.done {
            (tokens.raised, tokens.dim)
        } else {
            (tokens.accent, tokens.on_accent)
        };
        let outline = if response.has_focus() || response.hovered() {
            Stroke::new(2.0, tokens.text)
        } else {
            Stroke::new(1.0, tokens.panel)
        };
        painter.rect_filled(
            Rect::from_min_max(pos2(at.x, center.y), pos2(center.x, at.y)),
            2,
            fill,
        );
        painter.circle(center, PIN / 2.0, fill, outline);
        let number = comment.number.to_string();
        paint_text(painter, center, Align2::CENTER_CENTER, &number, (Type::Strong, ink), PIN);
        Popup::menu(&response).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
            ui.set_width(WIDTH);
            self.said_ui(ui, cx, comment);
        });
    }

    /// What was said, and what can be done with it.
    fn said_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, comment: &Comment) {
        let tokens = tokens(ui);
        let author = if comment.author.is_empty() { "Comment" } else { &comment.author };
        ui.label(rich_text(author, Type::Strong, tokens.text));
        if let Some((number, text)) = &mut self.edited
            && *number == comment.number
        {
            let edit = TextEdit::multiline(text)
                .id(Id::unique("comment_edit"))
                .desired_rows(3)
                .char_limit(LONGEST_COMMENT);
            ui.add(edit.desired_width(WIDTH)).accessible_name("Comment");
            let can = !text.trim().is_empty();
            let (mut saves, mut leaves) = (false, false);
            ui.horizontal(|ui| {
                let save = Button::text("Save").look(Look::Primary).enabled(can);
                saves = save.show(ui).clicked();
                leaves = Button::text("Cancel").show(ui).clicked();
            });
            if saves {
                let (number, text) = (*number, std::mem::take(text));
                send(cx, CommentCommand::Edit { number, text });
            }
            if saves || leaves {
                self.edited = None;
            }
            return;
        }
        ui.add(egui::Label::new(rich_text(&comment.text, Type::Body, tokens.text)).wrap());
        ui.horizontal(|ui| {
            let number = comment.number;
            let words = if comment.done { "Not done" } else { "Done" };
            if Button::text(words).tooltip("It was seen to, or not.").show(ui).clicked() {
                send(cx, CommentCommand::SetDone { number, done: !comment.done });
            }
            if Button::text("Edit").tooltip("Say something else.").show(ui).clicked() {
                self.edited = Some((number, comment.text.clone()));
            }
            if Button::text("Remove").tooltip("Take the comment away.").show(ui).clicked() {
                send(cx, CommentCommand::Remove(number));
                ui.close();
            }
        });
    }
}

/// Where a place of a node is on the page; `None` of a node that is not there any more.
fn place_of(desk: &AssistDesk, node: &NodeId, at: Point) -> Option<Point> {
    let document = desk.editor.shown();
    let page_from_node = document.absolute_transform(node).ok()?;
    // What is said about other pages is seen there.
    let page = document.page_of(node).filter(|_| document.pages().len() > 1);
    if page.is_some_and(|page| desk.editor.page().as_ref() != Some(&page.id)) {
        return None;
    }
    Some(page_from_node.apply(at))
}

/// A comment on the deepest layer there, else on the screen.
fn draft_at(desk: &AssistDesk, view: CanvasView, pos: Pos2) -> Option<CommentDraft> {
    let document = &desk.editor.on_page();
    let at = view.to_page(pos);
    let found = hit(document, at, None, Depth::Deepest, HitSettings::at_zoom(view.zoom));
    let node = found.or_else(|| document.main_frame().map(|frame| frame.id.clone()))?;
    let node_from_page = document.absolute_transform(&node).ok()?.inverse()?;
    let at = node_from_page.apply(at);
    Some(CommentDraft { node, at, text: String::new(), is_new: true })
}

/// Draws the field of a comment; gives whether it is still written.
fn write_ui(ui: &Ui, cx: &ViewContext<'_>, draft: &mut CommentDraft, at: Pos2) -> bool {
    let mut goes_on = true;
    let frame = tokens(ui).overlay_frame().inner_margin(8);
    let area = Area::new(Id::unique("comment_draft")).order(Order::Middle);
    area.fixed_pos(at + vec2(12.0, -12.0)).constrain(true).show(ui.ctx(), |ui| {
        frame.show(ui, |ui| {
            ui.set_width(WIDTH);
            let id = Id::unique("comment_text");
            let (mut sends, mut leaves) = (false, false);
            if ui.memory(|memory| memory.has_focus(id)) {
                ui.input_mut(|input| {
                    sends = input.consume_key(Modifiers::COMMAND, Key::Enter);
                    leaves = input.consume_key(Modifiers::NONE, Key::Escape);
                });
            }
            let edit = TextEdit::multiline(&mut draft.text)
                .id(id)
                .desired_rows(3)
                .desired_width(WIDTH)
                .char_limit(LONGEST_COMMENT)
                .event_filter(crate::ui::widgets::with_escape())
                .hint_text(rich_text("Comment", Type::Body, tokens(ui).dim));
            let response = ui.add(edit).accessible_name("New comment");
            if std::mem::take(&mut draft.is_new) {
                response.request_focus();
            }
            ui.horizontal(|ui| {
                let can = !draft.text.trim().is_empty();
                let button = Button::text("Comment").look(Look::Primary).enabled(can);
                sends |= button.tooltip("Ctrl and Enter do the same.").show(ui).clicked();
                leaves |= Button::text("Cancel").show(ui).clicked();
                sends &= can;
            });
            if sends {
                let (node, at) = (draft.node.clone(), draft.at);
                let text = std::mem::take(&mut draft.text);
                send(cx, CommentCommand::Add { node, at, text });
            }
            goes_on = !sends && !leaves;
        });
    });
    goes_on
}

fn send(cx: &ViewContext<'_>, command: CommentCommand) {
    cx.send(Command::Assist(AssistCommand::Comment(command)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_click_elsewhere_moves_a_comment_that_is_written_with_its_words() {
        let draft = |node: &str| CommentDraft {
            node: node.into(),
            at: Point::new(1.0, 2.0),
            text: String::new(),
            is_new: true,
        };
        let mut pins = Pins::default();
        pins.begin(Some(draft("1:1")));
        pins.draft.as_mut().unwrap().text.push_str("too small");
        pins.begin(Some(draft("1:2")));
        pins.begin(None);
        let written = pins.draft.unwrap();
        assert_eq!((written.node.as_str(), written.text.as_str()), ("1:2", "too small"));
    }
}
