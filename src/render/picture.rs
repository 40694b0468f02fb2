//! Image paints, pixel by pixel.
//!
//! A picture is laid over the node's box by its scale mode: FILL covers the box and FIT lies within
//! it, both centred; TILE repeats from the left top corner; STRETCH fills the box; CROP (`STRETCH`
//! with an `imageTransform` in REST files) shows the part that the transform says, and nothing
//! beyond the picture. What is shrunk is averaged over whole blocks first, so that no detail turns
//! into noise; the rest is bilinear.

use crate::base::{Affine, Pixels, Point, Rect, Rgba};
use crate::design::{ImageFilters, ImagePaint};
use crate::raster::shrink;

use super::gradient::premultiplied;
use super::shader::Place;
use super::surface::Surface;

/// A picture as paint, where it is used.
#[derive(Clone, Copy, Debug)]
pub(super) struct PicturePaint<'p> {
    pub(super) image: &'p ImagePaint,
    pub(super) picture: &'p Pixels,
    pub(super) place: Place<'p>,
    /// 0..=1.
    pub(super) opacity: f64,
}

/// A picture as it is seen within `visible`, a box of device space, with nothing around it; `None` if
/// that is nothing.
pub(super) fn seen(
    picture: &Pixels,
    device_from_picture: Affine,
    visible: Rect,
) -> Option<Surface> {
    let picture_from_device = device_from_picture.inverse()?;
    let mut texture = Surface::over(visible, 0)?;
    let device_box = texture.device_box();
    let samples = Samples::of(picture, picture_from_device, device_box, Beyond::Nothing)?;
    texture.paint_pixels(|center| premultiplied(samples.at(picture_from_device.apply(center))));
    Some(texture)
}

/// What lies beyond the edge of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beyond {
    Nothing,
    /// Its edge, on and on.
    Edge,
    /// The picture again.
    Again,
}

impl PicturePaint<'_> {
    /// The pixels of what is to be seen; `None` if the box has no area.
    pub(super) fn texture(self) -> Option<Surface> {
        let (picture_from_node, beyond) = self.picture_from_node()?;
        let node_from_device = self.place.device_from_node.inverse()?;
        let picture_from_device = picture_from_node.after(node_from_device);
        let mut texture = Surface::over(self.place.visible, 0)?;
        let samples = Samples::of(self.picture, picture_from_device, texture.device_box(), beyond)?;
        let corrections = Corrections::of(self.image.filters);
        texture.paint_pixels(|center| {
            let color = samples.at(picture_from_device.apply(center));
            let color = corrections.as_ref().map_or(color, |corrections| corrections.apply(color));
            premultiplied(color.with_alpha(color.a * self.opacity))
        });
        Some(texture)
    }

    /// From the node's space to pixels of the picture.
    fn picture_from_node(self) -> Option<(Affine, Beyond)> {
        let (width, height) = (f64::from(self.picture.width()), f64::from(self.picture.height()));
        let size = self.place.size;
        if !(size.width > 0.0 && size.height > 0.0) {
            return None;
        }
        let mode = self.image.scale_mode.as_str();
        if let Some(transform) = self.image.transform.filter(|_| matches!(mode, "STRETCH" | "CROP"))
        {
            let unit_from_node = Affine::scale(1.0 / size.width, 1.0 / size.height);
            let map = Affine::scale(width, height).after(transform).after(unit_from_node);
            return map.is_finite().then_some((map, Beyond::Nothing));
        }
        let turn = Turn::of(self.image.rotation, width, height);
        let (across, down) = (size.width / turn.width, size.height / turn.height);
        let (stretch, beyond) = match mode {
            "FIT" => ((across.min(down), across.min(down)), Beyond::Nothing),
            "STRETCH" | "CROP" => ((across, down), Beyond::Edge),
            "TILE" => {
                let factor = self.image.scaling_factor;
                let factor = if factor > 0.0 && factor.is_finite() { factor } else { 1.0 };
                let map = Affine::scale(1.0 / factor, 1.0 / factor);
                return Some((turn.picture_from_turned.after(map), Beyond::Again));
            }
            _ => ((across.max(down), across.max(down)), Beyond::Edge),
        };
        let center = Affine::translate(-size.width / 2.0, -size.height / 2.0);
        let map = Affine::translate(turn.width / 2.0, turn.height / 2.0)
            .after(Affine::scale(1.0 / stretch.0, 1.0 / stretch.1))
            .after(center);
        let map = turn.picture_from_turned.after(map);
        map.is_finite().then_some((map, beyond))
    }
}

