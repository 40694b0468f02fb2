//! The colours of a picture where pixels of the device lie in it.

use tiny_skia::PremultipliedColorU8;

use crate::base::{Affine, Pixels, Point, Rect, Rgba};
use crate::raster::shrink;
use crate::render::geometry::boxes::bounds_of;

use super::surface::Surface;

/// What lies beyond the edge of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beyond {
    /// Nothing.
    Nothing,
    /// Its edge, on and on.
    Edge,
    /// The picture again.
    Again,
}

/// The part of a picture that is needed, shrunk to about the pixels of the device.
#[derive(Debug)]
pub(crate) struct ImageSampler {
    /// Premultiplied.
    pixels: Vec<[u8; 4]>,
    columns: usize,
    rows: usize,
    /// Left top corner of the part in the picture.
    origin: Point,
    /// Pixels of the picture for one sample.
    block: (f64, f64),
    beyond: Beyond,
    /// Extent of the picture.
    width: f64,
    height: f64,
    /// Pixels of the picture for one of the device.
    step: (f64, f64),
}

impl ImageSampler {
    /// What is needed of a picture to fill `device_box`; `None` if that is nothing.
    pub(crate) fn of(
        picture: &Pixels,
        picture_from_device: Affine,
        device_box: Rect,
        beyond: Beyond,
    ) -> Option<Self> {
        let Affine { a, b, c, d, .. } = picture_from_device;
        let step = (a.hypot(c), b.hypot(d));
        let (width, height) = (picture.width() as usize, picture.height() as usize);
        // Whole pixels of the picture for one of the device, at least 1.
        let block = ((step.0.max(1.0) as usize).min(width), (step.1.max(1.0) as usize).min(height));
        // A tile shows again everywhere: all of it is needed.
        let part = if beyond == Beyond::Again {
            SampledPixels { left: 0, top: 0, right: width, bottom: height }
        } else {
            let needed = bounds_of(picture_from_device, device_box);
            SampledPixels::around(needed, block, (width, height))?
        };
        let pixels = part.shrunk(picture, block);
        let columns = (part.right - part.left).div_ceil(block.0);
        let rows = pixels.len() / columns.max(1);
        (rows > 0).then(|| Self {
            pixels,
            columns,
            rows,
            origin: Point::new(part.left as f64, part.top as f64),
            block: (block.0 as f64, block.1 as f64),
            beyond,
            width: width as f64,
            height: height as f64,
            step,
        })
    }

    /// Sets every pixel of a texture to what `finish` makes of the colour there, not premultiplied.
    ///
    /// Where the picture lies upright, what is to be known of a column is found once for all rows.
    /// Colours that come again are finished once: pictures have areas of one colour.
    pub(crate) fn paint(
        &self,
        texture: &mut Surface,
        picture_from_device: Affine,
        finish: impl Fn(Rgba) -> PremultipliedColorU8,
    ) {
        let left = texture.device_box().x + 0.5;
        let center = |x: usize, y: f64| picture_from_device.apply(Point::new(left + x as f64, y));
        let is_upright = picture_from_device.b == 0.0 && picture_from_device.c == 0.0;
        let mut columns: Vec<Along> = Vec::new();
        let mut last: Option<(Mixed, PremultipliedColorU8)> = None;
        let mut finished = |mixed: Mixed| match last {
            Some((known, color)) if known == mixed => color,
            _ => {
                let color = finish(mixed.color());
                last = Some((mixed, color));
                color
            }
        };
        texture.paint_rows(|y, row| {
            if !is_upright {
                for (x, pixel) in row.iter_mut().enumerate() {
                    *pixel = finished(self.at(center(x, y)));
                }
                return;
            }
            // Filled at the first row, when the width is known, and good for all of them.
            if columns.is_empty() {
                columns.extend((0..row.len()).map(|x| self.across(center(x, y).x)));
            }
            let down = self.down(center(0, y).y);
            for (pixel, across) in row.iter_mut().zip(&columns) {
                *pixel = finished(self.mixed(*across, down));
            }
        });
    }

    /// What is seen at a place in the picture.
    fn at(&self, place: Point) -> Mixed {
        self.mixed(self.across(place.x), self.down(place.y))
    }

    fn across(&self, at: f64) -> Along {
        self.along(at, (self.origin.x, self.block.0), self.columns, (self.width, self.step.0))
    }

    fn down(&self, at: f64) -> Along {
        self.along(at, (self.origin.y, self.block.1), self.rows, (self.height, self.step.1))
    }

    fn along(
        &self,
        at: f64,
        (origin, block): (f64, f64),
        count: usize,
        (extent, step): (f64, f64),
    ) -> Along {
        let at = match self.beyond {
            Beyond::Again => at.rem_euclid(extent),
            Beyond::Nothing | Beyond::Edge => at,
        };
        let place = (at - origin) / block - 0.5;
        let first = place.floor();
        // What lies before the first sample or after the last is the other end of a picture that
        // comes again, and else that end.
        let [first_index, second_index] = [first, first + 1.0].map(|at| match self.beyond {
            Beyond::Again => at.rem_euclid(count as f64) as usize,
            Beyond::Nothing | Beyond::Edge => at.clamp(0.0, (count - 1) as f64) as usize,
        });
        Along {
            first: first_index,
            second: second_index,
            share: (place - first) as f32,
            covered: self.coverage(at, extent, step),
        }
    }

