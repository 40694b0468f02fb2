//! The picture an agent works on: opaque, in floats, of bounded size.

use crate::base::Pixels;

use super::area::Area;

/// Red, green and blue, 0..=255.
pub(super) type Rgb = [f32; 3];

/// Most pixels looked at; a larger picture is reduced by a whole factor first.
const MOST_PIXELS: usize = 1_600_000;

/// An opaque picture.
#[derive(Clone, Debug)]
pub(super) struct Picture {
    width: usize,
    height: usize,
    rgb: Vec<Rgb>,
}

impl Picture {
    /// `pixels` over white, which is what a new main frame shows where nothing is drawn, reduced
    /// by the smallest whole factor that keeps the work bounded.
    pub(super) fn of(pixels: &Pixels) -> Self {
        let (width, height) = (pixels.width() as usize, pixels.height() as usize);
        let mut factor = 1;
        // By whole factors: means of whole blocks move no edge, as resampling would.
        while (width / factor).max(1) * (height / factor).max(1) > MOST_PIXELS {
            factor += 1;
        }
        let (w, h) = ((width / factor).max(1), (height / factor).max(1));
        let mut rgb = Vec::with_capacity(w * h);
        for y in 0..h {
            for x in 0..w {
                rgb.push(block_mean(pixels, x * factor, y * factor, factor));
            }
        }
        Self { width: w, height: h, rgb }
    }

    /// From rows of colours; `rgb` must hold `width × height` of them.
    pub(super) fn from_rgb(width: usize, height: usize, rgb: Vec<Rgb>) -> Self {
        debug_assert_eq!(rgb.len(), width * height, "one colour a pixel");
        Self { width, height, rgb }
    }

    /// Pixels across.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Pixels down.
    pub(super) fn height(&self) -> usize {
        self.height
    }

    /// The whole of it.
    pub(super) fn area(&self) -> Area {
        Area::new(0, 0, self.width, self.height)
    }

    /// The part of it in `area`, which must lie inside.
    pub(super) fn crop(&self, area: Area) -> Self {
        let rgb = area.pixels().map(|(x, y)| self.get(x, y)).collect();
        Self { width: area.width(), height: area.height(), rgb }
    }

    /// Puts a picture of the size of `area`, which must lie inside, in its place.
    pub(super) fn put(&mut self, part: &Self, area: Area) {
        for ((x, y), colour) in area.pixels().zip(&part.rgb) {
            self.rgb[y * self.width + x] = *colour;
        }
    }

    /// One pixel; outside, the nearest inside.
    pub(super) fn at(&self, x: isize, y: isize) -> Rgb {
        let x = x.clamp(0, self.width as isize - 1) as usize;
        let y = y.clamp(0, self.height as isize - 1) as usize;
        self.rgb[y * self.width + x]
    }

    /// One pixel that is inside.
    pub(super) fn get(&self, x: usize, y: usize) -> Rgb {
        self.rgb[y * self.width + x]
    }
}

/// The mean over white of a block of `factor` × `factor` pixels, cut at the picture's edge.
fn block_mean(pixels: &Pixels, x0: usize, y0: usize, factor: usize) -> Rgb {
    let (mut sum, mut count) = ([0.0f32; 3], 0.0f32);
    for y in y0..y0 + factor {
        for x in x0..x0 + factor {
            // A picture that is thinner than the factor has no whole block.
            let Some([r, g, b, a]) = pixels.get(x as u32, y as u32) else { continue };
            let alpha = f32::from(a) / 255.0;
            for (total, channel) in sum.iter_mut().zip([r, g, b]) {
                *total += f32::from(channel) * alpha + 255.0 * (1.0 - alpha);
            }
            count += 1.0;
        }
    }
    sum.map(|v| v / count.max(1.0))
}

/// The largest difference in a channel.
pub(super) fn distance(a: Rgb, b: Rgb) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

/// `a − b`.
pub(super) fn minus(a: Rgb, b: Rgb) -> Rgb {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// `a + b·t`, kept within 0..=255.
pub(super) fn blend_towards(a: Rgb, b: Rgb, t: f32) -> Rgb {
    [0, 1, 2].map(|c| (a[c] + (b[c] - a[c]) * t).clamp(0.0, 255.0))
}

/// The inner product.
pub(super) fn dot(a: Rgb, b: Rgb) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The mean of a set of colours; `None` of none.
pub(super) fn mean(colours: impl IntoIterator<Item = Rgb>) -> Option<Rgb> {
    let (mut sum, mut count) = ([0.0f64; 3], 0.0f64);
    for colour in colours {
        for (total, channel) in sum.iter_mut().zip(colour) {
            *total += f64::from(channel);
        }
        count += 1.0;
    }
    (count > 0.0).then(|| sum.map(|v| (v / count) as f32))
}
