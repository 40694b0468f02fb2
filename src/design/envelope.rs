//! The JSON around the nodes.

use serde_json::{Map, Value};

use super::node_id::NodeId;

/// The JSON around the nodes, so that a file is written back in the shape it came in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Envelope {
    /// Where the nodes were in the JSON.
    pub shape: EnvelopeShape,
    /// The object around, as it stood, with null wherever a node was. Empty for a document made
    /// here or a bare node.
    pub fields: Map<String, Value>,
}

/// Where the nodes were in the JSON.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum EnvelopeShape {
    /// `{"document": <node>}`: a whole file, or one node in a `document` field.
    #[default]
    Document,
    /// `{"nodes": {"<key>": {"document": <node>}}}`: answers of the `nodes` endpoint. Each key with
    /// the id of its node.
    Nodes(Vec<(String, NodeId)>),
    /// The node itself.
    Bare,
}
