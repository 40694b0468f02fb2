//! Composes what the stage shows at the size it is wanted in.

use crate::base::{Limits, Pixels, Rect};
use crate::raster::overlay::{
    DifferencePlane, HeatColors, Overlay, Plane, Viewport, heat, overlay,
};
use crate::workbench::{ShotBox, ShotContent, ShotPane, StagePixels, StageShot, StageView};

/// Pixels between two pictures, for each of the scale.
const GAP: u32 = 24;
/// Between and below pictures: what papers are printed on.
const PAPER: [u8; 4] = [255; 4];
const BLACK: [u8; 3] = [0; 3];
/// How much of its colour lies in the box of what is missing or too much.
const FILL: f32 = 0.12;
/// From line to line of a hatch, in widths of them.
const HATCH: i64 = 8;
/// What is hatched: its ground, the lines across it and the one around it.
const SHADE: [u8; 4] = [0, 0, 0, 150];
const LINES: [u8; 4] = [154, 160, 169, 255];
const FRAME: [u8; 4] = [232, 233, 236, 255];

/// The picture of a shot.
///
/// # Errors
///
/// In words: there is no picture in it, or it would be larger than a picture may be.
pub(super) fn compose(shot: &StageShot) -> Result<Pixels, String> {
    let scale = u32::from(shot.scale.clamp(1, 4));
    let width = shot.width.max(1).saturating_mul(scale);
    // All places before anything is drawn: what would be too large is not drawn at all.
    let places: Vec<(&ShotPane, Viewport)> =
        shot.panes.iter().filter_map(|pane| Some((pane, place(&pane.content, width)?))).collect();
    let Some(height) = places.iter().map(|(_, place)| place.height).max() else {
        return Err("the stage shows no picture yet".to_owned());
    };
    let count = places.len() as u32;
    let across = width.saturating_mul(count).saturating_add(GAP * scale * (count - 1));
    if u64::from(across) * u64::from(height) > Limits::IMAGE_PIXELS {
        return Err(format!("{across} × {height} pixels are too many: choose a smaller scale"));
    }
    let panes = places.iter().map(|(pane, place)| draw_with_marks(pane, place, scale));
    let panes: Vec<Vec<[u8; 4]>> = panes.collect::<Result<_, _>>()?;
    let mut rgba = vec![PAPER; across as usize * height as usize];
    for (at, pixels) in panes.iter().enumerate() {
        let left = at * (width + GAP * scale) as usize;
        let rows = pixels.chunks_exact(width as usize);
        for (row, from) in rgba.chunks_exact_mut(across as usize).zip(rows) {
            row[left..left + width as usize].copy_from_slice(from);
        }
    }
    Pixels::from_rgba(across, height, rgba.into_flattened()).map_err(|error| error.to_string())
}

/// Where a pane lies if it is so wide; `None` if it has no picture.
fn place(content: &ShotContent, width: u32) -> Option<Viewport> {
    let [first, second] = match content {
        ShotContent::Picture(picture) => [size(&picture.pixels); 2],
        ShotContent::Overlaid { pictures: [first, second], .. } => {
            [size(&first.pixels), size(&second.pixels)]
        }
        ShotContent::Heat { over: Some((picture, _)), .. } => [size(picture); 2],
        ShotContent::Heat { places, width: columns, over: None, .. } => {
            [[*columns, (places.len() as u32).checked_div(*columns)?]; 2]
        }
    };
    Some(viewport_of(first, second, width))
}

fn size(pixels: &StagePixels) -> [u32; 2] {
    [pixels.width(), pixels.height()]
}

/// The pixels of a pane in its place, opaque, with what lies over them; lines are as wide as a pixel of the picture.
fn draw_with_marks(pane: &ShotPane, place: &Viewport, line: u32) -> Result<Vec<[u8; 4]>, String> {
    let rgba = draw(&pane.content, place)?;
    let mut sheet = Sheet { rgba, width: place.width, line: i64::from(line) };
    for area in &pane.ignored {
        sheet.hatch(*area);
    }
    for found in &pane.boxes {
        sheet.outline(found);
    }
    Ok(sheet.rgba)
}

