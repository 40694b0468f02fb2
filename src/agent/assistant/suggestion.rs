//! One step that a designer could take next.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::values::{label, listed, mark, value};
use crate::design::diff::{diff, pair_by_id};
use crate::design::edit::Edit;
use crate::design::hunk::{Consequences, Field, Hunk, HunkChange, Standing, apply_hunks};
use crate::design::{Document, DocumentError, Measure, Node, NodeId, NodeKind};
use crate::environment::ToolCall;
use crate::metric::codesign::{HunkValue, ValueMarks};

/// When in the making of a design a step comes: the frame before what stands in it, what stands where
/// before how it looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Frames and what lies in which.
    Frame,
    /// What is where, and how large.
    Layout,
    /// Words and fonts.
    Type,
    /// Fills, outlines, opacity.
    Color,
    /// All else.
    Detail,
}

/// How much a suggestion tells; asked again, it tells more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Which control is to be used.
    What,
    /// And on what.
    Where,
    /// And with which value.
    Value,
}

/// Why something is suggested.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Reason {
    /// The goal has it so: how far the design is from the goal now, and after the step.
    Goal {
        /// Now.
        before: u32,
        /// After it.
        after: u32,
    },
    /// Something is amiss whatever the goal is, in words.
    Flaw(String),
    /// A model proposes it, with its own words of why.
    Said(String),
}

/// A step: hunks that belong together, in words, and the tool calls that do the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// When it comes.
    pub stage: Stage,
    /// The control of the panel, or the tool, by which a person does it.
    pub control: &'static str,
    /// The whole step, the control first, in 25 words at most.
    pub words: String,
    /// What is changed, each to be taken or left by itself.
    pub hunks: Vec<Hunk>,
    /// What follows when it is carried out.
    pub consequences: Consequences,
    /// Tool calls of the canvas environment that lead from the design, opened there, to the very same
    /// design as [`Self::carry_out`] does; none where no tools do exactly that.
    pub calls: Vec<ToolCall>,
    /// Why it is suggested.
    pub reason: Reason,
    /// The nodes that are put in, with those of the goal.
    pub(super) pairs: Vec<(NodeId, NodeId)>,
}

/// What became of a suggestion since it was made, by the document alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// All of it can be taken.
    Fresh,
    /// Only some of its hunks still mean what they meant: it is shown greyed, and these can be taken.
    Stale,
    /// Nothing of it can be taken any more.
    Withdrawn,
}

impl Stage {
    /// What people call it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Frame => "frame",
            Self::Layout => "layout",
            Self::Type => "type",
            Self::Color => "colour",
            Self::Detail => "detail",
        }
    }

    /// When a change of this field comes.
    pub(super) fn of(field: Field) -> Self {
        use crate::design::diff::StyleField as Style;
        match field {
            Field::Parent | Field::Kind => Self::Frame,
            Field::Existence | Field::Place | Field::Rotation | Field::Size => Self::Layout,
            Field::Words => Self::Type,
            Field::Name | Field::Order => Self::Detail,
            Field::Style(field) => match field {
                Style::AutoLayout
                | Style::LayoutItem
                | Style::Constraints
                | Style::Clip
                | Style::Visible => Self::Layout,
                Style::Font | Style::Paragraph | Style::Letters => Self::Type,
                Style::Fills | Style::Strokes | Style::Opacity | Style::BlendMode => Self::Color,
                Style::Mask
                | Style::StrokeWeight
                | Style::StrokeForm
                | Style::Effects
                | Style::Corners
                | Style::Shape => Self::Detail,
            },
        }
    }

    /// When a hunk comes: frames that are put in, before all that stands in them.
    pub(super) fn of_hunk(hunk: &Hunk) -> Self {
        match &hunk.change {
            HunkChange::Insert { nodes, .. } => {
                let is_frame = nodes.first().is_some_and(|node| node.kind.is_container());
                if is_frame { Self::Frame } else { Self::Layout }
            }
            _ => Self::of(hunk.field()),
        }
    }
}

impl Suggestion {
    /// The nodes it touches, each once, in the order of the hunks.
    pub fn nodes(&self) -> Vec<&NodeId> {
        let mut nodes: Vec<&NodeId> = Vec::new();
        for hunk in &self.hunks {
            if !nodes.contains(&&hunk.node) {
                nodes.push(&hunk.node);
            }
        }
        nodes
    }

    /// So much of the words as a level tells, of the document it is about.
    pub fn told(&self, level: Level, document: &Document) -> String {
        match level {
            Level::What => self.control.to_owned(),
            Level::Where => {
                let names = self.nodes().into_iter().filter_map(|id| document.get(id));
                let names: Vec<String> = names.map(|node| label(node)).collect();
                match names.as_slice() {
                    // What is to be made is nowhere yet.
                    [] => self.control.to_owned(),
                    _ => format!("{} on {}", self.control, listed(&names)),
                }
            }
            Level::Value => self.words.clone(),
        }
    }

