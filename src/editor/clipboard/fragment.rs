//! Nodes on their way from one place to another.

use std::sync::Arc;

use super::carried::{CarryLimits, carry_pictures};
use crate::base::{Affine, Pixels, Rect, Rgba, Size};
use crate::design::{
    AutoResize, Document, Measure, Node, NodeId, NodeKind, Paint, TextContent, figma,
};
use crate::editor::arrange::members::chosen;
use crate::editor::editing::Editor;
use crate::editor::error::EditorError;
use crate::editor::typing::name_of;

/// The most layers that are pasted at once.
pub const MOST_PASTED: usize = 20_000;

/// The most characters that are pasted as a text.
pub const MOST_PASTED_CHARACTERS: usize = 100_000;

/// A text that is pasted breaks its lines at this width if one of them is longer, in units of the page.
const WIDEST: f64 = 640.0;

/// Nodes with all below them, from the bottom up, each where it lies on its page; and the pictures they show.
#[derive(Clone, Debug, PartialEq)]
pub struct Fragment {
    document: Document,
    /// Whether it came from a place on a page.
    has_place: bool,
}

impl Editor {
    /// What is selected, to be copied.
    ///
    /// # Errors
    ///
    /// Nothing is selected, or nothing that has a place.
    pub fn copied(&self) -> Result<Fragment, EditorError> {
        Fragment::of_nodes(self.document(), &chosen(self)?)
    }
}

impl Fragment {
    /// These nodes of a design, none of which lies in another.
    ///
    /// # Errors
    ///
    /// None of them has a place; what the document refuses.
    pub fn of_nodes(document: &Document, ids: &[NodeId]) -> Result<Self, EditorError> {
        let mut nodes = Vec::new();
        for id in ids {
            let top = document.node(id)?;
            if !top.has_box() {
                continue;
            }
            let transform = document.absolute_transform(id)?;
            nodes.push(Node { parent: None, transform, ..Node::clone(top) });
            nodes.extend(document.subtree(id).skip(1).map(|node| Node::clone(node)));
        }
        if nodes.is_empty() {
            return Err(EditorError::NotPossible("there is nothing with a place".to_owned()));
        }
        let mut copied = Document::from_nodes(nodes)?;
        copied.add_images_of(document);
        Ok(Self { document: copied, has_place: true })
    }

    /// The layers of a design from elsewhere: of a file or a page what is on it.
    ///
    /// # Errors
    ///
    /// It has none, more than [`MOST_PASTED`], a page within a layer, or numbers that no design has.
    pub fn of_design(document: &Document) -> Result<Self, EditorError> {
        if document.len() > MOST_PASTED {
            let why = format!("it has {} layers, {MOST_PASTED} at most are pasted", document.len());
            return Err(EditorError::NotPossible(why));
        }
        let tops = document.top_layers();
        let mut below = tops.iter().flat_map(|id| document.subtree(id));
        if below.any(|node| node.kind.is_file_or_page()) {
            let why = "there is a page within a layer of it";
            return Err(EditorError::NotPossible(why.to_owned()));
        }
        Self::of_nodes(document, &tops)
    }

    /// The same without the place it came from: it goes where people look.
    #[must_use]
    pub fn without_place(self) -> Self {
        Self { has_place: false, ..self }
    }

    /// A picture as a rectangle of its size that is filled with it.
    ///
    /// # Errors
    ///
    /// What the document refuses.
    pub fn of_picture(name: &str, picture: Arc<Pixels>) -> Result<Self, EditorError> {
        let mut node = Node::new("picture".into(), "Image", NodeKind::Rectangle);
        node.size = Size::new(f64::from(picture.width()), f64::from(picture.height()));
        node.fills.push(Paint::picture(name));
        let mut document = Document::from_nodes([node])?;
        document.add_image(name, picture);
        Ok(Self { document, has_place: false })
    }

    /// Plain text as a text of its own, named by its first line, that breaks its lines where they are long.
    ///
    /// Line breaks of all systems are taken for one; other control characters, but tabs, are left out, and so are empty
    /// lines at the end.
    ///
    /// # Errors
    ///
    /// There is nothing to be read, or there are more than [`MOST_PASTED_CHARACTERS`].
    pub fn of_text(text: &str, measure: &dyn Measure) -> Result<Self, EditorError> {
        let count = text.chars().count();
        if count > MOST_PASTED_CHARACTERS {
            let why = format!(
                "the text has {count} characters, {MOST_PASTED_CHARACTERS} at most are pasted"
            );
            return Err(EditorError::NotPossible(why));
        }
        let characters = plain(text);
        if characters.trim().is_empty() {
            return Err(EditorError::not_possible("there is nothing to be read in the text"));
        }
        let mut content = TextContent { characters, ..TextContent::default() };
        content.style.auto_resize = AutoResize::WidthAndHeight;
        let mut size = measure.text(&content, None).size;
        if size.width > WIDEST {
            content.style.auto_resize = AutoResize::Height;
            size = Size::new(WIDEST, measure.text(&content, Some(WIDEST)).size.height);
        }
        let mut node = Node::new("text".into(), "Text", NodeKind::Text(Box::new(content)));
        node.name = name_of(&node);
        (node.size, node.fills) = (size, vec![Paint::solid(Rgba::BLACK)]);
        Ok(Self { document: Document::from_nodes([node])?, has_place: false })
    }

    /// The nodes as a design of their own.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Whether there is a component among them, which instances name by its id.
    pub(super) fn has_components(&self) -> bool {
        self.document.iter_depth_first().any(|node| node.kind == NodeKind::Component)
    }

    /// Whether it came from a place on a page.
    pub(super) fn has_place(&self) -> bool {
        self.has_place
    }

    /// The box around all, on the page.
    pub fn bounds(&self) -> Option<Rect> {
        let roots = self.document.roots().iter();
        Rect::union_all(roots.filter_map(|id| self.document.absolute_box(id).ok()))
    }

    /// As Figma's REST API answers for nodes, with the pictures they show, as far as there is room.
    pub fn to_json(&self) -> String {
        let mut json = figma::to_json(&self.document);
        // Where it is pasted here, all of them are: what is left out is not missed.
        carry_pictures(&mut json, &self.document, CarryLimits::AT_ONCE);
        json.to_string()
    }

    /// The nodes as they are put elsewhere: parents before children, each with its place on the page if it is a top
    /// one.
    pub(super) fn nodes(&self) -> impl Iterator<Item = (&Arc<Node>, Option<Affine>)> {
        let nodes = self.document.iter_depth_first();
        nodes.map(|node| (node, node.parent.is_none().then_some(node.transform)))
    }
}

/// Text as a text node has it.
fn plain(text: &str) -> String {
    let lines =
        text.replace("\r\n", "\n").replace(['\r', '\u{b}', '\u{c}', '\u{85}', '\u{2029}'], "\n");
    // A mark of the byte order is no letter, though no control character either.
    let is_kept = |c: &char| matches!(c, '\n' | '\t') || !(c.is_control() || *c == '\u{feff}');
    let kept: String = lines.chars().filter(is_kept).collect();
    kept.trim_end_matches(['\n', ' ', '\t']).to_owned()
}