/// Pixels that are drawn over.
struct Sheet {
    rgba: Vec<[u8; 4]>,
    width: u32,
    /// How wide lines are.
    line: i64,
}

impl Sheet {
    /// Where the edges of an area lie that is given in widths of the picture: left, top, right, bottom.
    fn edges(&self, area: Rect) -> [i64; 4] {
        let width = f64::from(self.width);
        [area.x, area.y, area.right(), area.bottom()].map(|edge| (edge * width).round() as i64)
    }

    /// Colours what of a rectangle is on the sheet, each pixel by its place; premultiplied.
    fn fill(&mut self, [left, top, right, bottom]: [i64; 4], color: impl Fn([i64; 2]) -> [u8; 4]) {
        let width = i64::from(self.width.max(1));
        let height = self.rgba.len() as i64 / width;
        for y in top.clamp(0, height)..bottom.clamp(0, height) {
            for x in left.clamp(0, width)..right.clamp(0, width) {
                let pixel = &mut self.rgba[(y * width + x) as usize];
                *pixel = over_opaque(color([x, y]), *pixel);
            }
        }
    }

    /// A frame whose lines lie in the middle of the edges.
    fn frame(&mut self, edges: [i64; 4], color: [u8; 4]) {
        let line = self.line;
        let [left, top, right, bottom] = edges.map(|edge| edge - line / 2);
        for side in [
            [left, top, right + line, top + line],
            [left, bottom, right + line, bottom + line],
            [left, top, left + line, bottom],
            [right, top, right + line, bottom],
        ] {
            self.fill(side, |_| color);
        }
    }

    /// A box around a node.
    fn outline(&mut self, found: &ShotBox) {
        let edges = self.edges(found.area);
        let [r, g, b] = found.color;
        if found.is_filled {
            let [r, g, b, a] =
                [r, g, b, u8::MAX].map(|channel| (f32::from(channel) * FILL).round() as u8);
            self.fill(edges, |_| [r, g, b, a]);
        }
        self.frame(edges, [r, g, b, u8::MAX]);
    }

    /// Lines across an area.
    fn hatch(&mut self, area: Rect) {
        let (edges, line) = (self.edges(area), self.line);
        self.fill(edges, |[x, y]| if (x + y) % (HATCH * line) < line { LINES } else { SHADE });
        self.frame(edges, FRAME);
    }
}

/// The pixels of a pane in its place, opaque.
fn draw(content: &ShotContent, place: &Viewport) -> Result<Vec<[u8; 4]>, String> {
    Ok(match content {
        ShotContent::Picture(picture) => alone(&picture.pixels, place)?,
        ShotContent::Overlaid { pictures: [first, second], view, amount, swipe_down } => {
            let samples = [premultiplied(&first.pixels)?, premultiplied(&second.pixels)?];
            let planes = [plane(&samples[0], &first.pixels), plane(&samples[1], &second.pixels)];
            let how = match view {
                // Of the first one: places are counted in it, as the window does.
                StageView::Swipe if *swipe_down => {
                    Overlay::SwipeDown((amount * place.size[1]).round())
                }
                StageView::Swipe => Overlay::Swipe((amount * place.size[0]).round()),
                StageView::OnionSkin => Overlay::Mix(*amount),
                StageView::Difference => Overlay::Difference(*amount),
                StageView::SideBySide | StageView::Blink => Overlay::Mix(0.0),
            };
            overlay(planes, place, how, white())
        }
        ShotContent::Heat { places, width: columns, threshold, palette, over } => {
            let rows = (places.len() as u32).checked_div(*columns).unwrap_or_default();
            let map = DifferencePlane { values: places, width: *columns, height: rows };
            let opacity = over.as_ref().map_or(1.0, |(_, opacity)| *opacity);
            let (ramp, neutral, threshold) = (palette.ramp(), palette.neutral(), *threshold);
            let above = heat(map, place, HeatColors { ramp: &ramp, neutral, threshold, opacity });
            let [r, g, b] = BLACK;
            let below = match over {
                Some((picture, _)) => alone(picture, place)?,
                None => vec![[r, g, b, u8::MAX]; above.len()],
            };
            above.iter().zip(below).map(|(above, below)| over_opaque(*above, below)).collect()
        }
    })
}

