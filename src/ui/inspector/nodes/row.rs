//! One layer of the list.

use egui::{Align2, Id, Rect, Response, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use crate::design::diff::Change;
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Tokens, Type, size, tokens};
use crate::ui::widgets::{paint_text, rich_text, text_width};
use crate::workbench::views::ShownRow;
use crate::workbench::{ChangeKind, Command, Comparison, LayerRow, LayerTreeKey, NodesCommand};

/// From one level to the next.
const INDENT: f32 = 12.0;
/// Deeper levels stand below each other: names need the room.
const MOST_LEVELS: u32 = 9;
/// Most marks a row has room for.
const MARKS: usize = 4;
const MARK: f32 = 16.0;
const RIGHT: f32 = 12.0;

/// How a row is shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowLook {
    pub(super) shown: ShownRow,
    pub(super) is_selected: bool,
    /// The pointer is on its node on the stage.
    pub(super) is_pointed_at: bool,
    pub(super) against: Comparison,
}

/// Draws a layer, and sends what a click on it means.
pub(super) fn row_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    row: &LayerRow,
    look: RowLook,
    key: &LayerTreeKey,
) -> Response {
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), size::ROW));
    // A node and the ghost of the same node may both be listed, where it moved to another parent.
    let id = Id::unique(("node_row", row.is_ghost, row.id.as_str()));
    let response = ui.interact(rect, id, Sense::CLICK);
    let words = spoken(row, look.against);
    response.widget_info(|| WidgetInfo::selected(Role::TreeItem, true, look.is_selected, &words));
    let tokens = tokens(ui);
    ground_ui(ui, rect, look, &response, tokens);
    let caret_x = rect.left() + 16.0 + row.depth.min(MOST_LEVELS) as f32 * INDENT;
    if let Some(folded) = look.shown.folded {
        let icon = if folded { icons::FOLDED } else { icons::UNFOLDED };
        let style = (Type::IconSmall, tokens.dim);
        let at = pos2(caret_x, rect.center().y);
        paint_text(ui.painter(), at, Align2::CENTER_CENTER, icon, style, 16.0);
    }
    // Marks first: the name takes the room that they leave.
    let right = marks_ui(ui, rect, row, look.against, tokens);
    name_ui(ui, rect, caret_x + 10.0, right, row, look, tokens);
    if response.clicked() {
        // The whole row is one widget, as in the library: the caret is a place on it.
        let on_caret = response.interact_pointer_pos().is_some_and(|at| at.x < caret_x + 9.0);
        cx.send(Command::Nodes(if on_caret && look.shown.folded.is_some() {
            NodesCommand::ToggleFolded(row.id.clone())
        } else {
            NodesCommand::Select(Some(key.node_of(row)))
        }));
    }
    response.clone().on_hover_ui(|ui| tooltip_ui(ui, row, look.against));
    response
}

fn ground_ui(ui: &Ui, rect: Rect, look: RowLook, response: &Response, tokens: &Tokens) {
    let body = rect.shrink2(vec2(6.0, 0.0));
    let fill = if look.is_selected {
        tokens.accent_wash
    } else if response.hovered() || look.is_pointed_at {
        tokens.raised
    } else {
        return;
    };
    ui.painter().rect_filled(body, size::RADIUS_SMALL, fill);
}

fn name_ui(
    ui: &Ui,
    rect: Rect,
    left: f32,
    right: f32,
    row: &LayerRow,
    look: RowLook,
    tokens: &Tokens,
) {
    let middle = rect.center().y;
    // What does not match stands there only because something below it does.
    let quiet = !row.is_visible || !look.shown.is_match;
    let ink = if row.is_ghost {
        tokens.loss
    } else if quiet {
        tokens.dim
    } else {
        tokens.text
    };
    let icon_ink = if row.is_ghost || quiet { ink } else { tokens.dim };
    let at = pos2(left, middle);
    let style = (Type::IconSmall, icon_ink);
    paint_text(ui.painter(), at, Align2::LEFT_CENTER, icons::of_node_kind(&row.kind), style, 18.0);
    let at = pos2(left + 19.0, middle);
    let room = (right - at.x - 4.0).max(0.0);
    let name = shown_name(row);
    let style = (Type::Body, ink);
    let drawn = paint_text(ui.painter(), at, Align2::LEFT_CENTER, name, style, room);
    if row.is_ghost {
        // Struck out as well as red: colour alone would not tell it to everybody.
        let through = Stroke::new(1.0, tokens.loss.gamma_multiply(0.7));
        ui.painter().hline(drawn.x_range(), middle + 0.5, through);
    }
}

/// A layer without a name is called by its type.
fn shown_name(row: &LayerRow) -> &str {
    if row.name.trim().is_empty() { &row.kind } else { &row.name }
}

