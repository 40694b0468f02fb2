//! Paths as people edit them: anchors with handles.
//!
//! [`Contours`] are read of a node ([`Contours::of_node`]), changed (`edit`), and put back with the size and place
//! that belong to them ([`Contours::fitted`]), so that the shape stays where it is. What was not changed keeps the path
//! data that its file has: nothing here writes on its own.
//!
//! All points are in the node's own space.

mod edit;
mod fit;
mod model;
mod path_data;
mod primitive;

pub use edit::HandleSide;
pub use fit::FittedContours;
pub use model::{Anchor, AnchorId, Contour, ContourError, ContourPath, Contours, Segment};
pub use primitive::LEAST_ROUNDED_TURN;

#[cfg(test)]
mod tests;
