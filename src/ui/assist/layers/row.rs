//! One layer of the tree.

use egui::{
    Align2, Color32, Id, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2,
    vec2,
};

use super::proposed::{ProposedLayer, ProposedMark};
use crate::design::Node;
use crate::editor::{Inherited, TreeRow, is_locked};
use crate::ui::icons;
use crate::ui::theme::{Tokens, Type, size, tokens};
use crate::ui::widgets::{paint_text, say};

/// From one level to the next.
pub(super) const INDENT: f32 = 13.0;
/// Deeper levels stand below each other: names need the room.
pub(super) const MOST_LEVELS: u32 = 9;
/// Where the caret of the first level is.
pub(super) const FIRST: f32 = 16.0;
/// From the right edge to the middle of the first mark.
const RIGHT: f32 = 18.0;
/// From one mark to the next.
const MARK: f32 = 20.0;

/// How a row is shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowLook<'a> {
    pub(super) row: &'a TreeRow,
    pub(super) node: &'a Node,
    /// What holds for it from those around it.
    pub(super) inherited: Inherited,
    pub(super) is_selected: bool,
    /// The pointer is on it on the canvas.
    pub(super) is_pointed_at: bool,
    /// Dragged rows would go into it.
    pub(super) takes_drop: bool,
    /// Its name is being typed over.
    pub(super) is_renamed: bool,
    /// Nothing but a drag of rows or marks is under way.
    pub(super) is_dragging: bool,
    pub(super) proposed: Option<&'a ProposedLayer>,
    /// A family of the text that is missing here.
    pub(super) missing_font: Option<&'a str>,
}

/// What a row answers.
#[derive(Debug)]
pub(super) struct RowResponse {
    /// The whole row.
    pub(super) row: Response,
    /// Whether a click was on the caret.
    pub(super) on_caret: bool,
    /// The eye.
    pub(super) eye: Response,
    /// The lock.
    pub(super) lock: Response,
    /// The room of the name.
    pub(super) name: Rect,
}

/// Draws a layer.
pub(super) fn row_ui(ui: &mut Ui, look: RowLook<'_>) -> RowResponse {
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), size::ROW));
    let id = Id::unique(("layer_row", look.node.id.as_str()));
    let row = ui.interact(rect, id, Sense::click_and_drag());
    let words = spoken(look);
    row.widget_info(|| WidgetInfo::selected(Role::TreeItem, true, look.is_selected, &words));
    let tokens = tokens(ui);
    // After the row, so that they lie over it.
    let mut right = rect.right() - RIGHT;
    if let Some(proposed) = look.proposed {
        let style = (Type::Strong, proposed.mark.color(tokens));
        let at = pos2(right, rect.center().y);
        paint_text(ui.painter(), at, Align2::CENTER_CENTER, proposed.mark.sign(), style, 20.0);
        right -= MARK;
    }
    let (hidden, locked) = (!look.node.visible, is_locked(look.node));
    let eye = mark_ui(ui, right, rect, id.with("eye"), &eye_name(look.node), hidden);
    let lock = mark_ui(ui, right - MARK, rect, id.with("lock"), &lock_name(look.node), locked);
    let is_over = row.contains_pointer() && !look.is_dragging;
    ground_ui(ui, rect, look, is_over, tokens);
    let level = look.row.depth.min(MOST_LEVELS) as f32;
    let caret_x = rect.left() + FIRST + level * INDENT;
    if let Some(folded) = look.row.folded {
        let icon = if folded { icons::FOLDED } else { icons::UNFOLDED };
        let style = (Type::IconSmall, tokens.dim);
        let at = pos2(caret_x, rect.center().y);
        paint_text(ui.painter(), at, Align2::CENTER_CENTER, icon, style, 16.0);
    }
    let marks = Marks { eye: &eye, lock: &lock, is_over };
    let mut marked = marks_ui(ui, look, &marks, tokens);
    let mut row = row;
    if let Some(family) = look.missing_font {
        let center = pos2(lock.rect.left() - MARK / 2.0, rect.center().y);
        let style = (Type::IconSmall, tokens.warn);
        paint_text(ui.painter(), center, Align2::CENTER_CENTER, icons::WARNING, style, 18.0);
        marked = marked.min(center.x - MARK / 2.0);
        row = row.on_hover_text(format!("{family} is missing here: drawn in Inter."));
    }
    let name = name_ui(ui, rect, caret_x + 10.0, marked, look, tokens);
    let on_caret = look.row.folded.is_some()
        && row.interact_pointer_pos().is_some_and(|at| at.x < caret_x + 9.0);
    RowResponse { row, on_caret, eye, lock, name }
}

