//! What the pictures of the stage are drawn with.

use super::compositing::Compositing;
use super::textures::Textures;

/// What the pictures are drawn with.
#[derive(Debug, Default)]
pub(super) struct Drawing {
    pub(super) textures: Textures,
    pub(super) compositing: Compositing,
}