    /// How much of a device pixel around a place the picture covers, along one side.
    fn coverage(&self, at: f64, extent: f64, step: f64) -> f64 {
        if self.beyond != Beyond::Nothing {
            return 1.0;
        }
        let inside = at.min(extent - at) / step.max(1e-12);
        (inside + 0.5).clamp(0.0, 1.0)
    }

    /// The mean of the four samples around a place, each by how near it is.
    fn mixed(&self, across: Along, down: Along) -> Mixed {
        let covered = across.covered * down.covered;
        let nearest = self.sample(across.first, down.first);
        // On a sample nothing of the others is in it.
        if across.share == 0.0 && down.share == 0.0 {
            return Mixed { rgba: nearest.map(f32::from), covered };
        }
        let right = self.sample(across.second, down.first);
        let below = self.sample(across.first, down.second);
        let far = self.sample(across.second, down.second);
        // Areas of one colour need no arithmetic, and come out exactly.
        if nearest == right && nearest == below && nearest == far {
            return Mixed { rgba: nearest.map(f32::from), covered };
        }
        let [above, below] = [(nearest, right), (below, far)]
            .map(|(left, right)| mix(left.map(f32::from), right.map(f32::from), across.share));
        Mixed { rgba: mix(above, below, down.share), covered }
    }

    fn sample(&self, column: usize, row: usize) -> [u8; 4] {
        self.pixels.get(row * self.columns + column).copied().unwrap_or_default()
    }
}

/// From the first, at 0, to the second, at 1.
fn mix(first: [f32; 4], second: [f32; 4], share: f32) -> [f32; 4] {
    std::array::from_fn(|i| first[i] + (second[i] - first[i]) * share)
}

/// A place along one side of the picture.
#[derive(Clone, Copy, Debug)]
struct Along {
    /// The sample before it and the one after, by their numbers.
    first: usize,
    second: usize,
    /// How far it is from the first to the second.
    share: f32,
    /// How much of a device pixel around it the picture covers.
    covered: f64,
}

/// What is seen at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Mixed {
    /// Premultiplied, 0..=255.
    rgba: [f32; 4],
    /// How much of the device pixel the picture covers.
    covered: f64,
}

impl Mixed {
    /// The colour, not premultiplied.
    fn color(self) -> Rgba {
        let [r, g, b, a] = self.rgba.map(f64::from);
        if a <= 0.0 {
            return Rgba::TRANSPARENT;
        }
        Rgba::new(r / a, g / a, b / a, a / 255.0 * self.covered)
    }
}

/// Whole pixels of a picture.
#[derive(Clone, Copy, Debug)]
struct SampledPixels {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

impl SampledPixels {
    /// The blocks of the picture around `needed`, with one more on each side. Beyond the picture,
    /// the nearest of its pixels count.
    fn around(
        needed: Rect,
        block: (usize, usize),
        (width, height): (usize, usize),
    ) -> Option<Self> {
        if !needed.is_finite() {
            return None;
        }
        // Blocks begin at multiples of their size, whatever part is needed: the same samples again.
        let sides = [
            (needed.x, needed.right(), block.0, width),
            (needed.y, needed.bottom(), block.1, height),
        ];
        let [(left, right), (top, bottom)] = sides.map(|(from, to, block, extent)| {
            let margin = 2.0 * block as f64;
            let from = (from - margin).clamp(0.0, extent as f64) as usize;
            let from = from.min(extent - 1) / block * block;
            let to = (to + margin).clamp(0.0, extent as f64) as usize;
            (from, to.max(from + 1).next_multiple_of(block).min(extent))
        });
        Some(Self { left, top, right, bottom })
    }

    /// The means of its blocks, premultiplied; a row of blocks at a time, so that a large picture
    /// is not copied.
    fn shrunk(self, picture: &Pixels, block: (usize, usize)) -> Vec<[u8; 4]> {
        let (pixels, _) = picture.rgba().as_chunks::<4>();
        let rows: Vec<_> = pixels
            .chunks_exact(picture.width() as usize)
            .skip(self.top)
            .take(self.bottom - self.top)
            .collect();
        if block == (1, 1) {
            return self.premultiplied(&rows);
        }
        let width = self.right - self.left;
        rows.chunks(block.1)
            .flat_map(|band| shrink(&self.premultiplied(band), width, block).0)
            .collect()
    }