/// What screen readers and tests call the eye.
fn eye_name(node: &Node) -> String {
    let verb = if node.visible { "Hide" } else { "Show" };
    format!("{verb} {}", shown_name(node))
}

/// What they call the lock.
fn lock_name(node: &Node) -> String {
    let verb = if is_locked(node) { "Unlock" } else { "Lock" };
    format!("{verb} {}", shown_name(node))
}

fn mark_ui(ui: &Ui, x: f32, row: Rect, id: Id, name: &str, is_on: bool) -> Response {
    let place = Rect::from_center_size(pos2(x, row.center().y), vec2(MARK, size::ROW));
    let response = ui.interact(place, id, Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_on, name));
    response
}

/// The eye and the lock, and whether the row is under the pointer.
struct Marks<'a> {
    eye: &'a Response,
    lock: &'a Response,
    is_over: bool,
}

/// Draws eye and lock where they are wanted; gives where they begin.
fn marks_ui(ui: &Ui, look: RowLook<'_>, marks: &Marks<'_>, tokens: &Tokens) -> f32 {
    let mut left = marks.eye.rect.right();
    let (hidden, locked) = (!look.node.visible, is_locked(look.node));
    // What lies in a hidden or locked layer has a dot: it is so without an eye or lock of its own.
    for (response, is_on, is_inherited, icon, quiet) in [
        (marks.eye, hidden, look.inherited.is_hidden, icons::HIDDEN, icons::SHOWN),
        (marks.lock, locked, look.inherited.is_locked, icons::LOCKED, icons::UNLOCKED),
    ] {
        let center = response.rect.center();
        if is_on || marks.is_over || response.has_focus() {
            let icon = if is_on { icon } else { quiet };
            let ink = if response.hovered() { tokens.text } else { tokens.dim };
            paint_text(
                ui.painter(),
                center,
                Align2::CENTER_CENTER,
                icon,
                (Type::IconSmall, ink),
                18.0,
            );
            left = left.min(response.rect.left());
        } else if is_inherited {
            ui.painter().circle_filled(center, 1.5, tokens.dim);
            left = left.min(response.rect.left());
        }
        if response.has_focus() {
            let ring = Stroke::new(1.5, tokens.accent);
            let around = response.rect.shrink2(vec2(1.0, 3.0));
            ui.painter().rect_stroke(around, size::RADIUS_SMALL, ring, StrokeKind::Inside);
        }
    }
    left
}

fn ground_ui(ui: &Ui, rect: Rect, look: RowLook<'_>, is_over: bool, tokens: &Tokens) {
    let body = rect.shrink2(vec2(6.0, 0.0));
    let radius = size::RADIUS_SMALL;
    if look.is_selected {
        ui.painter().rect_filled(body, radius, tokens.accent_wash);
    } else if is_over || look.is_pointed_at {
        ui.painter().rect_filled(body, radius, tokens.raised);
    }
    if look.takes_drop {
        let ring = Stroke::new(1.5, tokens.accent);
        ui.painter().rect_stroke(body, radius, ring, StrokeKind::Inside);
    }
}

/// Draws icon and name; gives the room of the name.
fn name_ui(ui: &Ui, rect: Rect, left: f32, right: f32, look: RowLook<'_>, tokens: &Tokens) -> Rect {
    let middle = rect.center().y;
    let (ink, icon_ink) = inks(look, tokens);
    let icon = icons::of_node_kind(look.node.kind.type_name());
    let style = (Type::IconSmall, icon_ink);
    paint_text(ui.painter(), pos2(left, middle), Align2::LEFT_CENTER, icon, style, 18.0);
    let at = pos2(left + 19.0, middle);
    let number = look.proposed.and_then(|proposed| proposed.number);
    let room = (right - at.x - 4.0 - if number.is_some() { 22.0 } else { 0.0 }).max(0.0);
    let place = Rect::from_min_max(pos2(at.x - 4.0, rect.top()), pos2(right, rect.bottom()));
    if look.is_renamed {
        return place;
    }
    let name = shown_name(look.node);
    let drawn = paint_text(ui.painter(), at, Align2::LEFT_CENTER, name, (Type::Body, ink), room);
    if look.proposed.is_some_and(|proposed| proposed.mark == ProposedMark::Removed) {
        // Struck out as well as red: colour alone would not tell it to everybody.
        ui.painter().hline(drawn.x_range(), middle + 0.5, Stroke::new(1.0, tokens.loss));
    }
    if let Some(number) = number {
        let center = pos2(drawn.right() + 14.0, middle);
        ui.painter().circle_filled(center, 8.0, tokens.text);
        let (words, style) = (number.to_string(), (Type::Caption, tokens.panel));
        paint_text(ui.painter(), center, Align2::CENTER_CENTER, &words, style, 16.0);
    }
    place
}

