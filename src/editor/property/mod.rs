//! Numbers, colours and words of the panel at the side.
//!
//! - [`NumberProperty`]: everything that is a number, with its range;
//! - [`Setting`]: everything that is chosen;
//! - [`PaintList`] and effects: lists, one entry at a time;
//! - [`exports_of`]: what nodes are exported as, a row at a time;
//! - [`families_used`]: the families of fonts of all texts, to be replaced wherever they are;
//! - [`colors_inside`]: the colours of what lies in a container, to be changed wherever they are.
//!
//! What several nodes have in common is a [`Common`]. Each act is one edit over all of them.

mod common;
mod effects;
mod exports;
mod families;
mod geometry;
mod inside;
mod layout;
mod number;
mod number_kind;
mod paints;
mod setting;
mod shape;
mod takers;
mod text;

#[cfg(test)]
mod tests;

pub use common::Common;
pub use effects::effects_of;
pub use exports::{ExportAct, exported_nodes, exports_of};
pub use families::{UsedFamily, families_of, families_used};
pub use inside::{InsideColor, PaintPlace, colors_inside, colors_of_document};
pub use layout::{Third, has_size_limits};
pub use number::{NewNumber, number_of, number_values};
pub use number_kind::{BoxCorner, BoxSide, EffectNumber, NumberProperty, ShapeNumber, SizeLimit};
pub use paints::{PaintList, paints_of};
pub use setting::{Constraint, Setting};
pub use text::{WEIGHTS, list_of, style_of};

pub(super) use geometry::set_extent;
pub(super) use text::change_letters;

use super::context::EditorContext;
use super::editing::Editor;
use super::error::EditorError;
use super::tool::Tool;
use crate::base::Rgba;
use crate::design::diff::StyleField;
use crate::design::edit::Transaction;
use crate::design::gesture::{BurstKey, BurstKind, NumberEntry};
use crate::design::hunk::Field;
use crate::design::{DocumentError, Effect, NodeId, Paint};

/// A property that is changed: of what is selected, or of the screen where nothing is.
///
/// With `burst` the change is part of one that goes on (a label that is dragged, a colour that is looked for), and is
/// undone with the rest of it; [`Self::EndBurst`] ends it.
#[derive(Clone, Debug, PartialEq)]
pub enum PropertyAct {
    /// The same on these nodes, whatever is selected by then.
    On {
        /// The nodes.
        nodes: Vec<NodeId>,
        /// What is changed.
        act: Box<Self>,
    },
    /// Sets a number as it was typed, worked out for each node.
    SetNumber {
        /// Which.
        property: NumberProperty,
        /// What was typed.
        entry: NumberEntry,
        /// Part of a burst.
        burst: bool,
    },
    /// Sets what is chosen.
    Set(Setting),
    /// Puts a paint on top; where the nodes have different ones, in place of all of them.
    AddPaint(PaintList),
    /// Takes a paint away.
    RemovePaint {
        /// Of which list.
        list: PaintList,
        /// Its place, from the bottom.
        at: usize,
    },
    /// Gives a list another paint in the place of one.
    SetPaint {
        /// Of which list.
        list: PaintList,
        /// Its place, from the bottom.
        at: usize,
        /// The paint.
        paint: Box<Paint>,
        /// Part of a burst.
        burst: bool,
    },
    /// Moves a paint to another place of its list.
    MovePaint {
        /// Of which list.
        list: PaintList,
        /// Its place, from the bottom.
        from: usize,
        /// The place it is to have.
        to: usize,
    },
    /// Puts an effect on top; where the nodes have different ones, in place of all of them.
    AddEffect,
    /// Takes an effect away.
    RemoveEffect(usize),
    /// Has another effect in the place of one.
    SetEffect {
        /// Its place, from the bottom.
        at: usize,
        /// The effect.
        effect: Box<Effect>,
        /// Part of a burst.
        burst: bool,
    },
    /// Changes what the nodes are exported as.
    Export(ExportAct),
    /// Gives solid paints another colour, wherever they are.
    Recolor {
        /// The paints.
        places: Vec<PaintPlace>,
        /// The colour.
        color: Rgba,
        /// Part of a burst.
        burst: bool,
    },
    /// Has all letters of the design that are in one family of fonts in another, whatever is selected.
    ReplaceFamily {
        /// Which.
        from: String,
        /// The one in its place.
        to: String,
    },
    /// Sets the topmost solid fill of what is selected, gives a fill to what has none, and lays the eyedropper aside.
    PickColor(Rgba),
    /// What went on is over: what comes next is a step of its own.
    EndBurst,
}

