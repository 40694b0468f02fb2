//! Small trees as Figma writes them, and a ruler whose answers can be told by heart.

use pentimento::base::{Rect, Size};
use pentimento::design::edit::{Edit, Transaction};
use pentimento::design::{Document, Measure, NodeId, TextContent, TextExtent, figma, layout};
use serde_json::{Value, json};

/// Every letter is 10 px wide and every line 20 px high; letters stand 15 px below its top.
pub(crate) struct Blocks;

impl Measure for Blocks {
    fn text(&self, content: &TextContent, width: Option<f64>) -> TextExtent {
        let letters = content.characters.chars().count() as f64;
        let size = match width {
            None => Size::new(10.0 * letters, 20.0),
            Some(width) => {
                let in_line = (width / 10.0).floor().max(1.0);
                Size::new(width, 20.0 * (letters / in_line).ceil().max(1.0))
            }
        };
        TextExtent { size, baseline: 15.0 }
    }

    fn combined_box(&self, document: &Document, id: &NodeId) -> Option<Rect> {
        let children = document.children_of(Some(id)).iter();
        let children = children.filter_map(|child| document.get(child));
        Rect::union_all(children.map(|child| child.transform.bounds_of(child.size)))
    }
}

/// A node of this type and size at (0, 0), with more fields.
pub(crate) fn node(kind: &str, id: &str, size: (f64, f64), more: Value) -> Value {
    let mut node = json!({
        "id": id, "name": id, "type": kind,
        "absoluteBoundingBox": {"x": 0, "y": 0, "width": size.0, "height": size.1},
    });
    merge(&mut node, more);
    node
}

fn merge(node: &mut Value, more: Value) {
    let Value::Object(more) = more else { panic!("fields") };
    node.as_object_mut().unwrap().extend(more);
}

pub(crate) fn rect(id: &str, size: (f64, f64), more: Value) -> Value {
    node("RECTANGLE", id, size, more)
}

/// A FIXED frame with children; `more` comes last.
pub(crate) fn frame(id: &str, size: (f64, f64), more: Value, children: Vec<Value>) -> Value {
    let mut frame = node("FRAME", id, size, json!({}));
    frame["children"] = Value::Array(children);
    let own = ["layoutSizingHorizontal", "layoutSizingVertical"];
    merge(&mut frame, own.map(|key| (key.to_owned(), json!("FIXED"))).into_iter().collect());
    merge(&mut frame, more);
    frame
}

/// A HORIZONTAL frame.
pub(crate) fn row(id: &str, size: (f64, f64), more: Value, children: Vec<Value>) -> Value {
    let mut row = frame(id, size, more, children);
    row.as_object_mut().unwrap().entry("layoutMode").or_insert(json!("HORIZONTAL"));
    row
}

/// A VERTICAL frame.
pub(crate) fn column(id: &str, size: (f64, f64), more: Value, children: Vec<Value>) -> Value {
    let mut column = frame(id, size, more, children);
    column["layoutMode"] = json!("VERTICAL");
    column
}

/// A text that resizes itself in this way.
pub(crate) fn text(
    id: &str,
    characters: &str,
    size: (f64, f64),
    resize: &str,
    more: Value,
) -> Value {
    let fields = json!({
        "characters": characters,
        "style": {"fontFamily": "Inter", "fontWeight": 400, "fontSize": 16, "textAutoResize": resize},
    });
    let mut text = node("TEXT", id, size, fields);
    merge(&mut text, more);
    text
}

pub(crate) fn hug() -> Value {
    json!({"layoutSizingHorizontal": "HUG", "layoutSizingVertical": "HUG"})
}

pub(crate) fn read(root: Value) -> Document {
    figma::from_json(root).unwrap().document
}

/// The document of this tree with everything laid out.
pub(crate) fn laid_out(root: Value) -> Document {
    let mut document = read(root);
    lay_out(&mut document);
    document
}

pub(crate) fn lay_out(document: &mut Document) -> Edit {
    let root = document.roots()[0].clone();
    let mut change = Transaction::begin(document);
    layout::lay_out_all(&mut change, &root, &Blocks);
    change.commit()
}

/// The box of a node within the top one.
pub(crate) fn place(document: &Document, id: &str) -> [f64; 4] {
    let origin = document.absolute_box(&document.roots()[0]).unwrap();
    let rect = document.absolute_box(&id.into()).unwrap();
    [rect.x - origin.x, rect.y - origin.y, rect.width, rect.height]
}

/// The boxes of these nodes.
pub(crate) fn places<const N: usize>(document: &Document, ids: [&str; N]) -> [[f64; 4]; N] {
    ids.map(|id| place(document, id))
}