/// The colours of the name and of its icon.
fn inks(look: RowLook<'_>, tokens: &Tokens) -> (Color32, Color32) {
    if let Some(proposed) = look.proposed
        && proposed.mark != ProposedMark::Changed
    {
        let color = proposed.mark.color(tokens);
        return (color, color);
    }
    // Deeper levels step back, and what is not drawn or only leads to what was searched for.
    let is_hidden = !look.node.visible || look.inherited.is_hidden;
    let is_deep = look.row.depth >= 2 && !look.is_selected;
    let is_quiet = is_hidden || is_deep || !look.row.is_match;
    (if is_quiet { tokens.dim } else { tokens.text }, tokens.dim)
}

/// A layer without a name is called by its type.
pub(super) fn shown_name(node: &Node) -> &str {
    if node.name.trim().is_empty() { node.kind.type_name() } else { &node.name }
}

/// What a screen reader says.
fn spoken(look: RowLook<'_>) -> String {
    let kind = look.node.kind.type_name().to_lowercase().replace('_', " ");
    let mut words = format!("{}, {kind}", shown_name(look.node));
    for (is_so, said) in [
        (!look.node.visible, ", hidden"),
        (look.node.visible && look.inherited.is_hidden, ", in a hidden layer"),
        (is_locked(look.node), ", locked"),
        (!is_locked(look.node) && look.inherited.is_locked, ", in a locked layer"),
        (look.row.folded == Some(true), ", folded"),
    ] {
        if is_so {
            words.push_str(said);
        }
    }
    if let Some(family) = look.missing_font {
        words.push_str(", font missing: ");
        words.push_str(family);
    }
    if let Some(proposed) = look.proposed {
        words.push_str(", ");
        words.push_str(proposed.mark.words());
    }
    words
}

/// Draws the line between rows where dragged layers would go.
pub(super) fn line_ui(ui: &Ui, y: f32, left: f32, right: f32, depth: u32, into: &str) {
    let tokens = tokens(ui);
    let x = left + FIRST + depth.min(MOST_LEVELS) as f32 * INDENT - 4.0;
    let stroke = Stroke::new(2.0, tokens.accent);
    ui.painter().hline(x + 4.0..=right - 8.0, y, stroke);
    ui.painter().circle_stroke(pos2(x, y), 3.0, stroke);
    let place = Rect::from_min_max(pos2(x, y - 2.0), pos2(right, y + 2.0));
    let words = if into.is_empty() { "Goes here".to_owned() } else { format!("Goes into {into}") };
    say(ui, "layer_drop", place, &words);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::NodeKind;

    #[test]
    fn a_screen_reader_says_what_a_row_shows_by_icons_and_colours() {
        let mut node = Node::new("1:1".into(), "Card", NodeKind::Frame);
        node.visible = false;
        let row = TreeRow { id: "1:1".into(), depth: 1, folded: Some(true), is_match: true };
        let proposed =
            ProposedLayer { node: "1:1".into(), mark: ProposedMark::Removed, number: None };
        let look = RowLook {
            row: &row,
            node: &node,
            inherited: Inherited { is_hidden: true, is_locked: true },
            is_selected: false,
            is_pointed_at: false,
            takes_drop: false,
            is_renamed: false,
            is_dragging: false,
            proposed: Some(&proposed),
            missing_font: None,
        };
        let words = "Card, frame, hidden, in a locked layer, folded, would be removed";
        assert_eq!(spoken(look), words);
        let plain = RowLook { proposed: None, missing_font: Some("Nowhere Sans"), ..look };
        assert!(spoken(plain).ends_with(", folded, font missing: Nowhere Sans"));
        let unnamed = Node { name: " ".to_owned(), ..node };
        assert_eq!(shown_name(&unnamed), "FRAME");
    }
}
