//! `create_graphic`: SVG to nodes.
//!
//! The SVG is read by `usvg`, which resolves styles, units, references and text; [`shapes`] turns
//! what is left into a FRAME of the SVG's size with GROUPs and VECTORs, as Figma's
//! `createNodeFromSvg` does; an embedded PNG or JPEG becomes a RECTANGLE filled with it. Nothing is read
//! from outside: other pictures are left out, and text is set in the vendored Inter. What cannot be taken over is counted in [`Omitted`] and said in the reply.

mod paint;
mod picture;
mod shapes;
mod source;

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::base::{Point, Size};
use crate::design::edit::Transaction;
use crate::design::{Node, NodeKind};

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

/// What was left out of a graphic, with how many times.
#[derive(Debug, Default)]
struct Omitted(BTreeMap<&'static str, usize>);

impl Omitted {
    fn note(&mut self, what: &'static str) {
        self.add(what, 1);
    }

    fn add(&mut self, what: &'static str, count: usize) {
        if count > 0 {
            *self.0.entry(what).or_default() += count;
        }
    }

    fn lines(&self) -> Vec<String> {
        self.0.iter().map(|(what, count)| format!("{what} ({count}×)")).collect()
    }
}

pub(super) fn create_graphic(
    page: &mut Page,
    arguments: &CreateGraphic,
) -> Result<Reply, ToolError> {
    let mut omitted = Omitted::default();
    let tree = source::parse(&arguments.svg, &mut omitted)?;
    let parent = page.parent_of_new(arguments.parent_id.as_deref())?;
    let size = Size::new(paint::tidy(tree.size().width()), paint::tidy(tree.size().height()));
    let stays = parent.is_none() && page.has(Quirk::GraphicWithoutParentStaysAtOrigin);
    let corner = if stays { Point::ZERO } else { Point::new(arguments.x, arguments.y) };
    let mut change = Transaction::begin(&mut page.document);
    let id = change.new_id();
    let mut frame = Node::new(id.clone(), arguments.name.clone(), NodeKind::Frame);
    frame.size = size;
    frame.clips_content = true;
    insert_at(&mut change, frame, parent.as_ref(), corner)?;
    let drawn = shapes::draw(&mut change, &tree, &id, &mut omitted)?;
    if drawn.shapes == 0 {
        let left_out = omitted.lines().join(", ");
        let why = if left_out.is_empty() { "nothing".to_owned() } else { left_out };
        return Err(ToolError::Svg(format!(
            "it has no shape that can be drawn (left out: {why}); give it a <path>, <rect>, \
             <circle> … with a fill or a stroke"
        )));
    }
    page.last_edit = Some(settle(change));
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
