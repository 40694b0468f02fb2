//! One channel of a picture, as the kernels want it.

use crate::base::Pixels;

/// One channel of a picture: rows from the top, no padding, both sides at least 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plane {
    width: usize,
    height: usize,
    samples: Vec<u8>,
}

impl Plane {
    /// A plane from its samples; `None` if a side is 0 or the length is not `width * height`.
    pub fn new(width: usize, height: usize, samples: Vec<u8>) -> Option<Self> {
        // The product is checked: sides read from a file may overflow it.
        let fits = width > 0 && height > 0 && width.checked_mul(height) == Some(samples.len());
        fits.then_some(Self { width, height, samples })
    }

    /// A plane whose samples were counted by the kernel that made them.
    pub(super) fn of_size(width: usize, height: usize, samples: Vec<u8>) -> Self {
        debug_assert_eq!(width * height, samples.len(), "a kernel made a plane of another size");
        Self { width, height, samples }
    }

    /// Samples across, at least 1.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Samples down, at least 1.
    pub fn height(&self) -> usize {
        self.height
    }

    /// All samples.
    pub fn samples(&self) -> &[u8] {
        &self.samples
    }

    /// The rows, from the top.
    pub(super) fn rows(&self) -> std::slice::ChunksExact<'_, u8> {
        self.samples.chunks_exact(self.width)
    }

    /// Row `y`, which must be below the height.
    pub(super) fn row(&self, y: usize) -> &[u8] {
        &self.samples[y * self.width..(y + 1) * self.width]
    }
}

/// Red, green and blue of a picture. The alpha is dropped, not composited: a transparent pixel
/// counts with the colour stored under it, as PIL's `convert("RGB")` has it.
pub fn rgb_planes(picture: &Pixels) -> [Plane; 3] {
    let (pixels, _) = picture.rgba().as_chunks::<4>();
    [0, 8, 16].map(|shift| Plane {
        width: picture.width() as usize,
        height: picture.height() as usize,
        // Shifting whole pixels vectorises; picking bytes does not.
        samples: pixels.iter().map(|pixel| (u32::from_le_bytes(*pixel) >> shift) as u8).collect(),
    })
}

/// The grey of a colour: BT.601 luma in 15 bits, rounded. OpenCV's `COLOR_BGR2GRAY` to the bit.
pub(super) fn grey([r, g, b]: [u8; 3]) -> u8 {
    let [r, g, b] = [r, g, b].map(u32::from);
    // 0.299, 0.587 and 0.114 times 2¹⁵; they sum to exactly 2¹⁵, so that white stays 255.
    ((r * 9798 + g * 19235 + b * 3735 + (1 << 14)) >> 15) as u8
}

/// A picture in shades of grey; the alpha is dropped, as `imread` does.
pub(super) fn grey_plane(picture: &Pixels) -> Plane {
    let (pixels, _) = picture.rgba().as_chunks::<4>();
    let samples = pixels.iter().map(|&[r, g, b, _]| grey([r, g, b])).collect();
    Plane::of_size(picture.width() as usize, picture.height() as usize, samples)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alpha_is_dropped_and_the_colour_under_it_counts() {
        let picture = Pixels::from_rgba(2, 1, vec![1, 2, 3, 0, 4, 5, 6, 255]).unwrap();
        let planes = rgb_planes(&picture).map(|plane| plane.samples().to_vec());
        assert_eq!(planes, [vec![1, 4], vec![2, 5], vec![3, 6]]);
    }

    #[test]
    fn a_plane_has_area_and_the_right_length() {
        assert!(Plane::new(0, 1, vec![]).is_none());
        assert!(Plane::new(2, 2, vec![0; 3]).is_none());
        assert!(Plane::new(2, 2, vec![0; 4]).is_some());
    }

    #[test]
    fn greys_keep_their_value() {
        for v in 0..=255 {
            assert_eq!(grey([v; 3]), v);
        }
    }

    #[test]
    fn primaries_have_the_shares_of_bt_601() {
        assert_eq!([[255, 0, 0], [0, 255, 0], [0, 0, 255]].map(grey), [76, 150, 29]);
    }
}
