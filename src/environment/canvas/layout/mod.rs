//! Tools for auto layout. They change what a frame and its children say; where the children then lie
//! is found when the change settles.

mod sizing;

pub(super) use sizing::set_layout_sizing;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::design::edit::Transaction;
use crate::design::{AutoLayout, Direction, Node, NodeId, Sides, Sizing};

use super::auto_layout::{
    Counter, LayoutMode, Primary, Wrap, check_words, counter_word, primary_word,
};
use super::compat::Quirk;
use super::error::ToolError;
use super::page::{Page, settle};
use super::reply::{Reply, number};
use sizing::{AXES, set_sizing};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SetPadding {
    node_id: String,
    #[serde(flatten)]
    padding: Padding,
}

/// Paddings as the tools take them.
#[expect(clippy::struct_field_names, reason = "flattened: these are the argument names")]
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Padding {
    padding_top: Option<f64>,
    padding_right: Option<f64>,
    padding_bottom: Option<f64>,
    padding_left: Option<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SetAxisAlign {
    node_id: String,
    primary_axis_align_items: Option<Primary>,
    counter_axis_align_items: Option<Counter>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SetItemSpacing {
    node_id: String,
    item_spacing: f64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SetLayoutMode {
    node_id: String,
    layout_mode: LayoutMode,
    layout_wrap: Option<Wrap>,
}

impl Padding {
    /// `now` with what is given; Figma has no negative padding.
    pub(super) fn over(self, now: Sides) -> Result<Sides, ToolError> {
        let given = [
            ("paddingTop", self.padding_top),
            ("paddingRight", self.padding_right),
            ("paddingBottom", self.padding_bottom),
            ("paddingLeft", self.padding_left),
        ];
        // The published schema sets no least, so that it is not checked before.
        for (name, pixels) in given {
            if let Some(pixels) = pixels.filter(|pixels| *pixels < 0.0) {
                let message = format!("{name}: must be at least 0, got {pixels}");
                return Err(ToolError::BadArguments(message));
            }
        }
        Ok(Sides {
            top: self.padding_top.unwrap_or(now.top),
            right: self.padding_right.unwrap_or(now.right),
            bottom: self.padding_bottom.unwrap_or(now.bottom),
            left: self.padding_left.unwrap_or(now.left),
        })
    }
}

pub(super) fn set_padding(page: &mut Page, arguments: &SetPadding) -> Result<Reply, ToolError> {
    let (id, layout) = laid_out(page, &arguments.node_id)?;
    let padding = arguments.padding.over(layout.padding)?;
    change_layout(page, &id, |layout| layout.padding = padding)?;
    let name = &page.node(id.as_str())?.name;
    let structured = json!({
        "id": id.as_str(), "name": name,
        "paddingTop": number(padding.top), "paddingRight": number(padding.right),
        "paddingBottom": number(padding.bottom), "paddingLeft": number(padding.left),
    });
    let text = format!(
        "The padding of \"{name}\" is now {}, {}, {}, {} (clockwise from the top)",
        padding.top, padding.right, padding.bottom, padding.left
    );
    Ok(Reply::new(text, structured))
}

pub(super) fn set_axis_align(
    page: &mut Page,
    arguments: &SetAxisAlign,
) -> Result<Reply, ToolError> {
    let (id, layout) = laid_out(page, &arguments.node_id)?;
    // Before anything is changed: baselines are for horizontal frames.
    check_words(layout.direction, None, arguments.counter_axis_align_items)?;
    // What is not given is set to what it is, which changes nothing.
    let primary = arguments.primary_axis_align_items.map_or(layout.primary_align, Into::into);
    let counter = arguments.counter_axis_align_items.map_or(layout.counter_align, Into::into);
    let mode = LayoutMode::from(layout.direction).word();
    change_layout(page, &id, |layout| {
        (layout.primary_align, layout.counter_align) = (primary, counter);
    })?;
    let name = &page.node(id.as_str())?.name;
    let (primary, counter) = (primary_word(primary), counter_word(counter));
    let text =
        format!("The children of \"{name}\" are aligned {primary} along {mode}, {counter} across");
    let structured = json!({
        "id": id.as_str(), "name": name, "primaryAxisAlignItems": primary,
        "counterAxisAlignItems": counter, "layoutMode": mode,
    });
    Ok(Reply::new(text, structured))
}

pub(super) fn set_item_spacing(
    page: &mut Page,
    arguments: &SetItemSpacing,
) -> Result<Reply, ToolError> {
    let (id, layout) = laid_out(page, &arguments.node_id)?;
    let mode = LayoutMode::from(layout.direction).word();
    let spacing = arguments.item_spacing;
    change_layout(page, &id, |layout| layout.item_spacing = spacing)?;
    let name = &page.node(id.as_str())?.name;
    let text = format!("The children of \"{name}\" are now {spacing} px apart");
    let structured = json!({
        "id": id.as_str(), "name": name, "itemSpacing": number(spacing), "layoutMode": mode,
    });
    Ok(Reply::new(text, structured))
}

pub(super) fn set_layout_mode(
    page: &mut Page,
    arguments: &SetLayoutMode,
) -> Result<Reply, ToolError> {
    let node = page.node(&arguments.node_id)?;
    if !node.kind.can_lay_out() {
        return Err(ToolError::wrong_type(node, "only a frame or component has auto layout"));
    }
    let id = node.id.clone();
    let wraps = arguments.layout_wrap == Some(Wrap::Wrap);
    let mut change = Transaction::begin(&mut page.document);
    match arguments.layout_mode.direction() {
        None => switch_off(&mut change, &id)?,
        Some(direction) => {
            check_words(direction, arguments.layout_wrap, None)?;
            switch_on(&mut change, &id, direction, wraps)?;
        }
    }
    page.last_edit = Some(settle(change, &page.settings.render));
    // The work is done and stays done: that is the quirk.
    if page.has(Quirk::LayoutModeReportsAnError) {
        return Err(ToolError::Refused(
            "Cannot read properties of undefined (reading 'name')".to_owned(),
        ));
    }
    Ok(mode_reply(page.node(id.as_str())?))
}

fn mode_reply(node: &Node) -> Reply {
    let layout = node.auto_layout.as_deref();
    let mode = layout.map_or(LayoutMode::None, |layout| layout.direction.into()).word();
    // As the frame is now: switching auto layout off takes wrapping with it.
    let wraps = layout.is_some_and(|layout| layout.wraps);
    let wrap = if wraps { Wrap::Wrap } else { Wrap::NoWrap }.word();
    let name = &node.name;
    let structured = json!({
        "id": node.id.as_str(), "name": name, "layoutMode": mode, "layoutWrap": wrap,
    });
    let text = match layout {
        None => format!("\"{name}\" no longer lays out its children; they stay where they are"),
        Some(_) => format!("\"{name}\" now lays out its children: {mode}, {wrap}"),
    };
    Reply::new(text, structured)
}

/// Gives a frame auto layout, or turns the one it has. A frame that had none hugs its children along
/// the new axis and keeps its extent across, as Figma has it.
fn switch_on(
    change: &mut Transaction<'_>,
    id: &NodeId,
    direction: Direction,
    wraps: bool,
) -> Result<(), ToolError> {
    let is_new = change.document().node(id)?.auto_layout.is_none();
    // What its own parent decides stays: found before the direction changes what the fields mean.
    let fills_along = change.document().sizing(id, direction) == Sizing::Fill;
    let fills_across = change.document().sizing(id, direction.across()) == Sizing::Fill;
    change.update(id, |frame| {
        let layout = frame.auto_layout.get_or_insert_with(|| {
            Box::new(AutoLayout { counter_hugs: false, ..AutoLayout::new(direction) })
        });
        (layout.direction, layout.wraps) = (direction, wraps);
    })?;
    if is_new && !fills_along {
        set_sizing(change, id, direction, Sizing::Hug)?;
    }
    if is_new && !fills_across {
        set_sizing(change, id, direction.across(), Sizing::Fixed)?;
    }
    Ok(())
}

/// Takes auto layout from a frame: it and its children keep the boxes they have, fixed.
fn switch_off(change: &mut Transaction<'_>, id: &NodeId) -> Result<(), ToolError> {
    // Without auto layout FILL and HUG mean nothing; what they led to is kept as it is now.
    for axis in AXES {
        for child in change.document().children_of(Some(id)).to_vec() {
            if change.document().sizing(&child, axis) == Sizing::Fill {
                set_sizing(change, &child, axis, Sizing::Fixed)?;
            }
        }
        if change.document().sizing(id, axis) == Sizing::Hug {
            set_sizing(change, id, axis, Sizing::Fixed)?;
        }
    }
    Ok(change.update(id, |frame| frame.auto_layout = None)?)
}

/// Changes the auto layout of a frame that has one.
fn change_layout(
    page: &mut Page,
    id: &NodeId,
    change_to: impl FnOnce(&mut AutoLayout),
) -> Result<(), ToolError> {
    let mut change = Transaction::begin(&mut page.document);
    change.update(id, |frame| {
        // `laid_out` has found one.
        if let Some(layout) = &mut frame.auto_layout {
            change_to(layout);
        }
    })?;
    page.last_edit = Some(settle(change, &page.settings.render));
    Ok(())
}

/// The id and the auto layout of a node that has one.
fn laid_out(page: &Page, id: &str) -> Result<(NodeId, AutoLayout), ToolError> {
    let node = page.node(id)?;
    if !node.kind.can_lay_out() {
        return Err(ToolError::wrong_type(node, "only a frame or component has auto layout"));
    }
    match &node.auto_layout {
        Some(layout) => Ok((node.id.clone(), AutoLayout::clone(layout))),
        None => Err(ToolError::wrong_type(
            node,
            "it has no auto layout; give it one with set_layout_mode HORIZONTAL or VERTICAL",
        )),
    }
}

/// What `get_node_info` tells of a frame's auto layout.
pub(super) fn layout_fields(layout: &AutoLayout) -> [(String, Value); 8] {
    let padding = layout.padding;
    [
        ("layoutMode", Value::from(LayoutMode::from(layout.direction).word())),
        ("itemSpacing", number(layout.item_spacing)),
        ("paddingTop", number(padding.top)),
        ("paddingRight", number(padding.right)),
        ("paddingBottom", number(padding.bottom)),
        ("paddingLeft", number(padding.left)),
        ("primaryAxisAlignItems", Value::from(primary_word(layout.primary_align))),
        ("counterAxisAlignItems", Value::from(counter_word(layout.counter_align))),
    ]
    .map(|(key, value)| (key.to_owned(), value))
}
