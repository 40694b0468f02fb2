//! Image paints, pixel by pixel.
//!
//! A picture is laid over the node's box by its scale mode: FILL covers the box and FIT lies within
//! it, both centred; TILE repeats from the left top corner; STRETCH fills the box; CROP (`STRETCH`
//! with an `imageTransform` in REST files) shows the part that the transform says, and nothing
//! beyond the picture. What is shrunk is averaged over whole blocks first, so that no detail turns
//! into noise; the rest is bilinear.

use crate::base::{Affine, Pixels, Rect, Rgba};
use crate::design::{ImageFilters, ImagePaint};

use super::color::premultiplied;
use super::image_sampler::{Beyond, ImageSampler};
use super::source::PaintContext;
use super::surface::Surface;

/// A picture as paint, where it is used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PicturePaint<'p> {
    pub(crate) image: &'p ImagePaint,
    pub(crate) picture: &'p Pixels,
    pub(crate) place: PaintContext<'p>,
    /// 0..=1.
    pub(crate) opacity: f64,
}

/// A picture as it is seen within `visible`, a box of device space, with nothing around it; `None` if
/// that is nothing.
pub(crate) fn seen(
    picture: &Pixels,
    device_from_picture: Affine,
    visible: Rect,
) -> Option<Surface> {
    let picture_from_device = device_from_picture.inverse()?;
    let mut texture = Surface::over(visible, 0)?;
    let device_box = texture.device_box();
    let samples = ImageSampler::of(picture, picture_from_device, device_box, Beyond::Nothing)?;
    samples.paint(&mut texture, picture_from_device, premultiplied);
    Some(texture)
}

impl PicturePaint<'_> {
    /// The pixels of what is to be seen; `None` if the box has no area.
    pub(crate) fn texture(self) -> Option<Surface> {
        let (picture_from_node, beyond) = self.picture_from_node()?;
        let node_from_device = self.place.device_from_node.inverse()?;
        let picture_from_device = picture_from_node.after(node_from_device);
        let mut texture = Surface::over(self.place.visible, 0)?;
        let samples =
            ImageSampler::of(self.picture, picture_from_device, texture.device_box(), beyond)?;
        let corrections = Corrections::of(self.image.filters);
        samples.paint(&mut texture, picture_from_device, |color| {
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
        // The transform goes from the node's box to the picture's, both as unit squares.
        if let Some(transform) = self.image.transform.filter(|_| matches!(mode, "STRETCH" | "CROP"))
        {
            let unit_from_node = Affine::scale(1.0 / size.width, 1.0 / size.height);
            let map = Affine::scale(width, height).after(transform).after(unit_from_node);
            return map.is_finite().then_some((map, Beyond::Nothing));
        }
        let turn = QuarterTurn::of(self.image.rotation, width, height);
        let (across, down) = (size.width / turn.width, size.height / turn.height);
        let (stretch, beyond) = match mode {
            "FIT" => ((across.min(down), across.min(down)), Beyond::Nothing),
            "STRETCH" | "CROP" => ((across, down), Beyond::Edge),
            // From the corner, in the picture's own size times its factor; the others are centred.
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
struct QuarterTurn {
    picture_from_turned: Affine,
    width: f64,
    height: f64,
}

impl QuarterTurn {
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
        // How much a pixel is bent depends on how bright it is as a whole.
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
