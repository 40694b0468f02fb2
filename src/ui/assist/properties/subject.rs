//! What the panel is about: the nodes whose properties it shows.

use crate::design::{Document, Node, NodeId};
use crate::editor::{Act, Common, NumberProperty, PropertyAct, Setting, number_of};
use crate::ui::assist::acting;
use crate::ui::context::ViewContext;
use crate::workbench::AssistDesk;

/// The nodes that are shown and changed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject<'a> {
    pub(super) cx: &'a ViewContext<'a>,
    pub(super) desk: &'a AssistDesk,
    pub(super) document: &'a Document,
    pub(super) ids: &'a [NodeId],
}

impl<'a> Subject<'a> {
    /// The nodes that are there.
    pub(super) fn nodes(self) -> impl Iterator<Item = &'a Node> {
        self.ids.iter().filter_map(move |id| self.document.get(id)).map(AsRef::as_ref)
    }

    /// What they have in common in a field.
    pub(super) fn common<T: PartialEq>(self, field: impl Fn(&'a Node) -> Option<T>) -> Common<T> {
        Common::of(self.nodes().map(|node| Common::from(field(node))))
    }

    /// The same of a number.
    pub(super) fn number(self, property: NumberProperty) -> Common<f64> {
        number_of(self.document, self.ids, property)
    }

    /// Whether any of them is so.
    pub(super) fn any(self, is_so: impl Fn(&Node) -> bool) -> bool {
        self.nodes().any(is_so)
    }

    /// Changes them, whatever is selected by then.
    pub(super) fn send(self, act: PropertyAct) {
        self.send_on(self.ids.to_vec(), act);
    }

    /// Changes those nodes.
    pub(super) fn send_on(self, nodes: Vec<NodeId>, act: PropertyAct) {
        let act = PropertyAct::On { nodes, act: Box::new(act) };
        self.act(Act::Property(act));
    }

    /// Sets what was chosen.
    pub(super) fn set(self, setting: Setting) {
        self.send(PropertyAct::Set(setting));
    }

    /// Does something to the design.
    pub(super) fn act(self, act: Act) {
        acting::act(self.cx, act);
    }
}
