//! What predicts where people look.

use std::fmt::Debug;

use crate::base::Pixels;

use crate::metric::{MissingScore, ScalarMap};

/// Predicts where people look at a picture.
pub trait SaliencyPredictor: Debug + Send + Sync {
    /// Its name as it stands in variant ids: lower case, no slash, no space.
    fn name(&self) -> &str;

    /// What it is beside its name, as [`Metric::fingerprint`](crate::metric::Metric::fingerprint) has it.
    fn fingerprint(&self) -> Option<String> {
        None
    }

    /// How much each place of the picture draws the eye: more is more, on any scale. The map may be
    /// of any size and covers the whole picture.
    ///
    /// # Errors
    ///
    /// Why there is no prediction, such as [`MissingScore::NoModel`].
    fn predict(&self, picture: &Pixels) -> Result<ScalarMap, MissingScore>;
}
