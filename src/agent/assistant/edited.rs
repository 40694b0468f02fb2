//! What an edit changed, field by field, in the words that suggestions have.

use super::ledger::HunkValue;
use super::suggestion::in_tree;
use crate::design::Document;
use crate::design::diff::{diff, pair_by_id};
use crate::design::hunk::Field;

/// Every field that differs between a design and what became of it, from which value to which, as people read it: nodes
/// of one id are the same. A node that is not there has an empty value.
pub fn edited_values(before: &Document, after: &Document) -> Vec<HunkValue> {
    let found = diff(before, after, &pair_by_id(before, after));
    let mut values = Vec::new();
    for node in &found.nodes {
        let Some(id) = node.after.as_ref().or(node.before.as_ref()) else { continue };
        for field in node.changes.iter().flat_map(Field::of_change) {
            let [from, to] = [before, after].map(|document| {
                document.get(id).map(|node| in_tree(field, node, document)).unwrap_or_default()
            });
            values.push(HunkValue { node: id.clone(), field, from, to });
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Size;
    use crate::design::edit::Transaction;
    use crate::design::{Node, NodeId, NodeKind};

    #[test]
    fn every_field_has_its_value_before_and_after() {
        let mut node = Node::new(NodeId::new("1:1"), "card", NodeKind::Rectangle);
        node.size = Size::new(40.0, 20.0);
        let before = Document::from_nodes([node.clone()]).unwrap();
        assert!(edited_values(&before, &before).is_empty());
        let mut after = before.clone();
        let mut transaction = Transaction::begin(&mut after);
        transaction.update(&node.id, |node| node.opacity = 0.5).unwrap();
        transaction.commit();
        let [only] = edited_values(&before, &after).try_into().unwrap();
        assert_eq!((only.from.as_str(), only.to.as_str()), ("100 %", "50 %"));
        let [gone] =
            edited_values(&after, &Document::from_nodes(Vec::new()).unwrap()).try_into().unwrap();
        assert_eq!((gone.field, gone.to.as_str()), (Field::Existence, ""));
    }
}
