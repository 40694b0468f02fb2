//! A ground truth at the size it is compared at.

use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

use crate::base::{CancelToken, Cancelled, Pixels};

use super::plane::rgb_planes;
use super::resize;

/// A picture at the size it was last compared at: many steps of one run are of one size, and the
/// ground truth need not be resized for each.
#[derive(Debug, Default)]
pub struct FittedPicture(Mutex<Option<Arc<Pixels>>>);

/// A picture as it is, or resized.
#[derive(Debug)]
pub(super) enum Fitted<'a> {
    AsItIs(&'a Pixels),
    Resized(Arc<Pixels>),
}

impl Deref for Fitted<'_> {
    type Target = Pixels;

    fn deref(&self) -> &Pixels {
        match self {
            Self::AsItIs(picture) => picture,
            Self::Resized(picture) => picture,
        }
    }
}

impl FittedPicture {
    /// `picture`, no larger than `other` in either direction: as
    /// [`compared_planes`](super::resize::compared_planes) resizes it. It must be the same picture
    /// every time.
    pub(super) fn to<'a>(
        &self,
        picture: &'a Pixels,
        other: &Pixels,
        cancel: &CancelToken,
    ) -> Result<Fitted<'a>, Cancelled> {
        let size = (picture.width().min(other.width()), picture.height().min(other.height()));
        if size == (picture.width(), picture.height()) {
            return Ok(Fitted::AsItIs(picture));
        }
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.as_ref().filter(|known| (known.width(), known.height()) == size)
        {
            return Ok(Fitted::Resized(Arc::clone(known)));
        }
        let Some(resized) = resized(picture, size, cancel)? else {
            return Ok(Fitted::AsItIs(picture));
        };
        let resized = Arc::new(resized);
        *known = Some(Arc::clone(&resized));
        Ok(Fitted::Resized(resized))
    }
}

/// The colours of a picture at another size, without its alpha.
fn resized(
    picture: &Pixels,
    (width, height): (u32, u32),
    cancel: &CancelToken,
) -> Result<Option<Pixels>, Cancelled> {
    let [r, g, b] = rgb_planes(picture);
    let fit = |plane| resize::bicubic(plane, width as usize, height as usize, cancel);
    let (r, g, b) = (fit(r)?, fit(g)?, fit(b)?);
    let colors = r.samples().iter().zip(g.samples()).zip(b.samples());
    let rgba = colors.flat_map(|((r, g), b)| [*r, *g, *b, 255]).collect();
    Ok(Pixels::from_rgba(width, height, rgba).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::resize::compared_planes;

    fn picture(width: u32, height: u32, seed: u32) -> Pixels {
        let sample = |at: u32| (at.wrapping_mul(2_654_435_761).wrapping_add(seed) >> 24) as u8;
        Pixels::from_rgba(width, height, (0..width * height * 4).map(sample).collect()).unwrap()
    }

    #[test]
    fn what_is_compared_is_the_same_fitted_or_not() {
        let never = CancelToken::new();
        let (truth, fitted) = (picture(40, 60, 1), FittedPicture::default());
        for (width, height) in [(20, 30), (20, 30), (50, 30), (40, 60), (80, 90), (7, 9)] {
            let generated = picture(width, height, 2);
            let small = fitted.to(&truth, &generated, &never).unwrap();
            assert_eq!(
                compared_planes(&small, &generated, &never).unwrap(),
                compared_planes(&truth, &generated, &never).unwrap(),
                "{width} × {height}"
            );
        }
    }

    #[test]
    fn a_size_is_resized_to_once() {
        let never = CancelToken::new();
        let (truth, fitted) = (picture(40, 60, 1), FittedPicture::default());
        let generated = picture(20, 30, 2);
        let Fitted::Resized(first) = fitted.to(&truth, &generated, &never).unwrap() else {
            panic!("not resized")
        };
        let Fitted::Resized(second) = fitted.to(&truth, &generated, &never).unwrap() else {
            panic!("not resized")
        };
        assert!(Arc::ptr_eq(&first, &second));
    }
}