    /// What of these rows lies in it.
    fn premultiplied(self, rows: &[&[[u8; 4]]]) -> Vec<[u8; 4]> {
        let part = rows.iter().flat_map(|row| &row[self.left..self.right]);
        part.map(|pixel| premultiply(*pixel)).collect()
    }
}

fn premultiply([r, g, b, a]: [u8; 4]) -> [u8; 4] {
    if a == 255 {
        return [r, g, b, a];
    }
    let [r, g, b] = [r, g, b].map(|c| ((u32::from(c) * u32::from(a) + 127) / 255) as u8);
    [r, g, b, a]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::paint::color::premultiplied;
    use proptest::prelude::*;

    /// What [`ImageSampler::paint`] does, said as plainly as can be: each pixel by itself.
    fn plain(samples: &ImageSampler, place: Point) -> Rgba {
        let place = match samples.beyond {
            Beyond::Again => {
                Point::new(place.x.rem_euclid(samples.width), place.y.rem_euclid(samples.height))
            }
            Beyond::Nothing | Beyond::Edge => place,
        };
        let x = (place.x - samples.origin.x) / samples.block.0 - 0.5;
        let y = (place.y - samples.origin.y) / samples.block.1 - 0.5;
        let (share_x, share_y) = ((x - x.floor()) as f32, (y - y.floor()) as f32);
        let [above, below] = [y.floor(), y.floor() + 1.0].map(|row| {
            let row = index(samples.beyond, row, samples.rows) * samples.columns;
            let [left, right] = [x.floor(), x.floor() + 1.0].map(|column| {
                let column = index(samples.beyond, column, samples.columns);
                samples.pixels[row + column].map(f32::from)
            });
            mix(left, right, share_x)
        });
        let [r, g, b, a] = mix(above, below, share_y).map(f64::from);
        let covered = match samples.beyond {
            Beyond::Nothing => {
                let [across, down] = [
                    (place.x, samples.width, samples.step.0),
                    (place.y, samples.height, samples.step.1),
                ]
                .map(|(at, extent, step)| {
                    ((at.min(extent - at) / step.max(1e-12)) + 0.5).clamp(0.0, 1.0)
                });
                across * down
            }
            Beyond::Edge | Beyond::Again => 1.0,
        };
        if a <= 0.0 {
            return Rgba::TRANSPARENT;
        }
        Rgba::new(r / a, g / a, b / a, a / 255.0 * covered)
    }

    fn index(beyond: Beyond, at: f64, count: usize) -> usize {
        match beyond {
            Beyond::Again => at.rem_euclid(count as f64) as usize,
            Beyond::Nothing | Beyond::Edge => at.clamp(0.0, (count - 1) as f64) as usize,
        }
    }

    /// A picture with areas of one colour, edges, and see-through parts.
    fn picture(width: u32, height: u32, seed: u8) -> Pixels {
        let mut rgba = Vec::new();
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let patch = ((x / 3 + y / 4) as u8).wrapping_mul(61).wrapping_add(seed);
            let alpha = if patch.is_multiple_of(5) { patch } else { 255 };
            rgba.extend([patch, patch.wrapping_mul(7), (x * 9) as u8, alpha]);
        }
        Pixels::from_rgba(width, height, rgba).unwrap()
    }

    fn map() -> impl Strategy<Value = Affine> {
        let scale = prop_oneof![Just(1.0), Just(-1.0), Just(2.0), 0.1f64..6.0];
        let shift = prop_oneof![(-12i32..12).prop_map(f64::from), -12.0f64..12.0];
        let skew = prop_oneof![3 => Just(0.0), 1 => -2.0f64..2.0];
        (scale.clone(), skew.clone(), skew, scale, shift.clone(), shift)
            .prop_map(|(a, b, c, d, e, f)| Affine { a, b, c, d, e, f })
    }

    proptest! {
        #[test]
        fn every_pixel_is_what_the_plain_way_gives(
            size in (1u32..20, 1u32..20), seed: u8, map in map(), beyond in 0..3usize, opacity in 0.0f64..=1.0,
        ) {
            let beyond = [Beyond::Nothing, Beyond::Edge, Beyond::Again][beyond];
            let picture = picture(size.0, size.1, seed);
            let visible = Rect::new(-3.0, 2.0, 17.0, 13.0);
            let mut painted = Surface::over(visible, 0).unwrap();
            let mut expected = Surface::over(visible, 0).unwrap();
            let samples = ImageSampler::of(&picture, map, painted.device_box(), beyond);
            prop_assume!(samples.is_some());
            let samples = samples.unwrap();
            let finish = |color: Rgba| premultiplied(color.with_alpha(color.a * opacity));
            samples.paint(&mut painted, map, finish);
            expected.paint_pixels(|center| finish(plain(&samples, map.apply(center))));
            let (mut painted_rows, mut expected_rows) = (Vec::new(), Vec::new());
            painted.paint_rows(|_, row| painted_rows.push(row.to_vec()));
            expected.paint_rows(|_, row| expected_rows.push(row.to_vec()));
            prop_assert_eq!(painted_rows, expected_rows);
        }
    }

    #[test]
    fn a_picture_that_is_not_shrunk_is_only_premultiplied() {
        let picture = picture(7, 5, 3);
        let part = SampledPixels { left: 1, top: 2, right: 6, bottom: 5 };
        let whole = part.shrunk(&picture, (1, 1));
        let plain: Vec<[u8; 4]> = (2..5)
            .flat_map(|y| (1..6).map(move |x| (x, y)))
            .map(|(x, y)| premultiply(picture.get(x, y).unwrap()))
            .collect();
        assert_eq!(whole, plain);
    }
}
