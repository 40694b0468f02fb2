//! Whether people would look at the same places of both pictures.
//!
//! A [`SaliencyPredictor`] says where they would look; [`Saliency`] compares what it says of the two
//! sides in three ways. The predictor's name is part of every variant. There is one predictor that
//! needs no model, [`SpectralResidual`]; the numbers of the CANVAS paper come from a trained network
//! (UMSI++), and are not comparable with those of another predictor. A predictor made for interfaces
//! from contrast and a bias to the centre is left out: nothing here records where people looked, so
//! none could be shown to be better.

mod linear;
mod metric;
mod similarity;
mod spectral_residual;

pub use metric::{Saliency, SaliencyPredictor};
pub use similarity::{correlation, divergence, intersection};
pub use spectral_residual::SpectralResidual;
