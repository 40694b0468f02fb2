//! A suggestion in a file, with the design it was made for: what nobody decided of is there again another day.
//!
//! Nodes are written as Figma JSON, which documents are read and written as anyway: the design as it was and as it is
//! once every hunk was carried out, and of each hunk only where in these two its nodes are.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::suggestion::{Reason, Stage, Suggestion};
use super::words::Wording;
use crate::base::{Affine, Size};
use crate::design::diff::{diff, pair_by_id};
use crate::design::hunk::{Consequences, Field, Hunk, HunkChange, apply_hunks};
use crate::design::{Document, Measure, Node, NodeId, figma};
use crate::environment::ToolCall;

/// Most hunks that are read.
const MOST_HUNKS: usize = 10_000;

/// The file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedSuggestion {
    stage: Stage,
    words: String,
    reason: Reason,
    /// Whether what follows from it is worked out.
    settles: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    calls: Vec<ToolCall>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pairs: Vec<(NodeId, NodeId)>,
    hunks: Vec<SavedHunk>,
    /// The design it was made for, as Figma JSON.
    design: Value,
    /// The same with every hunk carried out, and nothing that follows.
    wanted: Value,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedHunk {
    node: NodeId,
    change: SavedChange,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum SavedChange {
    Insert {
        nodes: Vec<NodeId>,
        parent: Option<NodeId>,
        index: usize,
    },
    Remove,
    Reparent {
        parent: Option<NodeId>,
        index: usize,
        transform: [f64; 6],
    },
    Reorder {
        index: usize,
    },
    /// The field by its label. A group has the box of what is in it: how it is to lie is said beside the design.
    Set {
        field: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lies: Option<([f64; 6], [f64; 2])>,
    },
}

impl Suggestion {
    /// The suggestion as JSON, with the design it was made for. `None` where Figma JSON cannot say what it changes: what
    /// was read back would do something else.
    pub fn to_json(&self, design: &Document, measure: &dyn Measure) -> Option<Value> {
        let mut wanted = design.clone();
        apply_hunks(&mut wanted, &self.hunks, Consequences::Leave, measure).ok()?;
        let saved = SavedSuggestion {
            stage: self.stage,
            words: self.words.clone(),
            reason: self.reason.clone(),
            settles: self.consequences == Consequences::Settle,
            calls: self.calls.clone(),
            pairs: self.pairs.clone(),
            hunks: self.hunks.iter().map(SavedHunk::of).collect(),
            design: figma::to_json(design),
            wanted: figma::to_json(&wanted),
        };
        let json = serde_json::to_value(saved).ok()?;
        let (_, read) = Self::from_json(json.clone(), measure).ok()?;
        let [ours, theirs] = [self, &read].map(|it| it.carried_out(design, &self.all(), measure));
        let (ours, theirs) = (ours.ok()?, theirs.ok()?);
        let is_same = read.fitting(design) == self.fitting(design)
            && diff(&ours, &theirs, &pair_by_id(&ours, &theirs)).nodes.is_empty();
        is_same.then_some(json)
    }

    /// A suggestion read back, with the design it was made for.
    ///
    /// # Errors
    ///
    /// What is wrong with it, in words.
    pub fn from_json(json: Value, measure: &dyn Measure) -> Result<(Document, Self), String> {
        let saved: SavedSuggestion =
            serde_json::from_value(json).map_err(|error| error.to_string())?;
        if saved.hunks.is_empty() || saved.hunks.len() > MOST_HUNKS {
            return Err(format!("{} changes, not 1 to {MOST_HUNKS}", saved.hunks.len()));
        }
        let read = |json| figma::from_json(json).map_err(|error| error.to_string());
        let (design, wanted) = (read(saved.design)?.document, read(saved.wanted)?.document);
        let hunks = saved.hunks.into_iter().map(|hunk| hunk.read(&design, &wanted));
        let hunks = hunks.collect::<Result<Vec<Hunk>, String>>()?;
        let consequences = if saved.settles { Consequences::Settle } else { Consequences::Leave };
        let mut after = design.clone();
        apply_hunks(&mut after, &hunks, consequences, measure)
            .map_err(|error| error.to_string())?;
        let suggestion = Self {
            stage: saved.stage,
            control: Wording::from_hunks(&hunks, &design, &after).control,
            words: saved.words,
            hunks,
            consequences,
            calls: saved.calls,
            reason: saved.reason,
            pairs: saved.pairs,
        };
        Ok((design, suggestion))
    }
}

impl SavedHunk {
    fn of(hunk: &Hunk) -> Self {
        let change = match &hunk.change {
            HunkChange::Insert { nodes, parent, index } => {
                let nodes = nodes.iter().map(|node| node.id.clone()).collect();
                SavedChange::Insert { nodes, parent: parent.clone(), index: *index }
            }
            HunkChange::Remove => SavedChange::Remove,
            HunkChange::Reparent { parent, index, transform } => {
                let transform = numbers(*transform);
                SavedChange::Reparent { parent: parent.clone(), index: *index, transform }
            }
            HunkChange::Reorder { index } => SavedChange::Reorder { index: *index },
            HunkChange::Set { field, like } => {
                let lies = matches!(field, Field::Place | Field::Rotation | Field::Size)
                    .then(|| (numbers(like.transform), [like.size.width, like.size.height]));
                SavedChange::Set { field: field.label().to_owned(), lies }
            }
        };
        Self { node: hunk.node.clone(), change }
    }

    fn read(self, design: &Document, wanted: &Document) -> Result<Hunk, String> {
        let Self { node, change } = self;
        let wanted_node = |id: &NodeId| -> Result<Arc<Node>, String> {
            let found = wanted.get(id).map(Arc::clone);
            found.ok_or_else(|| format!("there is no layer {:?}", id.as_str()))
        };
        let change = match change {
            SavedChange::Insert { nodes, parent, index } => {
                let nodes = nodes.iter().map(wanted_node).collect::<Result<Vec<_>, _>>()?;
                let hunk = Hunk::insert(nodes, parent, index).filter(|hunk| hunk.node == node);
                return hunk.ok_or_else(|| "nothing is put in, or another layer".to_owned());
            }
            SavedChange::Remove => HunkChange::Remove,
            SavedChange::Reparent { parent, index, transform } => {
                let transform = affine(transform);
                HunkChange::Reparent { parent, index, transform }
            }
            SavedChange::Reorder { index } => HunkChange::Reorder { index },
            SavedChange::Set { field, lies } => {
                let field = Field::ALL.into_iter().find(|it| it.is_value() && it.label() == field);
                let field = field.ok_or("a field that there is not")?;
                let mut like = wanted_node(&node)?;
                if let Some((transform, [width, height])) = lies {
                    let size = Size::new(width, height);
                    like =
                        Arc::new(Node { transform: affine(transform), size, ..Node::clone(&like) });
                }
                HunkChange::Set { field, like }
            }
        };
        let hunk = Hunk::new(design, &node, change);
        hunk.ok_or_else(|| format!("there is no layer {:?}", node.as_str()))
    }
}

fn numbers(transform: Affine) -> [f64; 6] {
    let Affine { a, b, c, d, e, f } = transform;
    [a, b, c, d, e, f]
}

fn affine([a, b, c, d, e, f]: [f64; 6]) -> Affine {
    Affine { a, b, c, d, e, f }
}