/// A picture turned by quarters.
#[derive(Clone, Copy, Debug)]
struct Turn {
    picture_from_turned: Affine,
    width: f64,
    height: f64,
}

impl Turn {
    /// Of a picture of `w` × `h`, clockwise to the nearest quarter.
    fn of(degrees: f64, w: f64, h: f64) -> Self {
        let quarters = (degrees / 90.0).round().rem_euclid(4.0);
        let (rows, width, height) = if quarters == 1.0 {
            ([[0.0, 1.0, 0.0], [-1.0, 0.0, h]], h, w)
        } else if quarters == 2.0 {
            ([[-1.0, 0.0, w], [0.0, -1.0, h]], w, h)
        } else if quarters == 3.0 {
            ([[0.0, -1.0, w], [1.0, 0.0, 0.0]], h, w)
        } else {
            ([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], w, h)
        };
        Self { picture_from_turned: Affine::from_rows(rows), width, height }
    }
}

/// The part of a picture that is needed, shrunk to about the pixels of the device.
#[derive(Debug)]
struct Samples {
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

impl Samples {
    fn of(
        picture: &Pixels,
        picture_from_device: Affine,
        device_box: Rect,
        beyond: Beyond,
    ) -> Option<Self> {
        let Affine { a, b, c, d, .. } = picture_from_device;
        let step = (a.hypot(c), b.hypot(d));
        let (width, height) = (picture.width() as usize, picture.height() as usize);
        let factor = |step: f64, most: usize| (step.max(1.0) as usize).min(most);
        let block = (factor(step.0, width), factor(step.1, height));
        let part = if beyond == Beyond::Again {
            Part { left: 0, top: 0, right: width, bottom: height }
        } else {
            let needed = super::clip::bounds_of(picture_from_device, device_box);
            Part::around(needed, block, (width, height))?
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

    /// The colour at a place in the picture, not premultiplied.
    fn at(&self, place: Point) -> Rgba {
        let place = match self.beyond {
            Beyond::Again => {
                Point::new(place.x.rem_euclid(self.width), place.y.rem_euclid(self.height))
            }
            Beyond::Nothing | Beyond::Edge => place,
        };
        let x = (place.x - self.origin.x) / self.block.0 - 0.5;
        let y = (place.y - self.origin.y) / self.block.1 - 0.5;
        let (share_x, share_y) = ((x - x.floor()) as f32, (y - y.floor()) as f32);
        let mix = |a: [f32; 4], b: [f32; 4], share: f32| -> [f32; 4] {
            std::array::from_fn(|i| a[i] + (b[i] - a[i]) * share)
        };
        let row = |y: f64| mix(self.sample(x.floor(), y), self.sample(x.floor() + 1.0, y), share_x);
        let [r, g, b, a] = mix(row(y.floor()), row(y.floor() + 1.0), share_y).map(f64::from);
        if a <= 0.0 {
            return Rgba::TRANSPARENT;
        }
        Rgba::new(r / a, g / a, b / a, a / 255.0 * self.coverage(place))
    }

    fn sample(&self, column: f64, row: f64) -> [f32; 4] {
        let index = |at: f64, count: usize| match self.beyond {
            Beyond::Again => at.rem_euclid(count as f64) as usize,
            Beyond::Nothing | Beyond::Edge => at.clamp(0.0, (count - 1) as f64) as usize,
        };
        let at = index(row, self.rows) * self.columns + index(column, self.columns);
        self.pixels.get(at).copied().unwrap_or_default().map(f32::from)
    }

    /// How much of a device pixel around `place` the picture covers.
    fn coverage(&self, place: Point) -> f64 {
        if self.beyond != Beyond::Nothing {
            return 1.0;
        }
        let along = |at: f64, extent: f64, step: f64| {
            let inside = at.min(extent - at) / step.max(1e-12);
            (inside + 0.5).clamp(0.0, 1.0)
        };
        along(place.x, self.width, self.step.0) * along(place.y, self.height, self.step.1)
    }
}

/// Whole pixels of a picture.
#[derive(Clone, Copy, Debug)]
struct Part {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

impl Part {
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
        let span = |from: f64, to: f64, block: usize, extent: usize| {
            let limit = |at: f64| at.clamp(0.0, extent as f64) as usize;
            let margin = 2.0 * block as f64;
            let from = limit(from - margin).min(extent - 1) / block * block;
            let to = limit(to + margin).max(from + 1).next_multiple_of(block).min(extent);
            (from, to)
        };
        let (left, right) = span(needed.x, needed.right(), block.0, width);
        let (top, bottom) = span(needed.y, needed.bottom(), block.1, height);
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
        let premultiplied = |band: &[&[[u8; 4]]]| -> Vec<[u8; 4]> {
            let part = band.iter().flat_map(|row| &row[self.left..self.right]);
            part.map(|pixel| premultiply(*pixel)).collect()
        };
        let width = self.right - self.left;
        rows.chunks(block.1).flat_map(|band| shrink(&premultiplied(band), width, block).0).collect()
    }
}

fn premultiply([r, g, b, a]: [u8; 4]) -> [u8; 4] {
    if a == 255 {
        return [r, g, b, a];
    }
    let scale = |c: u8| ((u32::from(c) * u32::from(a) + 127) / 255) as u8;
    [scale(r), scale(g), scale(b), a]
}

/// Figma's image filters.
///
/// Figma says in words only what they do. Here, on sRGB channels in 0..=1, in this order: exposure
/// multiplies by 2^e; temperature makes red stronger and blue weaker by a fifth, tint green weaker
/// by a fifth; highlights and shadows bend the bright and the dark part without moving black and
/// white; contrast stretches about the middle by 1 + c; saturation stretches away from the grey of
/// the same luma by 1 + s.
#[derive(Clone, Copy, Debug)]
struct Corrections {
    filters: ImageFilters,
    gain: [f64; 3],
}

impl Corrections {
    /// `None` if nothing is to be corrected.
    fn of(filters: ImageFilters) -> Option<Self> {
        let exposure = filters.exposure.clamp(-1.0, 1.0).exp2();
        let (warmth, tint) = (filters.temperature * 0.2, filters.tint * 0.2);
        let gain = [exposure * (1.0 + warmth), exposure * (1.0 - tint), exposure * (1.0 - warmth)];
        (filters != ImageFilters::default()).then_some(Self { filters, gain })
    }

    fn apply(self, color: Rgba) -> Rgba {
        let f = self.filters;
        let mut channels = [color.r, color.g, color.b];
        for (channel, gain) in channels.iter_mut().zip(self.gain) {
            *channel = (*channel * gain).clamp(0.0, 1.0);
        }
        let bright = luma(channels);
        let bend = f.highlights * bright * bright + f.shadows * (1.0 - bright) * (1.0 - bright);
        for channel in &mut channels {
            *channel += bend * *channel * (1.0 - *channel);
            *channel = (*channel - 0.5) * (1.0 + f.contrast) + 0.5;
        }
        let gray = luma(channels);
        let [r, g, b] = channels.map(|channel| gray + (channel - gray) * (1.0 + f.saturation));
        Rgba::new(r, g, b, color.a)
    }
}

/// Source: ITU-R BT.709.
fn luma([r, g, b]: [f64; 3]) -> f64 {
    0.2126 * r + 0.7152 * g + 0.0722 * b
}