/// The marks at the right; gives where they begin.
fn marks_ui(ui: &Ui, rect: Rect, row: &LayerRow, against: Comparison, tokens: &Tokens) -> f32 {
    let mut right = pos2(rect.right() - RIGHT, rect.center().y);
    let more = row.change_kinds.len().saturating_sub(MARKS);
    if more > 0 {
        let (words, style) = (format!("+{more}"), (Type::Caption, tokens.dim));
        paint_text(ui.painter(), right, Align2::RIGHT_CENTER, &words, style, 40.0);
        right.x -= text_width(ui, &words, Type::Caption) + 4.0;
    }
    // From the right, so that they read in their order; hidden stands before them all.
    let marks = row.change_kinds.iter().take(MARKS).rev();
    let marks = marks.map(|mark| (icons::of_change_kind(*mark), tokens.mark(*mark, against)));
    let hidden = (!row.is_visible).then_some((icons::HIDDEN, tokens.faint));
    for (icon, color) in marks.chain(hidden) {
        let style = (Type::IconSmall, color);
        paint_text(ui.painter(), right, Align2::RIGHT_CENTER, icon, style, 40.0);
        right.x -= MARK;
    }
    right.x
}

/// What a screen reader says.
fn spoken(row: &LayerRow, against: Comparison) -> String {
    let kind = row.kind.to_lowercase().replace('_', " ");
    let hidden = (!row.is_visible).then(|| "hidden".to_owned());
    let marks = row.change_kinds.iter().map(|mark| mark.word(against).to_owned());
    let parts = [shown_name(row).to_owned(), kind].into_iter().chain(hidden).chain(marks);
    parts.collect::<Vec<_>>().join(", ")
}

fn tooltip_ui(ui: &mut Ui, row: &LayerRow, against: Comparison) {
    let tokens = tokens(ui);
    ui.set_max_width(280.0);
    let strong = rich_text(shown_name(row), Type::Strong, tokens.text);
    ui.add(egui::Label::new(strong).wrap());
    let kind = row.kind.to_lowercase().replace('_', " ");
    let place = row.screen_box.map(|area| {
        format!(" · {:.0} × {:.0} at {:.0}, {:.0}", area.width, area.height, area.x, area.y)
    });
    let words = format!("{kind}{}", place.unwrap_or_default());
    ui.label(rich_text(words, Type::Caption, tokens.dim));
    for change in &row.changes {
        let words = change_words(change, against);
        let color = tokens.mark(ChangeKind::of(change), against);
        ui.add(egui::Label::new(rich_text(words, Type::Caption, color)).wrap());
    }
}

/// A difference in a sentence.
fn change_words(change: &Change, against: Comparison) -> String {
    let word = ChangeKind::of(change).word(against);
    match change {
        Change::Added | Change::Removed | Change::Reparented { .. } => word.to_owned(),
        Change::Moved { from, to } => format!(
            "{word} from {}, {} to {}, {}",
            number(from.x),
            number(from.y),
            number(to.x),
            number(to.y)
        ),
        Change::Resized { from, to } => format!(
            "{word} from {} × {} to {} × {}",
            number(from.width),
            number(from.height),
            number(to.width),
            number(to.height)
        ),
        Change::Turned { from, to } => {
            format!("{word} from {}° to {}°", number(*from), number(*to))
        }
        Change::Retyped { from, to } => {
            let [from, to] = [from, to].map(|kind| kind.to_lowercase().replace('_', " "));
            format!("{word} from {from} to {to}")
        }
        Change::Renamed { from, to } | Change::Rewritten { from, to } => {
            format!("{word} from “{}” to “{}”", cut(from), cut(to))
        }
        // Which fields, and not their values: the properties below have both sides.
        Change::Restyled { fields } => {
            let fields: Vec<&str> = fields.iter().map(|field| field.label()).collect();
            format!("{word}: {}", fields.join(", "))
        }
        Change::Reordered { from, to } => format!("{word} from place {from} to {to}"),
    }
}

/// To a tenth of a unit, and whole numbers without one.
fn number(value: f64) -> String {
    format!("{value:.1}").trim_end_matches(".0").to_owned()
}

/// A tooltip is no place for a whole text.
fn cut(text: &str) -> String {
    const LONG: usize = 60;
    let short: String = text.chars().take(LONG).collect();
    if short.len() < text.len() { format!("{short}…") } else { short }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Point;

    #[test]
    fn a_difference_is_said_with_both_sides() {
        let moved = Change::Moved { from: Point::new(1.0, 2.25), to: Point::new(3.0, 2.0) };
        assert_eq!(change_words(&moved, Comparison::Previous), "moved from 1, 2.2 to 3, 2");
        assert_eq!(change_words(&Change::Removed, Comparison::GroundTruth), "missing");
        assert_eq!(change_words(&Change::Removed, Comparison::Previous), "removed");
    }
}