fn alone(picture: &StagePixels, place: &Viewport) -> Result<Vec<[u8; 4]>, String> {
    let samples = premultiplied(picture)?;
    Ok(overlay([plane(&samples, picture); 2], place, Overlay::Mix(0.0), white()))
}

fn white() -> [u8; 3] {
    let [r, g, b, _] = PAPER;
    [r, g, b]
}

/// A premultiplied colour over an opaque one.
fn over_opaque(above: [u8; 4], below: [u8; 4]) -> [u8; 4] {
    let through = u16::from(u8::MAX - above[3]);
    let [r, g, b] = std::array::from_fn(|i| {
        let seen = (u16::from(below[i]) * through + 127) / 255;
        (u16::from(above[i]) + seen).min(255) as u8
    });
    [r, g, b, u8::MAX]
}

fn premultiplied(pixels: &StagePixels) -> Result<Vec<[u8; 4]>, String> {
    let pixels = pixels.unpacked().map_err(|error| error.to_string())?;
    let samples = pixels.rgba().as_chunks::<4>().0.iter();
    let premultiplied = samples.map(|[r, g, b, a]| {
        let [r, g, b] = [r, g, b].map(|it| ((u16::from(*it) * u16::from(*a) + 127) / 255) as u8);
        [r, g, b, *a]
    });
    Ok(premultiplied.collect())
}

fn plane<'a>(samples: &'a [[u8; 4]], pixels: &StagePixels) -> Plane<'a> {
    Plane { rgba: samples, width: pixels.width(), height: pixels.height() }
}

