//! Where the papers contradict themselves or the data they released, as a table and below others.

use super::sources::Sources;
use super::table::{Cell, PaperTable};
use crate::evaluate::{SLIPS, Slip};

/// What stands below a table of these figures.
pub(super) fn below(id: &str) -> impl Iterator<Item = String> {
    // A sentence each, without the columns that the whole table has for its parts.
    SLIPS.iter().filter(move |slip| slip.tables.contains(&id)).map(Slip::sentence)
}

/// All of them, as a table of its own.
pub(super) fn all(_: &Sources) -> PaperTable {
    let title = "Where the papers contradict themselves or their data";
    let headings = ["Paper", "Place", "Printed", "Recomputed", "Why"];
    let mut table = PaperTable::new("slips", title, &headings);
    // Figures stand here as the papers print them, in words: so all columns are words.
    table.heading_columns = headings.len();
    for it in &SLIPS {
        let row = [it.paper, it.place, it.printed, it.recomputed, it.why].map(Cell::text);
        table.rows.push(row.to_vec());
    }
    table
}