/// Does it.
pub(super) fn property_act(
    editor: &mut Editor,
    act: PropertyAct,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let selected = editor.selection().nodes.clone();
    let seen = editor.on_page();
    let nodes = match (selected.is_empty(), seen.main_frame().filter(|it| it.has_box())) {
        (true, Some(screen)) => vec![screen.id.clone()],
        _ => selected,
    };
    change(editor, &nodes, act, context)
}

fn change(
    editor: &mut Editor,
    nodes: &[NodeId],
    act: PropertyAct,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    // Of the text that is typed into, what is read and changed are the letters that are selected.
    let letters = editor.selected_letters();
    let letters_of = |id: &NodeId| {
        let (_, range) = letters.as_ref().filter(|(node, _)| node == id)?;
        Some(range)
    };
    let document = &editor.inspected();
    match act {
        PropertyAct::On { mut nodes, act } => {
            nodes.retain(|id| document.get(id).is_some());
            change(editor, &nodes, *act, context)
        }
        PropertyAct::SetNumber { property, entry, burst } => {
            let values = number_values(document, nodes, property, &entry)?;
            let step = Step { label: property.label(), burst: burst.then_some(property.field()) };
            step.make(editor, nodes, context, |change| {
                values.iter().try_for_each(|(id, number)| {
                    number::set(change, id, letters_of(id), property, number)
                })
            })
        }
        PropertyAct::Set(setting) => {
            let takers = setting.takers(document, nodes)?;
            let step = Step { label: setting.label(), burst: None };
            step.make(editor, &takers, context, |change| {
                takers.iter().try_for_each(|id| setting.set(change, id, letters_of(id)))
            })
        }
        PropertyAct::AddPaint(list) => {
            let takers = list.takers(document, nodes)?;
            let replaces = paints_of(document, &takers, list) == Common::Mixed;
            Step::of(list, false).make(editor, &takers, context, |change| {
                takers.iter().try_for_each(|id| paints::add(change, id, list, replaces))
            })
        }
        PropertyAct::RemovePaint { list, at } => {
            edit_paints(editor, nodes, (list, false), context, |paints| {
                if at < paints.len() {
                    paints.remove(at);
                }
            })
        }
        PropertyAct::SetPaint { list, at, paint, burst } => {
            edit_paints(editor, nodes, (list, burst), context, |paints| {
                if let Some(there) = paints.get_mut(at) {
                    there.clone_from(&paint);
                }
            })
        }
        PropertyAct::MovePaint { list, from, to } => {
            edit_paints(editor, nodes, (list, false), context, |paints| {
                if from.max(to) < paints.len() {
                    let paint = paints.remove(from);
                    paints.insert(to, paint);
                }
            })
        }
        PropertyAct::AddEffect => {
            let takers = effects::takers(document, nodes)?;
            let replaces = effects_of(document, &takers) == Common::Mixed;
            Step::of_effects(false).make(editor, &takers, context, |change| {
                takers.iter().try_for_each(|id| effects::add(change, id, replaces))
            })
        }
        PropertyAct::RemoveEffect(at) => {
            Step::of_effects(false).make(editor, nodes, context, |change| {
                nodes.iter().try_for_each(|id| effects::remove(change, id, at))
            })
        }
        PropertyAct::SetEffect { at, effect, burst } => {
            Step::of_effects(burst).make(editor, nodes, context, |change| {
                nodes.iter().try_for_each(|id| effects::set(change, id, at, &effect))
            })
        }
        PropertyAct::Export(act) => change_exports(editor, nodes, act, context),
        PropertyAct::Recolor { places, color, burst } => {
            let touched = inside::nodes_of(&places);
            let field = Field::Style(StyleField::Fills);
            let step = Step { label: "Color", burst: burst.then_some(field) };
            step.make(editor, &touched, context, |change| {
                places.iter().try_for_each(|place| inside::recolor(change, place, color))
            })
        }
        PropertyAct::ReplaceFamily { from, to } => replace_family(editor, &from, &to, context),
        PropertyAct::PickColor(color) => {
            if editor.selection().nodes.is_empty() {
                let why = "select what is to have the color".to_owned();
                return Err(EditorError::NotPossible(why));
            }
            let takers = PaintList::Fills.takers(document, nodes)?;
            Step::of(PaintList::Fills, false).make(editor, &takers, context, |change| {
                takers.iter().try_for_each(|id| paints::pick(change, id, color))
            })?;
            editor.set_tool(Tool::Move);
            Ok(())
        }
        PropertyAct::EndBurst => {
            editor.end_burst();
            Ok(())
        }
    }
}

