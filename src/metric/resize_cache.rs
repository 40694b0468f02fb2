//! A ground truth at the size it is compared at.

use std::ops::Deref;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::base::{CancelToken, Cancelled, Pixels};

use super::resize::rgb_planes_at;

/// How many pixels of a picture at other sizes are kept; the size it was compared at last whatever it has.
const MOST_PIXELS: u64 = 4_000_000;

/// A picture at the sizes it was compared at: many steps of one run are of one size, and its start and other runs at
/// the same task may be of others; the ground truth need not be resized for each.
#[derive(Debug, Default)]
pub struct ResizeCache {
    /// What was used last is at the end.
    sizes: Mutex<Vec<Arc<Pixels>>>,
}

/// A picture as it is, or resized.
#[derive(Debug)]
pub(super) enum AtSize<'a> {
    AsItIs(&'a Pixels),
    Resized(Arc<Pixels>),
}

impl Deref for AtSize<'_> {
    type Target = Pixels;

    fn deref(&self) -> &Pixels {
        match self {
            Self::AsItIs(picture) => picture,
            Self::Resized(picture) => picture,
        }
    }
}

impl<'a> AtSize<'a> {
    /// A picture at another size, as [`compared_planes`](super::resize::compared_planes) resizes it; as it is if it is
    /// of that size.
    pub(super) fn of(
        picture: &'a Pixels,
        width: u32,
        height: u32,
        cancel: &CancelToken,
    ) -> Result<Self, Cancelled> {
        if (width, height) == (picture.width(), picture.height()) {
            return Ok(Self::AsItIs(picture));
        }
        let [r, g, b] = rgb_planes_at(picture, width as usize, height as usize, cancel)?;
        // Metrics drop the alpha, so an opaque picture gives what the resized original would.
        let colors = r.samples().iter().zip(g.samples()).zip(b.samples());
        let rgba = colors.flat_map(|((r, g), b)| [*r, *g, *b, 255]).collect();
        // It cannot be refused: it is no larger than what it is made of in either direction.
        let resized = Pixels::from_rgba(width, height, rgba);
        Ok(resized.map_or(Self::AsItIs(picture), |resized| Self::Resized(Arc::new(resized))))
    }
}

impl ResizeCache {
    /// `picture`, no larger than `other` in either direction: as
    /// [`compared_planes`](super::resize::compared_planes) resizes it. It must be the same picture
    /// every time.
    pub(super) fn picture_for<'a>(
        &self,
        picture: &'a Pixels,
        other: &Pixels,
        cancel: &CancelToken,
    ) -> Result<AtSize<'a>, Cancelled> {
        let width = picture.width().min(other.width());
        let height = picture.height().min(other.height());
        if (width, height) == (picture.width(), picture.height()) {
            return Ok(AtSize::AsItIs(picture));
        }
        // Held while resizing: threads that come meanwhile want the same size, and would only do the
        // same again.
        let mut sizes = self.sizes.lock();
        let known = sizes.iter().position(|it| (it.width(), it.height()) == (width, height));
        if let Some(known) = known {
            let known = sizes.remove(known);
            sizes.push(Arc::clone(&known));
            return Ok(AtSize::Resized(known));
        }
        let resized = AtSize::of(picture, width, height, cancel)?;
        if let AtSize::Resized(resized) = &resized {
            sizes.push(Arc::clone(resized));
            while sizes.len() > 1 && sizes.iter().map(|it| area(it)).sum::<u64>() > MOST_PIXELS {
                sizes.remove(0);
            }
        }
        Ok(resized)
    }
}

fn area(picture: &Pixels) -> u64 {
    u64::from(picture.width()) * u64::from(picture.height())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::resize::compared_planes;

    fn picture(width: u32, height: u32, seed: u32) -> Pixels {
        let samples = (0..width * height * 4)
            .map(|at| (at.wrapping_mul(2_654_435_761).wrapping_add(seed) >> 24) as u8);
        Pixels::from_rgba(width, height, samples.collect()).unwrap()
    }

    #[test]
    fn what_is_compared_is_the_same_cached_or_not() {
        let never = CancelToken::new();
        let (truth, cache) = (picture(40, 60, 1), ResizeCache::default());
        for (width, height) in [(20, 30), (20, 30), (50, 30), (40, 60), (80, 90), (7, 9)] {
            let generated = picture(width, height, 2);
            let small = cache.picture_for(&truth, &generated, &never).unwrap();
            assert_eq!(
                compared_planes(&small, &generated, &never).unwrap(),
                compared_planes(&truth, &generated, &never).unwrap(),
                "{width} × {height}"
            );
        }
    }

    #[test]
    fn sizes_that_take_turns_are_resized_to_once_each() {
        let never = CancelToken::new();
        let (truth, cache) = (picture(40, 60, 1), ResizeCache::default());
        let resized = |width, height| match cache
            .picture_for(&truth, &picture(width, height, 2), &never)
            .unwrap()
        {
            AtSize::Resized(resized) => resized,
            AtSize::AsItIs(_) => panic!("not resized"),
        };
        let [first, second] = [resized(20, 30), resized(30, 20)];
        for _ in 0..3 {
            assert!(Arc::ptr_eq(&first, &resized(20, 30)));
            assert!(Arc::ptr_eq(&second, &resized(30, 20)));
        }
    }

    #[test]
    fn of_large_pictures_only_the_size_that_was_used_last_is_kept() {
        let never = CancelToken::new();
        let (truth, cache) = (picture(2_200, 2_000, 1), ResizeCache::default());
        for (width, height) in [(2_100, 2_000), (2_200, 1_900), (10, 10)] {
            let small = picture(width, height, 2);
            assert!(matches!(cache.picture_for(&truth, &small, &never), Ok(AtSize::Resized(_))));
        }
        let kept: Vec<u32> = cache.sizes.lock().iter().map(|it| it.width()).collect();
        assert_eq!(kept, [10]);
    }
}
