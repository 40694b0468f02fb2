//! `create_graphic`: SVG to a FRAME of its size with the nodes that [`graphic`](crate::environment::graphic)
//! makes of it. What cannot be taken over is said in the reply.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::base::{Point, Size};
use crate::design::edit::Transaction;
use crate::design::{Node, NodeKind};
use crate::environment::graphic::{GraphicError, Omitted, draw, parse, tidy};

use super::compat::Quirk;
use super::creation::{created, describe};
use super::error::ToolError;
use super::page::{Page, insert_at, settle};
use super::reply::Reply;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CreateGraphic {
    svg: String,
    name: String,
    x: f64,
    y: f64,
    parent_id: Option<String>,
}

pub(super) fn create_graphic(
    page: &mut Page,
    arguments: &CreateGraphic,
) -> Result<Reply, ToolError> {
    let mut omitted = Omitted::default();
    let tree = parse(&arguments.svg, &mut omitted)?;
    // The SVG is read first: of two faults, the one in it is more often the model's to mend.
    let parent = page.parent_of_new(arguments.parent_id.as_deref())?;
    let size = Size::new(tidy(tree.size().width()), tidy(tree.size().height()));
    let stays = parent.is_none() && page.has(Quirk::GraphicWithoutParentStaysAtOrigin);
    let corner = if stays { Point::ZERO } else { Point::new(arguments.x, arguments.y) };
    let mut change = Transaction::begin(&mut page.document);
    let id = change.new_id();
    let mut frame = Node::new(id.clone(), arguments.name.clone(), NodeKind::Frame);
    frame.size = size;
    frame.clips_content = true;
    // The frame goes in first, as its nodes need a parent; a failure takes both out again.
    insert_at(&mut change, frame, parent.as_ref(), corner)?;
    let drawn = draw(&mut change, &tree, &id, &mut omitted)?;
    if drawn.shapes == 0 {
        return Err(GraphicError::nothing(&omitted.lines()).into());
    }
    page.last_edit = Some(settle(change, &page.settings.render));
    // After the change: pictures are only added, and stay when it is undone.
    for (name, picture) in drawn.pictures {
        page.document.add_image(name, picture);
    }
    let mut reply = describe(page, &id)?;
    reply.insert("shapes".to_owned(), json!(drawn.shapes));
    let left_out = omitted.lines();
    if !left_out.is_empty() {
        reply.insert("omitted".to_owned(), Value::from(left_out.clone()));
    }
    let mut reply = created(page, "graphic", &id, reply);
    if !left_out.is_empty() {
        reply.text = format!("{}. Left out: {}", reply.text, left_out.join(", "));
    }
    Ok(reply)
}
