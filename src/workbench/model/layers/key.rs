//! Which tree of layers, and which node of it.

use serde::{Deserialize, Serialize};

use crate::design::NodeId;
use crate::workbench::model::values::PictureKey;

/// Which tree of layers: of what, compared with what.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LayerTreeKey {
    /// Whose design; never a thumbnail.
    pub slot: PictureKey,
    /// Compared with what.
    pub against: Comparison,
}

/// What a design is compared with.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Comparison {
    /// Nothing.
    None,
    /// The same run one step earlier.
    Previous,
    /// The ground truth of the task.
    #[default]
    GroundTruth,
}

/// Which of the designs on the stage a node belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NodeSide {
    /// The run at the selected step, or the start state.
    Canvas,
    /// The run one step earlier.
    Before,
    /// The ground truth.
    GroundTruth,
}

/// A node of one of the designs on the stage.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeRef {
    /// Of which design.
    pub side: NodeSide,
    /// Its id there.
    pub id: NodeId,
}