    /// Why it is suggested, in words.
    pub fn why(&self) -> String {
        match &self.reason {
            Reason::Goal { before, after } => {
                format!("The goal has it so: the distance falls from {before} to {after}.")
            }
            Reason::Flaw(words) | Reason::Said(words) => words.clone(),
        }
    }

    /// What became of it, in a document that may have changed since it was made: hunks are told apart,
    /// so that only what was changed under it is lost.
    pub fn freshness(&self, document: &Document) -> Freshness {
        match self.fitting(document).len() {
            0 => Freshness::Withdrawn,
            some if some < self.hunks.len() => Freshness::Stale,
            _ => Freshness::Fresh,
        }
    }

    /// The places of the hunks that can still be taken.
    pub fn fitting(&self, document: &Document) -> Vec<usize> {
        self.fitting_of(document, &self.all())
    }

    /// Of hunks that are taken, those that still fit: what goes into a node that another one puts in, only
    /// if that one is taken as well.
    pub fn fitting_of(&self, document: &Document, taken: &[usize]) -> Vec<usize> {
        let mut made: Vec<&NodeId> = Vec::new();
        let mut fitting = Vec::new();
        for (at, hunk) in self.hunks.iter().enumerate().filter(|(at, _)| taken.contains(at)) {
            if hunk.standing_behind(document, &made) == Standing::Fits {
                fitting.push(at);
                if let HunkChange::Insert { nodes, .. } = &hunk.change {
                    made.extend(nodes.iter().map(|node| &node.id));
                }
            }
        }
        fitting
    }

    /// Carries out those of its hunks that are taken and still fit, in one edit. It is empty if none is
    /// left.
    ///
    /// # Errors
    ///
    /// What the document refuses; it is unchanged then.
    pub fn carry_out(
        &self,
        document: &mut Document,
        taken: &[usize],
        measure: &dyn Measure,
    ) -> Result<Edit, DocumentError> {
        let fitting = self.fitting_of(document, taken);
        let hunks = fitting.into_iter().filter_map(|at| self.hunks.get(at));
        apply_hunks(document, hunks, self.consequences, measure)
    }

    /// The document with the same carried out, which itself stays as it is.
    ///
    /// # Errors
    ///
    /// What the document refuses.
    pub fn carried_out(
        &self,
        document: &Document,
        taken: &[usize],
        measure: &dyn Measure,
    ) -> Result<Document, DocumentError> {
        let mut after = document.clone();
        self.carry_out(&mut after, taken, measure)?;
        Ok(after)
    }

    /// What it changes, from which value to which, as people read it: `after` is the document with the
    /// suggestion carried out. A node that is not there has an empty value.
    pub fn values(&self, before: &Document, after: &Document) -> Vec<HunkValue> {
        let values = self.hunks.iter().map(|hunk| {
            let [from, to] = [before, after].map(|document| {
                document.get(&hunk.node).map(|node| in_tree(hunk.field(), node, document))
            });
            HunkValue {
                node: hunk.node.clone(),
                field: hunk.field().into(),
                from: from.unwrap_or_default(),
                to: to.unwrap_or_default(),
                marks: marks(
                    hunk.field(),
                    [before, after].map(|document| document.get(&hunk.node)),
                ),
                with: came_or_went(hunk.field(), &hunk.node, [before, after]),
            }
        });
        values.collect()
    }

    /// The places of all hunks.
    pub fn all(&self) -> Vec<usize> {
        (0..self.hunks.len()).collect()
    }
}

/// What is different between a design and what became of it, one value a field, as people read it. Nodes are the
/// same by id; what comes or goes with what it lies in is part of that.
pub fn changed_values(before: &Document, after: &Document) -> Vec<HunkValue> {
    let mut values = Vec::new();
    for differing in diff(before, after, &pair_by_id(before, after)).nodes {
        let Some(id) = differing.after.as_ref().or(differing.before.as_ref()) else { continue };
        let [was, now] = [before, after].map(|document| document.get(id));
        let around = now.or(was).and_then(|node| node.parent.as_ref());
        let around_is_new = around
            .is_some_and(|around| before.get(around).is_none() != after.get(around).is_none());
        if was.is_none() != now.is_none() && around_is_new {
            continue;
        }
        for field in differing.changes.iter().flat_map(Field::of_change) {
            let [from, to] = [(was, before), (now, after)].map(|(node, document)| {
                node.map(|node| in_tree(field, node, document)).unwrap_or_default()
            });
            values.push(HunkValue {
                node: id.clone(),
                field: field.into(),
                from,
                to,
                marks: marks(field, [was, now]),
                with: came_or_went(field, id, [before, after]),
            });
        }
    }
    values
}

