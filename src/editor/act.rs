//! What can be done.

use super::arrange::ArrangeAct;
use super::clipboard::ClipboardAct;
use super::components::ComponentAct;
use super::layers::LayerAct;
use super::pages::PageAct;
use super::picture::PictureAct;
use super::pointer::{PointAct, PointerAct};
use super::property::PropertyAct;
use super::selection::SelectAct;
use super::style_acts::StyleAct;
use super::tool::Tool;
use super::typing::TypingAct;

/// Something that is done to a design.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Take another tool in hand.
    Take(Tool),
    /// Press, move, let go.
    Pointer(PointerAct),
    /// Select other nodes.
    Select(SelectAct),
    /// Put what is selected in order.
    Arrange(ArrangeAct),
    /// Copy, cut, paste.
    Clipboard(ClipboardAct),
    /// Change a property of what is selected.
    Property(PropertyAct),
    /// Change the tree of layers.
    Layer(LayerAct),
    /// Look at another page, or change the pages.
    Page(PageAct),
    /// Place a picture, or crop one.
    Picture(PictureAct),
    /// Make a component, or work with its instances.
    Component(ComponentAct),
    /// Work with shared styles.
    Style(StyleAct),
    /// Type into a text.
    Typing(TypingAct),
    /// Change the points of a path that are selected.
    Points(PointAct),
    /// Undo the last step.
    Undo,
    /// Do again what was undone last.
    Redo,
}
