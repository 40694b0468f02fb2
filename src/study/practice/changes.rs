//! What may be different at first.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::base::Rgba;
use crate::design::diff::{Change, Diff, StyleField as Style};
use crate::design::edit::Transaction;
use crate::design::hunk::Field;
use crate::design::{CornerRadii, Document, DocumentError, Node, NodeId, NodeKind, PaintKind};
use crate::study::chance::Chance;

/// A change of a design; which of the nodes it is of, and how, chance says.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum PracticeChange {
    /// A node lies elsewhere.
    Move {
        /// Which nodes it may be.
        nodes: Vec<String>,
        /// By how much.
        by: Vec<[f64; 2]>,
    },
    /// A node has another colour.
    Fill {
        /// Which nodes it may be.
        nodes: Vec<String>,
        /// Which colours, as `#RRGGBB`.
        to: Vec<String>,
    },
    /// A text says something else.
    Words {
        /// Which nodes it may be.
        nodes: Vec<String>,
        /// What.
        to: Vec<String>,
    },
    /// A text is of another size.
    TextSize {
        /// Which nodes it may be.
        nodes: Vec<String>,
        /// In pixels an em.
        to: Vec<f64>,
    },
    /// A node has other corners.
    Radius {
        /// Which nodes it may be.
        nodes: Vec<String>,
        /// In pixels.
        to: Vec<f64>,
    },
    /// A node has no shadow.
    NoEffects {
        /// Which nodes it may be.
        nodes: Vec<String>,
    },
    /// A node is missing.
    Remove {
        /// Which nodes it may be.
        nodes: Vec<String>,
    },
    /// What was a group is none.
    Ungroup {
        /// Which groups it may be.
        nodes: Vec<String>,
    },
}

/// A change that was made of a design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeChange {
    /// Its place among the task's changes.
    pub(super) change: usize,
    /// Of which node.
    pub(super) node: NodeId,
    /// What is as it should be once it is taken back, in words.
    pub words: String,
}

impl PracticeChange {
    fn nodes(&self) -> &[String] {
        match self {
            Self::Move { nodes, .. }
            | Self::Fill { nodes, .. }
            | Self::Words { nodes, .. }
            | Self::TextSize { nodes, .. }
            | Self::Radius { nodes, .. }
            | Self::NoEffects { nodes }
            | Self::Remove { nodes }
            | Self::Ungroup { nodes } => nodes,
        }
    }

    /// Makes the change; gives the node, and what is as it should be once it is taken back. Nothing where the node is
    /// not there, or looks so already.
    pub(super) fn make(
        &self,
        document: &mut Document,
        goal: &Document,
        chance: &mut Chance,
    ) -> Result<Option<(NodeId, String)>, DocumentError> {
        let Some(id) = self.nodes().get(chance.below(self.nodes().len())) else { return Ok(None) };
        let id = NodeId::new(id.as_str());
        let Some(node) = goal.get(&id).cloned() else { return Ok(None) };
        let before = document.clone();
        let mut transaction = Transaction::begin(document);
        match self {
            Self::Move { by, .. } => {
                let [x, y] = drawn(by, chance).unwrap_or_default();
                transaction.update(&id, |node| {
                    node.transform.e += x;
                    node.transform.f += y;
                })?;
            }
            Self::Fill { to, .. } => {
                let color = drawn(to, chance).and_then(|hex| color_of(&hex));
                if let Some(color) = color {
                    transaction.update(&id, |node| set_fill(node, color))?;
                }
            }
            Self::Words { to, .. } => {
                let words = drawn(to, chance).unwrap_or_default();
                transaction.update(&id, |node| {
                    if let Some(text) = node.text_mut() {
                        text.characters = words;
                    }
                })?;
            }
            Self::TextSize { to, .. } => {
                let size = drawn(to, chance).unwrap_or(12.0);
                transaction.update(&id, |node| {
                    if let Some(text) = node.text_mut() {
                        text.style.font_size = size;
                    }
                })?;
            }
            Self::Radius { to, .. } => {
                let radius = drawn(to, chance).unwrap_or_default();
                transaction.update(&id, |node| node.corner_radii = CornerRadii::uniform(radius))?;
            }
            Self::NoEffects { .. } => transaction.update(&id, |node| node.effects.clear())?,
            Self::Remove { .. } => transaction.remove(&id)?,
            Self::Ungroup { .. } => {
                let parent = node.parent.clone();
                let at = before.children_of(parent.as_ref()).position(&id);
                let children: Vec<NodeId> = before.children_of(Some(&id)).iter().cloned().collect();
                for (place, child) in children.iter().enumerate() {
                    // Behind the group, which goes with its last child.
                    let index = at.map(|at| at + 1 + place);
                    transaction.reparent(child, parent.as_ref(), index)?;
                }
            }
        }
        let is_changed = !transaction.commit().is_empty();
        Ok(is_changed.then(|| (id, self.words(&node))))
    }

