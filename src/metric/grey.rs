//! Pictures in shades of grey, as OpenCV has them.

use crate::base::Pixels;

use super::plane::Plane;

/// The grey of a colour: BT.601 luma in 15 bits, rounded. OpenCV's `COLOR_BGR2GRAY` to the bit.
pub(super) fn grey([r, g, b]: [u8; 3]) -> u8 {
    let [r, g, b] = [r, g, b].map(u32::from);
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
