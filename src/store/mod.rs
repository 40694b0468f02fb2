//! What is kept from one session to the next: one SQLite file a workspace.
//!
//! [`Store`] opens the file and brings its tables up to date; they hold scores that were computed before ([`ScoreKey`],
//! by content and not by name, so that nothing has to be thrown away when a run moves), people's notes on runs
//! ([`StoredNote`]), the ranges of steps they keep ([`StoredRange`]) and the areas of pictures they leave out
//! ([`StoredArea`]). Threads and processes share a file: it is in WAL mode, and a writer waits for another.
//!
//! A cache is never worth a run: a file that cannot be used is an error once, and the program goes on
//! without it. A damaged file is set aside, not deleted; a file of a newer program, or of another
//! one, is left as it is.
//!
//! [`labels`] is another file of its own: a labelling project.
//!
//! Uses `label`, `metric`'s types, `design`, `base`.

mod areas;
mod content;
mod error;
pub mod labels;
mod notes;
mod ranges;
mod schema;
mod score_cache;
mod workspace;

pub use areas::StoredArea;
pub use content::{ContentHash, hash_ground_truth, hash_side};
pub use error::StoreError;
pub use notes::StoredNote;
pub use ranges::StoredRange;
pub use score_cache::ScoreKey;
pub use workspace::Store;
