//! What values are made of, and how soon they are wanted.

use std::path::PathBuf;
use std::sync::Arc;

use crate::metric::ScalarMap;
use crate::run::{Manifest, Run};
use crate::workbench::model::heat_scale::HeatScale;

/// How soon a value is wanted; soonest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Urgency {
    /// On the stage now.
    Stage,
    /// On the stage in a moment, by a step forward or back.
    Ahead,
    /// In the table of scores now.
    Table,
    /// On the timeline now.
    Timeline,
    /// The rest of a curve.
    Curve,
    /// For the library.
    Library,
    /// For the lines in the library, which are worth looking at and nothing more.
    Sketch,
}

impl Urgency {
    /// All, soonest first.
    pub const ALL: [Self; 7] = [
        Self::Stage,
        Self::Ahead,
        Self::Table,
        Self::Timeline,
        Self::Curve,
        Self::Library,
        Self::Sketch,
    ];
}

/// A map and what its values mean.
#[derive(Clone, Debug)]
pub struct MapInput {
    /// The map.
    pub map: Arc<ScalarMap>,
    /// What its values mean.
    pub scale: HeatScale,
}

/// A run as a value is made of it.
#[derive(Clone, Debug)]
pub enum RunInput {
    /// All of it.
    Loaded(Arc<Run>),
    /// Still to be read.
    Unread {
        /// Its folder.
        dir: PathBuf,
        /// Its manifest, as listed.
        manifest: Box<Manifest>,
    },
}
