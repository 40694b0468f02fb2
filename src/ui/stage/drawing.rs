//! What the pictures of the stage are drawn with.

use super::compositing::Compositing;
use super::textures::Textures;

/// What the pictures are drawn with.
#[derive(Debug, Default)]
pub(in crate::ui) struct Drawing {
    pub(in crate::ui) textures: Textures,
    pub(in crate::ui) compositing: Compositing,
    /// Added to the number of each draw: two stages in one window draw beside each other.
    pub(super) first_draw: u64,
}
