//! Which share of each pixel an area covers, kept from one picture to the next.
//!
//! Words are the many small areas of a design, and most of them stay the same from picture to
//! picture. A word is always painted by its coverage, which is rasterised when the word comes with
//! another transform than before, and else laid down as it is: so the bytes do not depend on what
//! was painted before. The arithmetic is that of the rasteriser's own pipeline in 8 bits. An area
//! that reaches beyond the surface is left to the rasteriser, as is whatever is not one colour.

use std::sync::Arc;

use parking_lot::Mutex;
use tiny_skia::{Color, FillRule, Mask, Path, Pixmap, PremultipliedColorU8, Transform};

/// Most pixels of a coverage that is kept: a line of a heading. What is larger is mostly interior,
/// which the rasteriser does quickly.
const MOST_PIXELS: u32 = 8192;

/// Surfaces longer than this are rasterised in tiles.
const LONGEST_SURFACE: u32 = 8000;

/// The coverage of one area by the transform it was painted with last; clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct CoverageCache(Arc<Mutex<CoverageState>>);

#[derive(Debug, Default)]
enum CoverageState {
    #[default]
    New,
    /// Painted with this transform; `None` if it is not to be kept.
    Known(Transform, Option<Coverage>),
}

/// 0 for none and 255 for all of a pixel, over a box of a surface's pixels.
#[derive(Debug)]
struct Coverage {
    left: u32,
    top: u32,
    width: u32,
    height: u32,
    values: Vec<u8>,
}

impl CoverageCache {
    /// Fills the area of `path` with a colour as the rasteriser would; `false`, with nothing done,
    /// if that is left to it. The `path` is always the same one.
    pub(crate) fn fill(
        &self,
        pixmap: &mut Pixmap,
        (path, rule): (&Path, FillRule),
        transform: Transform,
        color: Color,
    ) -> bool {
        let mut state = self.0.lock();
        let is_known = matches!(&*state, CoverageState::Known(known, _) if *known == transform);
        // Only the last transform is kept: a text that moves comes with another one in every
        // picture, and the old ones would never be asked for again.
        if !is_known {
            *state = CoverageState::Known(transform, Coverage::of(path, rule, transform));
        }
        match &*state {
            CoverageState::Known(_, Some(coverage)) => coverage.lay(pixmap, color),
            _ => false,
        }
    }
}

impl Coverage {
    /// `None` if it would be too large, or does not lie on any surface in whole.
    fn of(path: &Path, rule: FillRule, transform: Transform) -> Option<Self> {
        let placed = path.clone().transform(transform)?;
        let bounds = placed.bounds();
        let (left, top) = (bounds.left().floor(), bounds.top().floor());
        let (width, height) = (bounds.right().ceil() - left, bounds.bottom().ceil() - top);
        let is_near = left >= 0.0 && top >= 0.0 && left.max(top) <= LONGEST_SURFACE as f32;
        let is_small = width >= 1.0 && height >= 1.0 && width * height <= MOST_PIXELS as f32;
        if !is_near || !is_small {
            return None;
        }
        // Whole pixels towards the origin, which is exact.
        let shifted = placed.transform(Transform::from_translate(-left, -top))?;
        let mut mask = Mask::new(width as u32, height as u32)?;
        mask.fill_path(&shifted, rule, true, Transform::identity());
        Some(Self {
            left: left as u32,
            top: top as u32,
            width: width as u32,
            height: height as u32,
            values: mask.take(),
        })
    }

    /// `false`, with nothing done, if it does not lie on the pixmap in whole.
    fn lay(&self, pixmap: &mut Pixmap, color: Color) -> bool {
        let (width, height) = (pixmap.width(), pixmap.height());
        let fits = self.left + self.width <= width && self.top + self.height <= height;
        // In tiles, the rasteriser may round a pixel otherwise than in one piece.
        if !fits || width.max(height) > LONGEST_SURFACE {
            return false;
        }
        let blend = Blend::of(color);
        let rows = pixmap.pixels_mut().chunks_mut(width as usize).skip(self.top as usize);
        for (row, values) in rows.zip(self.values.chunks(self.width as usize)) {
            for (pixel, coverage) in row.iter_mut().skip(self.left as usize).zip(values) {
                match coverage {
                    // Most pixels of a word's box are empty.
                    0 => {}
                    coverage => *pixel = blend.over(*pixel, *coverage),
                }
            }
        }
        true
    }
}

/// A colour to be laid over pixels.
#[derive(Clone, Copy, Debug)]
struct Blend {
    /// Premultiplied, 0..=255.
    rgba: [u16; 4],
    is_opaque: bool,
}

