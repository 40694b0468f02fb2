//! Layers of a component that refer to one property say the same.

use std::sync::Arc;

use super::copying::set_property;
use super::properties::{PropertyKind, REFERENCES, changed_in_layers};
use crate::design::edit::Transaction;
use crate::design::{Document, DocumentError, NodeId};

/// Gives what was changed of the words of a layer, or whether it is shown, to the others that refer to the same
/// property of the component or set. Instances are swapped by the property alone, as not every place can have every
/// component.
pub(in crate::editor) fn link_layers(
    before: &Document,
    change: &mut Transaction<'_>,
) -> Result<(), DocumentError> {
    let document = change.document();
    let touched: Vec<NodeId> = document
        .iter_depth_first()
        .filter(|node| node.source.contains_key(REFERENCES))
        // What no edit touched is the same allocation, so that all nodes can be asked.
        .filter(|node| before.get(&node.id).is_some_and(|was| !Arc::ptr_eq(was, node)))
        .map(|node| node.id.clone())
        .collect();
    for (holder, property) in changed_in_layers(before, document, touched.iter()) {
        if property.value.kind() != PropertyKind::InstanceSwap {
            set_property(change, &holder, &property)?;
        }
    }
    Ok(())
}
