//! `create_polygon` and `create_star`.

use serde::Deserialize;
use serde_json::json;

use crate::base::Rgba;
use crate::design::{NodeId, NodeKind, Paint};

use super::{NewBox, ShapePaint, created, describe, insert, new_shape, paint, paint_fields};
use crate::environment::canvas::compat::Quirk;
use crate::environment::canvas::error::ToolError;
use crate::environment::canvas::page::Page;
use crate::environment::canvas::reply::{Reply, number};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::environment::canvas) struct CreatePolygon {
    #[serde(flatten)]
    at: NewBox,
    #[serde(flatten)]
    look: ShapePaint,
    point_count: f64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::environment::canvas) struct CreateStar {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    name: Option<String>,
    parent_id: Option<String>,
    #[serde(flatten)]
    look: ShapePaint,
    point_count: f64,
    inner_radius: Option<f64>,
}

/// Most corners of a polygon. The published schema has no maximum; files with more are not read.
const MOST_CORNERS: u32 = 360;
/// The `innerRadius` of a star that does not say, in per cent.
const INNER_RADIUS: f64 = 50.0;

pub(in crate::environment::canvas) fn create_polygon(
    page: &mut Page,
    arguments: &CreatePolygon,
) -> Result<Reply, ToolError> {
    let corners = count(arguments.point_count)?;
    let kind = NodeKind::RegularPolygon { corners };
    let own = [("pointCount".to_owned(), json!(corners))];
    let id = make(page, &arguments.at, &arguments.look, kind)?;
    let mut reply = describe(page, &id)?;
    reply.extend(paint_fields(page.node(id.as_str())?));
    reply.extend(own);
    Ok(created(page, "polygon", &id, reply))
}

pub(in crate::environment::canvas) fn create_star(
    page: &mut Page,
    arguments: &CreateStar,
) -> Result<Reply, ToolError> {
    let tips = count(arguments.point_count)?;
    let percent = arguments.inner_radius.unwrap_or(INNER_RADIUS);
    let is_percentage = !page.has(Quirk::StarRadiusIsNoPercentage);
    // The quirk hands the percentage to Figma, which takes a share.
    let inner_ratio = if is_percentage { percent / 100.0 } else { percent.min(1.0) };
    let at = arguments.new_box();
    let id = make(page, &at, &arguments.look, NodeKind::Star { tips, inner_ratio })?;
    let mut reply = describe(page, &id)?;
    if page.has(Quirk::StarAnswersLocally) {
        let at = page.local_corner(&id)?;
        reply.extend([("x".to_owned(), number(at.x)), ("y".to_owned(), number(at.y))]);
    }
    reply.extend(paint_fields(page.node(id.as_str())?));
    reply.insert("pointCount".to_owned(), json!(tips));
    reply.insert("innerRadius".to_owned(), number(percent));
    Ok(created(page, "star", &id, reply))
}

impl CreateStar {
    /// Where it goes; a star without a name is called by its kind, as in Figma.
    fn new_box(&self) -> NewBox {
        NewBox {
            x: self.x,
            y: self.y,
            width: self.width,
            height: self.height,
            // The only creation tool whose name may be left out.
            name: self.name.clone().unwrap_or_else(|| "Star".to_owned()),
            parent_id: self.parent_id.clone(),
        }
    }
}

fn make(
    page: &mut Page,
    at: &NewBox,
    look: &ShapePaint,
    kind: NodeKind,
) -> Result<NodeId, ToolError> {
    let mut node = new_shape(at, kind)?;
    node.fills = vec![Paint::solid(Rgba::DEFAULT_SHAPE)];
    paint(&mut node, look);
    insert(page, node, at)
}

/// The schema has found a whole number of at least 3.
fn count(corners: f64) -> Result<u32, ToolError> {
    if (3.0..=f64::from(MOST_CORNERS)).contains(&corners) {
        return Ok(corners as u32);
    }
    let message = format!("pointCount: must be within 3 and {MOST_CORNERS}, got {corners}");
    Err(ToolError::BadArguments(message))
}
