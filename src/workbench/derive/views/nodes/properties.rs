//! What a node is, as the panel of a design tool says it, beside what its partner is.

use std::sync::Arc;

use crate::design::Node;
use crate::workbench::model::{Outline, OutlineRow};

use super::sheet::{PropertyGroup, Sheet, merged};
use super::{geometry, look, typography};

/// The properties of a row's node, with those of its partner where there is one. Only what a
/// property panel would show: what has the default of every node is left out, unless it differs.
pub fn properties(outline: &Arc<Outline>, row: &OutlineRow) -> Vec<PropertyGroup> {
    let (now, before) = outline.nodes_of(row);
    // Of what only the other design has, the properties are those it has there.
    let (now, before) = if row.is_ghost { (before, None) } else { (now, before) };
    let Some(now) = now else { return Vec::new() };
    let now = sheet_of(now);
    match before {
        Some(before) => merged(now, sheet_of(before)),
        None => {
            let mut groups = merged(now, Sheet::default());
            // There is nothing it could differ from.
            for property in groups.iter_mut().flat_map(|group| &mut group.properties) {
                property.differs = false;
            }
            groups
        }
    }
}

fn sheet_of(node: &Node) -> Sheet {
    let mut sheet = Sheet::default();
    geometry::place(&mut sheet, node);
    geometry::auto_layout(&mut sheet, node);
    look::layer(&mut sheet, node);
    look::paints(&mut sheet, node);
    look::effects(&mut sheet, node);
    typography::text(&mut sheet, node);
    geometry::constraints(&mut sheet, node);
    sheet
}