    /// Whether what was changed is as it should be.
    pub(super) fn holds(
        &self,
        made: &MadeChange,
        now: &Document,
        goal: &Document,
        open: &Diff,
    ) -> bool {
        let fields = open.of_later(&made.node).map(|node| &node.changes);
        let differs = |field: Field| {
            let changes = fields.into_iter().flatten();
            changes.flat_map(Field::of_change).any(|it| it == field || it == Field::Existence)
        };
        match self {
            Self::Move { .. } => !differs(Field::Place),
            Self::Fill { .. } => !differs(Field::Style(Style::Fills)),
            Self::Words { .. } => !differs(Field::Words),
            Self::TextSize { .. } => !differs(Field::Style(Style::Font)),
            Self::Radius { .. } => !differs(Field::Style(Style::Corners)),
            Self::NoEffects { .. } => !differs(Field::Style(Style::Effects)),
            Self::Remove { .. } => {
                let inside = goal.subtree(&made.node).map(|node| &node.id);
                // All of it, in its place, with what it says.
                inside.into_iter().all(|id| {
                    open.of_later(id).is_none_or(|node| {
                        let mut changes = node.changes.iter();
                        !changes.any(|it| {
                            matches!(
                                it,
                                Change::Added | Change::Moved { .. } | Change::Rewritten { .. }
                            )
                        })
                    })
                })
            }
            Self::Ungroup { .. } => {
                now.get(&made.node).is_some()
                    || groups_made_anew(now, goal).iter().any(|(_, of)| *of == made.node)
            }
        }
    }

    fn words(&self, node: &Node) -> String {
        let name = &node.name;
        match self {
            Self::Move { .. } => format!("\"{name}\" lies in its place"),
            Self::Fill { .. } => match fill_of(node) {
                Some(color) => format!("\"{name}\" has the colour {}", color.to_hex()),
                None => format!("\"{name}\" has its colour"),
            },
            Self::Words { .. } => {
                let words = node.text().map(|text| text.characters.as_str()).unwrap_or_default();
                format!("The text says \"{words}\"")
            }
            Self::TextSize { .. } => {
                let size = node.text().map_or(0.0, |text| text.style.font_size);
                format!("\"{name}\" is of size {size}")
            }
            Self::Radius { .. } => {
                let radius = node.corner_radii.as_uniform().unwrap_or_default();
                format!("\"{name}\" has round corners of {radius}")
            }
            Self::NoEffects { .. } => format!("\"{name}\" has its shadow"),
            Self::Remove { .. } => format!("\"{name}\" is there and in its place"),
            Self::Ungroup { .. } => "All of it is one group".to_owned(),
        }
    }
}

/// Groups of the design that hold just what a group of the goal holds which is not there, with that.
pub(super) fn groups_made_anew(now: &Document, goal: &Document) -> Vec<(NodeId, NodeId)> {
    let gone = goal
        .iter_depth_first()
        .filter(|node| node.kind == NodeKind::Group && now.get(&node.id).is_none());
    let pairs = gone.filter_map(|group| {
        let wanted: BTreeSet<&NodeId> = goal.children_of(Some(&group.id)).iter().collect();
        let first = now.get(wanted.first()?)?;
        let around = first.parent.as_ref()?;
        // The same children and no others: then it is the group that was taken apart, under a new id.
        let holds: BTreeSet<&NodeId> = now.children_of(Some(around)).iter().collect();
        let is_group = now.get(around)?.kind == NodeKind::Group;
        let is_new = goal.get(around).is_none();
        (is_group && is_new && holds == wanted).then(|| (around.clone(), group.id.clone()))
    });
    pairs.collect()
}

fn drawn<T: Clone>(all: &[T], chance: &mut Chance) -> Option<T> {
    all.get(chance.below(all.len())).cloned()
}

fn fill_of(node: &Node) -> Option<Rgba> {
    match node.fills.first()?.kind {
        PaintKind::Solid(color) => Some(color),
        _ => None,
    }
}

fn set_fill(node: &mut Node, color: Rgba) {
    if let Some(paint) = node.fills.first_mut() {
        paint.kind = PaintKind::Solid(color);
    }
}

/// A colour as `#RRGGBB`.
fn color_of(hex: &str) -> Option<Rgba> {
    let digits = hex.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    let number = u32::from_str_radix(digits, 16).ok()?;
    let [_, r, g, b] = number.to_be_bytes();
    Some(Rgba::from_u8([r, g, b, 0xFF]))
}
