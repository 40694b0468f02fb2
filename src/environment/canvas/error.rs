//! Why a tool call fails.

use crate::design::figma::FigmaError;
use crate::design::patch::PatchError;
use crate::design::{DocumentError, Node, NodeId};
use crate::environment::FailureClass;
use crate::environment::graphic::GraphicError;
use crate::render::RenderError;

use super::start::StartError;

/// Why a tool call fails; the message is what the model reads.
#[derive(Debug, thiserror::Error)]
pub(super) enum ToolError {
    /// The arguments fit the schema, but not the work.
    #[error("{0}")]
    BadArguments(String),
    /// None of the nodes exists.
    #[error("no node with id {}; get_page_structure lists the ids there are", list(.0))]
    UnknownNodes(Vec<String>),
    /// The node is of a kind that cannot take it.
    #[error("node {id} (\"{name}\") is a {kind}: {why}")]
    WrongNodeType { id: NodeId, name: String, kind: String, why: String },
    /// The SVG cannot be read.
    #[error("the SVG cannot be used: {0}")]
    Svg(#[from] GraphicError),
    /// The JSON cannot be read.
    #[error("the JSON cannot be used: {0}")]
    Json(String),
    /// Something else does not work.
    #[error("{0}")]
    Refused(String),
    /// The document refuses.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// The JSON is no design.
    #[error(transparent)]
    Figma(#[from] FigmaError),
    /// The design cannot be worked on.
    #[error(transparent)]
    Start(#[from] StartError),
    /// What was done by hand cannot be done here; never for what the document refuses.
    #[error(transparent)]
    Patch(PatchError),
    /// There is no picture.
    #[error(transparent)]
    Render(#[from] RenderError),
}

impl From<PatchError> for ToolError {
    fn from(error: PatchError) -> Self {
        match error {
            PatchError::Document(error) => Self::Document(error),
            error => Self::Patch(error),
        }
    }
}

fn list(ids: &[String]) -> String {
    let shown: Vec<&str> = ids.iter().take(10).map(String::as_str).collect();
    let more = if ids.len() > shown.len() { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

impl ToolError {
    /// No node of this id.
    pub(super) fn unknown(id: &str) -> Self {
        Self::UnknownNodes(vec![id.chars().take(80).collect()])
    }

    /// `node` cannot take what was asked, because `why`.
    pub(super) fn wrong_type(node: &Node, why: &str) -> Self {
        Self::WrongNodeType {
            id: node.id.clone(),
            name: node.name.chars().take(80).collect(),
            kind: node.kind.type_name().to_owned(),
            why: why.to_owned(),
        }
    }

    /// The kind of failure.
    pub(super) fn class(&self) -> FailureClass {
        match self {
            Self::BadArguments(_)
            | Self::Svg(_)
            | Self::Json(_)
            | Self::Figma(_)
            | Self::Patch(_)
            | Self::Document(DocumentError::BadNumber { .. } | DocumentError::OutOfRange { .. }) => {
                FailureClass::BadArguments
            }
            Self::UnknownNodes(_) | Self::Document(DocumentError::UnknownNode(_)) => {
                FailureClass::UnknownNode
            }
            Self::WrongNodeType { .. } | Self::Document(DocumentError::NotAContainer { .. }) => {
                FailureClass::WrongNodeType
            }
            Self::Render(_) => FailureClass::Render,
            // Whatever else the document will not do: too large, a circle, a flat transform.
            Self::Refused(_) | Self::Start(_) | Self::Document(_) => FailureClass::Refused,
        }
    }
}