/// Both as wide as wanted and as high as their shapes make them; as high as the higher one.
fn viewport_of(first: [u32; 2], second: [u32; 2], width: u32) -> Viewport {
    let [size, second_size] = [first, second].map(|[across, down]| {
        let scale = width as f32 / (across as f32).max(1.0);
        [width as f32, down as f32 * scale]
    });
    Viewport {
        left: 0,
        top: 0,
        width,
        height: (size[1].max(second_size[1]).round() as u32).max(1),
        origin: [0.0; 2],
        second_origin: [0.0; 2],
        size,
        second_size,
        // At twice the size and more, pixels are what is looked at.
        sharp: width >= first[0].saturating_mul(2),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::base::{ColorMap, Palette};
    use crate::workbench::StagePicture;

    fn picture(width: u32, height: u32, color: [u8; 4]) -> Arc<StagePicture> {
        Arc::new(StagePicture {
            pixels: Pixels::filled(width, height, color).unwrap().into(),
            reduced: Arc::default(),
            nodes: Arc::default(),
            diagnostics: Vec::new(),
            documents: None,
        })
    }

    const RED: [u8; 4] = [200, 0, 0, 255];
    const BLUE: [u8; 4] = [0, 0, 200, 255];

    #[test]
    fn pictures_stand_side_by_side_at_the_scale_that_is_asked_for() {
        let panes = [picture(10, 20, RED), picture(20, 20, BLUE)]
            .map(|it| ShotPane::from(ShotContent::Picture(it)));
        let shot = StageShot { panes: panes.into(), width: 10, scale: 2, about: String::new() };
        let pixels = compose(&shot).unwrap();
        assert_eq!((pixels.width(), pixels.height()), (20 + 48 + 20, 40));
        assert_eq!(pixels.get(19, 39), Some(RED));
        assert_eq!(pixels.get(20, 0), Some(PAPER));
        // As wide as the other, it is half as high.
        assert_eq!([pixels.get(68, 19), pixels.get(68, 20)], [Some(BLUE), Some(PAPER)]);
    }

    #[test]
    fn a_swipe_and_a_difference_are_drawn_as_they_are_seen() {
        let overlaid = |view, amount| {
            let pictures = [picture(10, 10, RED), picture(10, 10, BLUE)];
            let pane = ShotContent::Overlaid { pictures, view, amount, swipe_down: false };
            compose(&StageShot {
                panes: vec![pane.into()],
                width: 10,
                scale: 1,
                about: String::new(),
            })
            .unwrap()
        };
        let swiped = overlaid(StageView::Swipe, 0.3);
        assert_eq!([swiped.get(2, 0), swiped.get(3, 0)], [Some(RED), Some(BLUE)]);
        assert_eq!(overlaid(StageView::Difference, 1.0).get(5, 5), Some([200, 0, 200, 255]));
    }

    #[test]
    fn heat_is_in_its_colours_and_clear_below_its_threshold() {
        let heat = |over: Option<(Pixels, f32)>| {
            let over = over.map(|(picture, opacity)| (picture.into(), opacity));
            let pane = ShotContent::Heat {
                places: vec![0.0, 1.0],
                width: 2,
                threshold: 0.5,
                palette: Palette::Sequential(ColorMap::Grey),
                over,
            };
            compose(&StageShot {
                panes: vec![pane.into()],
                width: 2,
                scale: 1,
                about: String::new(),
            })
            .unwrap()
        };
        let alone = heat(None);
        assert_eq!([alone.get(0, 0), alone.get(1, 0)], [Some([0, 0, 0, 255]), Some([255; 4])]);
        let red = Pixels::filled(2, 1, RED).unwrap();
        let over = heat(Some((red, 1.0)));
        assert_eq!([over.get(0, 0), over.get(1, 0)], [Some(RED), Some([255; 4])]);
    }

    #[test]
    fn a_signed_heat_has_the_colours_of_its_sides_and_nothing_between() {
        let ramp = Palette::Diverging.ramp();
        let pane = ShotContent::Heat {
            places: vec![0.0, 0.5, 1.0],
            width: 3,
            threshold: 0.5,
            palette: Palette::Diverging,
            over: None,
        };
        let pixels = compose(&StageShot {
            panes: vec![pane.into()],
            width: 3,
            scale: 2,
            about: String::new(),
        })
        .unwrap();
        let [low, high] = [ramp[0], ramp[255]].map(|[r, g, b]| Some([r, g, b, 255]));
        let found = [0, 2, 5].map(|x| pixels.get(x, 0));
        assert_eq!(found, [low, Some([0, 0, 0, 255]), high]);
    }

    #[test]
    fn boxes_and_areas_that_are_left_out_are_drawn_over_their_picture() {
        let marked = |scale: u8| {
            let white = ShotContent::Picture(picture(40, 80, [255; 4]));
            let missing = ShotBox {
                area: Rect::new(0.25, 0.5, 0.5, 0.25),
                color: [194, 49, 64],
                is_filled: true,
            };
            let ignored = vec![Rect::new(0.0, 1.5, 1.0, 0.5)];
            let pane = ShotPane { boxes: vec![missing], ignored, ..ShotPane::from(white) };
            let shot = StageShot { panes: vec![pane], width: 40, scale, about: String::new() };
            compose(&shot).unwrap()
        };
        let edge = Some([194, 49, 64, 255]);
        let small = marked(1);
        // From 10, 20 to 30, 30.
        assert_eq!([small.get(10, 25), small.get(30, 25), small.get(20, 20)], [edge; 3]);
        assert_eq!([small.get(9, 25), small.get(31, 25), small.get(20, 19)], [Some(PAPER); 3]);
        assert_eq!(small.get(20, 25), Some([247, 230, 232, 255]), "a little of the colour");
        assert_eq!(small.get(0, 70), Some(FRAME));
        assert_eq!(small.get(20, 70), Some([105, 105, 105, 255]), "shaded between the lines");
        assert_eq!(small.get(20, 68), Some(LINES));
        let large = marked(2);
        assert_eq!([large.get(19, 50), large.get(20, 50)], [edge; 2], "as wide as a pixel");
        assert_eq!([large.get(18, 50), large.get(40, 38)], [Some(PAPER); 2]);
    }

    #[test]
    fn nothing_and_too_much_are_said() {
        let empty = StageShot { panes: Vec::new(), width: 10, scale: 1, about: String::new() };
        assert!(compose(&empty).unwrap_err().contains("no picture"));
        let panes = vec![ShotPane::from(ShotContent::Picture(picture(1, 4000, RED))); 6];
        let large = StageShot { panes, width: 4000, scale: 4, about: String::new() };
        assert!(compose(&large).unwrap_err().contains("too many"));
    }
}
