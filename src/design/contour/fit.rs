//! Contours of nodes, and nodes of contours.

use super::model::{ContourError, Contours, SAME};
use super::{path_data, primitive};
use crate::base::{Affine, Point, Rect, Size};
use crate::design::node::{Node, NodeKind};
use crate::design::shape::PathGeometry;

/// Contours as a node holds them.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedContours {
    geometry: PathGeometry,
    bounds: Rect,
}

impl Contours {
    /// The paths of a node: of a VECTOR those of its fill; of other shapes those that draw the same.
    ///
    /// # Errors
    ///
    /// Of a kind without points, of a part of an ellipse, of smoothed corners, of a rounded polygon so flat that only
    /// some of its corners are rounded, and of path data that cannot be read.
    pub fn of_node(node: &Node) -> Result<Self, ContourError> {
        let contours = match &node.kind {
            // Only what is filled has contours of its own; an outline of a stroke has two for every line.
            NodeKind::Vector(geometry) if geometry.fill.is_empty() => {
                return Err(if geometry.stroke.is_empty() {
                    ContourError::Empty
                } else {
                    ContourError::OnlyStroke
                });
            }
            NodeKind::Vector(geometry) => path_data::read(&geometry.fill)?,
            _ => primitive::of_node(node)?,
        };
        contours.check()?;
        Ok(contours)
    }

    /// With the size and the place that belong to them.
    ///
    /// # Errors
    ///
    /// Of contours that draw nothing, and of numbers that no design holds.
    pub fn fitted(&self) -> Result<FittedContours, ContourError> {
        self.check()?;
        let around = self.bounds().ok_or(ContourError::Empty)?;
        let [x, y] = [around.x, around.y].map(|by| if by.abs() <= SAME { 0.0 } else { by });
        let bounds = Rect { x, y, ..around };
        let geometry = PathGeometry {
            fill: path_data::write(self, Point::new(bounds.x, bounds.y)),
            // The outline of the stroke follows from the path again.
            stroke: Vec::new(),
        };
        Ok(FittedContours { geometry, bounds })
    }
}

impl FittedContours {
    /// Makes a node a VECTOR of these paths; what they draw stays where it is.
    pub fn put_into(&self, node: &mut Node) {
        let Rect { x, y, width, height } = self.bounds;
        node.kind = NodeKind::Vector(self.geometry.clone());
        if x != 0.0 || y != 0.0 {
            node.transform = node.transform.after(Affine::translate(x, y));
        }
        let is_same =
            (node.size.width - width).abs() <= SAME && (node.size.height - height).abs() <= SAME;
        if !is_same {
            node.size = Size::new(width, height);
        }
    }

    /// The box around the paths, in the space that they were given in.
    pub fn bounds(&self) -> Rect {
        self.bounds
    }
}
