//! Runs as one HTML page that needs nothing else: for whoever has no Pentimento, for a paper's
//! appendix, for a colleague.
//!
//! [`RunReport`] replays and scores a run, [`Followed`](followed::Followed) is one variant over it; [`page()`] lays
//! runs out, `curve` and `heat` draw. The file refers to nothing outside itself: styles are inline, pictures are data
//! URIs, there is no script. Everything in it that comes from a run is escaped.
//!
//! [`Player`] makes a page of one run that people go through step by step; that one has a script.
//!
//! [`study_page`] does the same for what a labelling project comes to.
//!
//! The command line and the window's worker both write it, so they write the same. Uses `evaluate` and
//! what stands above it, and of `workbench` the colours of heat.

mod curve;
mod followed;
mod gather;
mod heat;
mod html;
mod page;
mod player;
mod steps;
mod study;

pub use gather::{Measuring, RunReport};
pub use page::page;
pub use player::{Player, PlayerError};
pub use study::{StudyForm, study_page};