/// Changes what the nodes are exported as.
fn change_exports(
    editor: &mut Editor,
    nodes: &[NodeId],
    act: ExportAct,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let document = editor.document();
    match act {
        ExportAct::Add => {
            let takers = exports::takers(document, nodes)?;
            let replaces = exports_of(document, &takers) == Common::Mixed;
            Step::EXPORT.make(editor, &takers, context, |change| {
                takers.iter().try_for_each(|id| exports::add(change, id, replaces))
            })
        }
        ExportAct::Remove(at) => Step::EXPORT.make(editor, nodes, context, |change| {
            nodes.iter().try_for_each(|id| exports::remove(change, id, at))
        }),
        ExportAct::Set { at, setting } => Step::EXPORT.make(editor, nodes, context, |change| {
            nodes.iter().try_for_each(|id| exports::set(change, id, at, &setting))
        }),
    }
}

/// Has all letters of a family in another one.
fn replace_family(
    editor: &mut Editor,
    from: &str,
    to: &str,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let used = families_used(editor.document()).into_iter();
    let used = used.filter(|family| family.name.to_lowercase() == from.to_lowercase());
    let texts: Vec<NodeId> = used.flat_map(|family| family.nodes).collect();
    if texts.is_empty() {
        return Err(EditorError::NotPossible(format!("no text is in {from}")));
    }
    let step = Step { label: "Replace font", burst: None };
    step.make(editor, &texts, context, |change| {
        texts.iter().try_for_each(|id| families::replace(change, id, from, to))
    })
}

/// Changes a list of paints of each of the nodes.
fn edit_paints(
    editor: &mut Editor,
    nodes: &[NodeId],
    (list, burst): (PaintList, bool),
    context: &EditorContext<'_>,
    with: impl Fn(&mut Vec<Paint>),
) -> Result<(), EditorError> {
    Step::of(list, burst).make(editor, nodes, context, |change| {
        nodes.iter().try_for_each(|id| paints::edit(change, id, list, &with))
    })
}

/// What a change is called, and the field that it is a burst of, if it is part of one.
#[derive(Clone, Copy, Debug)]
struct Step {
    label: &'static str,
    burst: Option<Field>,
}

impl Step {
    const EXPORT: Self = Self { label: "Export settings", burst: None };

    fn of(list: PaintList, burst: bool) -> Self {
        Self { label: list.label(), burst: burst.then_some(list.field()) }
    }

    fn of_effects(burst: bool) -> Self {
        Self { label: "Effect", burst: burst.then_some(Field::Style(StyleField::Effects)) }
    }

    fn make(
        self,
        editor: &mut Editor,
        nodes: &[NodeId],
        context: &EditorContext<'_>,
        change: impl FnOnce(&mut Transaction<'_>) -> Result<(), DocumentError>,
    ) -> Result<(), EditorError> {
        let (kind, label) = (BurstKind::Scrubbing, self.label);
        let burst = self.burst.map(|field| BurstKey { kind, nodes: nodes.to_vec(), field });
        editor.edit_in_burst(label, nodes, burst, context, change)?;
        Ok(())
    }
}
