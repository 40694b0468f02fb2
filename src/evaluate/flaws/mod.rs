//! What is amiss in a design whatever it is to be: texts that overflow, texts that cannot be read, edges
//! nearly in line, uneven gaps, and elements that nobody sees.
//!
//! Each [`Flaw`] comes with the hunks that mend it. They are rules of thumb: a designer may have meant it
//! so. What auto layout places is left to it.
//!
//! - `flaw`: what is found; `seen`: what is on the screen, in the order it is painted;
//! - `overflow`, `contrast`, `spacing` (gaps and edges), `hidden`: a file a rule.
//!
//! Start with [`find_flaws`].

mod contrast;
mod flaw;
mod hidden;
mod overflow;
mod seen;
mod spacing;

#[cfg(test)]
mod tests;

pub use flaw::{Flaw, FlawKind};

pub(super) use flaw::moved;
pub(super) use overflow::inside;

use seen::Screen;

use crate::design::{Document, Measure};

/// What is amiss on the screen of a design, and of a file with pages on the frames beside it: the worst first, then in
/// paint order.
pub fn find_flaws(document: &Document, measure: &dyn Measure) -> Vec<Flaw> {
    let mut flaws = Vec::new();
    for screen in Screen::all(document) {
        flaws.extend(hidden::find(&screen));
        flaws.extend(overflow::find(&screen, measure));
        flaws.extend(contrast::find(&screen));
        flaws.extend(spacing::find(&screen));
    }
    // Each rule goes in paint order, and this keeps it.
    flaws.sort_by_key(|flaw| flaw.kind);
    flaws
}