impl Blend {
    fn of(color: Color) -> Self {
        let color8 = color.premultiply().to_color_u8();
        let rgba = [color8.red(), color8.green(), color8.blue(), color8.alpha()];
        Self { rgba: rgba.map(u16::from), is_opaque: color.is_opaque() }
    }

    /// What tiny-skia's 8-bit pipeline makes of it: `lerp_1_float` where the colour is opaque, else
    /// `scale_1_float` and source over.
    fn over(self, below: PremultipliedColorU8, coverage: u8) -> PremultipliedColorU8 {
        let c = u16::from(coverage);
        let from = [below.red(), below.green(), below.blue(), below.alpha()].map(u16::from);
        let mixed: [u16; 4] = if self.is_opaque {
            std::array::from_fn(|i| div255(from[i] * (255 - c) + self.rgba[i] * c))
        } else {
            let above = if c == 255 { self.rgba } else { self.rgba.map(|v| div255(v * c)) };
            std::array::from_fn(|i| above[i] + div255(from[i] * (255 - above[3])))
        };
        let [r, g, b, a] = mixed.map(|value| value as u8);
        PremultipliedColorU8::from_rgba(r, g, b, a).unwrap_or(below)
    }
}

/// As tiny-skia divides.
fn div255(value: u16) -> u16 {
    value.div_ceil(256)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tiny_skia::{Paint, PathBuilder, Shader};

    use super::*;

    fn blob(points: &[(f32, f32)]) -> Option<Path> {
        let mut path = PathBuilder::new();
        for (index, chunk) in points.chunks_exact(3).enumerate() {
            let [a, b, c] = [chunk[0], chunk[1], chunk[2]];
            match index % 3 {
                0 => path.move_to(a.0, a.1),
                1 => path.quad_to(a.0, a.1, b.0, b.1),
                _ => path.cubic_to(a.0, a.1, b.0, b.1, c.0, c.1),
            }
        }
        path.close();
        path.finish()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn kept_coverage_gives_the_same_bytes_again_and_what_the_rasteriser_gives(
            points in prop::collection::vec((-4.0..40.0f32, -4.0..40.0f32), 9..30),
            (x, y, scale) in (0.0..60.0f32, 0.0..60.0f32, 0.3..2.0f32),
            [r, g, b, a] in prop::array::uniform4(0.0..=1.0f32),
            is_opaque in any::<bool>(),
            [below_r, below_g, below_b, below_a] in prop::array::uniform4(0u8..),
        ) {
            let Some(path) = blob(&points) else { return Ok(()) };
            let alpha = if is_opaque { 1.0 } else { a };
            let Some(color) = Color::from_rgba(r, g, b, alpha) else { return Ok(()) };
            let transform = Transform::from_row(scale, 0.0, 0.1, scale, x, y);
            let mut whole = Pixmap::new(120, 120).unwrap();
            whole.fill(Color::from_rgba8(below_r, below_g, below_b, below_a));
            let (mut ours, kept) = (whole.clone(), CoverageCache::default());
            let paint = Paint { shader: Shader::SolidColor(color), ..Paint::default() };
            let mut again = whole.clone();
            let area = (&path, FillRule::Winding);
            let is_laid = kept.fill(&mut ours, area, transform, color);
            prop_assert_eq!(kept.fill(&mut again, area, transform, color), is_laid);
            prop_assert!(ours.data() == again.data());
            if is_laid {
                let placed = path.clone().transform(transform).unwrap();
                let identity = Transform::identity();
                whole.fill_path(&placed, &paint, FillRule::Winding, identity, None);
            }
            // Where such a path crosses itself, the two may round a pixel otherwise.
            let pairs = whole.data().iter().zip(ours.data());
            let apart: u32 = pairs.map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
            prop_assert!(f64::from(apart) / whole.data().len() as f64 <= 0.05, "{}", apart);
        }
    }

    #[test]
    fn an_area_is_laid_wherever_it_fits_and_left_to_the_rasteriser_beyond_the_edge() {
        let path = PathBuilder::from_circle(5.0, 5.0, 4.0).unwrap();
        let mut pixmap = Pixmap::new(20, 20).unwrap();
        let kept = CoverageCache::default();
        // Beyond the edge, nothing is kept.
        let places = [(true, [0.0, 0.0, 0.0, 1.0, 1.0]), (false, [15.0, 15.0, 15.0, -2.0, -2.0])];
        for (is_laid, places) in places {
            for x in places {
                let there = Transform::from_translate(x, 0.0);
                let area = (&path, FillRule::Winding);
                assert_eq!(kept.fill(&mut pixmap, area, there, Color::BLACK), is_laid, "{x}");
            }
        }
    }
}