/// By what the values of a field of a node before and after are told from others that read alike.
fn marks(field: Field, nodes: [Option<&Arc<Node>>; 2]) -> Option<ValueMarks> {
    let [from, to] = nodes.map(|node| node.map(|node| mark(field, node)));
    let is_marked = from.iter().chain(&to).any(Option::is_some);
    is_marked.then(|| ValueMarks {
        from: from.flatten().unwrap_or_default(),
        to: to.flatten().unwrap_or_default(),
    })
}

/// The nodes in one that came or went.
fn came_or_went(field: Field, node: &NodeId, documents: [&Document; 2]) -> Vec<NodeId> {
    if field != Field::Existence {
        return Vec::new();
    }
    let there = documents.into_iter().find(|document| document.get(node).is_some());
    there.map_or_else(Vec::new, |document| {
        let inside = document.subtree(node).map(|inside| &inside.id);
        inside.filter(|inside| *inside != node).cloned().collect()
    })
}

/// The value of a field, its place in the tree included.
fn in_tree(field: Field, node: &Node, document: &Document) -> String {
    match field {
        Field::Order => {
            let siblings = document.children_of(node.parent.as_ref());
            siblings.position(&node.id).map(|at| format!("{at}")).unwrap_or_default()
        }
        field => value(field, node),
    }
}

/// The control by which a person changes a field, or makes a node.
pub(super) fn control(hunk: &Hunk) -> &'static str {
    use crate::design::diff::StyleField as Style;
    match &hunk.change {
        HunkChange::Insert { nodes, .. } => match nodes.first().map(|node| &node.kind) {
            Some(NodeKind::Frame) => "Frame tool",
            Some(NodeKind::Rectangle) => "Rectangle tool",
            Some(NodeKind::Ellipse(_)) => "Ellipse tool",
            Some(NodeKind::Line) => "Line tool",
            Some(NodeKind::Text(_)) => "Text tool",
            Some(NodeKind::Group) => "Group",
            Some(NodeKind::BooleanOperation(_)) => "Boolean groups",
            _ => "Paste",
        },
        HunkChange::Remove => "Delete",
        HunkChange::Reparent { .. } | HunkChange::Reorder { .. } => "Layers",
        HunkChange::Set { field, .. } => match field {
            Field::Existence | Field::Parent | Field::Order => "Layers",
            Field::Place => "X, Y",
            Field::Rotation => "Rotation",
            Field::Size => "W, H",
            Field::Words => "Text",
            Field::Name => "Name",
            Field::Kind => "Type",
            Field::Style(field) => match field {
                Style::Visible => "Visibility",
                Style::Opacity => "Opacity",
                Style::BlendMode => "Blend mode",
                Style::Mask => "Mask",
                Style::Fills => "Fill",
                Style::Strokes => "Stroke",
                Style::StrokeWeight => "Stroke weight",
                Style::StrokeForm => "Stroke settings",
                Style::Effects => "Effects",
                Style::Corners => "Corner radius",
                Style::Clip => "Clip content",
                Style::Constraints => "Constraints",
                Style::AutoLayout => "Auto layout",
                Style::LayoutItem => "Resizing",
                Style::Shape => "Shape",
                Style::Font => "Font",
                Style::Paragraph => "Paragraph",
                Style::Letters => "Letters",
            },
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Size;
    use crate::design::edit::Transaction;

    #[test]
    fn every_field_has_its_value_before_and_after() {
        let mut node = Node::new(NodeId::new("1:1"), "card", NodeKind::Frame);
        node.size = Size::new(40.0, 20.0);
        let mut inside = Node::new(NodeId::new("1:2"), "label", NodeKind::Rectangle);
        inside.parent = Some(node.id.clone());
        let before = Document::from_nodes([node.clone(), inside]).unwrap();
        assert!(changed_values(&before, &before).is_empty());
        let mut after = before.clone();
        let mut transaction = Transaction::begin(&mut after);
        transaction.update(&node.id, |node| node.opacity = 0.5).unwrap();
        transaction.commit();
        let [only] = changed_values(&before, &after).try_into().unwrap();
        assert_eq!((only.from.as_str(), only.to.as_str()), ("100 %", "50 %"));
        // What lies in it goes with it.
        let none = Document::from_nodes(Vec::new()).unwrap();
        let [gone] = changed_values(&after, &none).try_into().unwrap();
        assert_eq!(
            (gone.node, gone.field, gone.to.as_str()),
            (node.id, Field::Existence.into(), "")
        );
    }
}
