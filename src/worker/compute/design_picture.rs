//! Pictures of the design that somebody works on.

use crate::base::{Pixels, PixelsError, Rect};
use crate::design::Document;
use crate::render::{
    RenderContext, RenderError, RenderOptions, render_area, render_node, render_page,
};
use crate::workbench::{DesignInput, DesignPicture, DrawnPart};
use crate::worker::shared::job_border::JobError;

/// How many times as many a picture of a page may have, for what its layers paint beyond their boxes: the cache holds
/// some more than one of those.
const BEYOND: f64 = 1.2;

/// Most pixels of a side of a texture that every graphics card has.
const TEXTURE_SIDE: u32 = 8_192;

/// The fewest pixels a unit that are drawn.
const LEAST_SCALE: f64 = 0.01;

/// What is looked at of a design drawn, so many pixels a unit; of a page that is very large fewer, and of one that is
/// larger still the screen alone.
pub(super) fn drawn(input: &DesignInput, scale: u8) -> Result<DesignPicture, JobError> {
    let DesignInput { document, part, render } = input;
    let area = match part {
        DrawnPart::Screen => return picture_of(document, render, scale),
        DrawnPart::Part(part) => part.area(),
        DrawnPart::Page => document.box_of_layers().unwrap_or_default(),
    };
    let scale_drawn = scale_within_limits(area, scale);
    if scale_drawn < LEAST_SCALE {
        return picture_of(document, render, scale);
    }
    let options = RenderOptions { scale: scale_drawn, ..RenderOptions::default() };
    let mut drawn = match part {
        DrawnPart::Part(_) => render_area(render, document, area, options),
        DrawnPart::Screen | DrawnPart::Page => render_page(render, document, options),
    };
    // What is painted very far beyond the boxes is left out.
    let is_too_large = match &drawn {
        Ok(drawn) => {
            let (width, height) = (drawn.pixels.width(), drawn.pixels.height());
            width.max(height) > TEXTURE_SIDE
                || f64::from(width) * f64::from(height) > BEYOND * DesignPicture::MOST_PIXELS
        }
        Err(error) => matches!(error, RenderError::Pixels(PixelsError::TooLarge { .. })),
    };
    if is_too_large {
        drawn = render_area(render, document, area, options);
    }
    match drawn {
        Ok(drawn) => Ok(DesignPicture { pixels: drawn.pixels, area: drawn.page_box }),
        // A page on which nothing lies yet.
        Err(RenderError::Empty(_)) => {
            let pixels = Pixels::filled(1, 1, [0; 4]).map_err(JobError::failed)?;
            Ok(DesignPicture { pixels, area: Rect::new(0.0, 0.0, 1.0, 1.0) })
        }
        Err(error) => Err(JobError::failed(error)),
    }
}

/// So many pixels a unit, or fewer where something so large would have too many in all or along a side.
fn scale_within_limits(area: Rect, scale: u8) -> f64 {
    let by_area = (DesignPicture::MOST_PIXELS / area.area().max(1.0)).sqrt();
    let by_side = DesignPicture::LONGEST_SIDE / area.width.max(area.height).max(1.0);
    f64::from(scale).min(by_area).min(by_side)
}

/// The same of a screen, which is never left out.
pub(super) fn scale_of_screen(area: Rect, scale: u8) -> f64 {
    scale_within_limits(area, scale).max(LEAST_SCALE)
}

/// The screen of a design drawn, so many pixels a unit; of one that is very large fewer.
pub(super) fn picture_of(
    document: &Document,
    render: &RenderContext,
    scale: u8,
) -> Result<DesignPicture, JobError> {
    let screen = document.main_frame();
    let screen = screen.ok_or_else(|| JobError::failed("the design has no frame to be shown"))?;
    let area = document.absolute_box(&screen.id).map_err(JobError::failed)?;
    let options = RenderOptions { scale: scale_of_screen(area, scale), ..RenderOptions::default() };
    let drawn = render_node(render, document, &screen.id, options);
    Ok(DesignPicture { pixels: drawn.map_err(JobError::failed)?.pixels, area })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Affine, Rgba, Size};
    use crate::design::{Node, NodeKind, Paint};
    use crate::workbench::PagePart;

    const RED: Rgba = Rgba { r: 1.0, g: 0.0, b: 0.0, a: 1.0 };
    const BLUE: Rgba = Rgba { r: 0.0, g: 0.0, b: 1.0, a: 1.0 };

    fn frame(id: &str, x: f64, size: Size, color: Rgba) -> Node {
        let mut frame = Node::new(id.into(), id, NodeKind::Frame);
        (frame.transform, frame.size) = (Affine::translate(x, 0.0), size);
        frame.fills = vec![Paint::solid(color)];
        frame
    }

    fn picture_of_part(document: &Document, part: DrawnPart, scale: u8) -> DesignPicture {
        let (document, render) = (document.clone(), RenderContext::default());
        drawn(&DesignInput { document, part, render }, scale).ok().unwrap()
    }

    #[test]
    fn a_row_of_frames_and_a_long_screen_fit_into_a_texture() {
        let phone = Size::new(375.0, 812.0);
        let mut row: Vec<Node> =
            (0..50_i32).map(|n| frame(&n.to_string(), f64::from(n) * 400.0, phone, RED)).collect();
        for scale in [1, 4] {
            let document = Document::from_nodes(row.clone()).unwrap();
            let page = picture_of_part(&document, DrawnPart::Page, scale);
            assert_eq!(page.pixels.width(), 8_000);
            assert!((page.area.width - 19_975.0).abs() < 5.0, "{:?}", page.area);
        }
        // What hangs out of a layer so far, or is so large, that it is not to be drawn is left out.
        row.truncate(2);
        for size in [Size::new(30_000.0, 10.0), Size::new(5_000.0, 5_000.0)] {
            let hanging = Node { parent: Some("1".into()), ..frame("hanging", 400.0, size, BLUE) };
            let document = Document::from_nodes(row.iter().cloned().chain([hanging])).unwrap();
            let page = picture_of_part(&document, DrawnPart::Page, 1);
            assert_eq!(page.area, Rect::new(0.0, 0.0, 775.0, 812.0));
        }
        // A screen alone.
        let long = frame("long", 0.0, Size::new(10.0, 40_000.0), RED);
        let document = Document::from_nodes([long]).unwrap();
        let screen = picture_of_part(&document, DrawnPart::Screen, 2);
        assert_eq!((screen.pixels.width(), screen.pixels.height()), (2, 8_000));
        assert_eq!(screen.area, Rect::new(0.0, 0.0, 10.0, 40_000.0));
    }

    #[test]
    fn a_part_of_a_page_is_drawn_as_all_of_it_is_drawn_there() {
        let small = Size::new(40.0, 30.0);
        let frames = [frame("a", 0.0, small, RED), frame("b", 100.0, small, BLUE)];
        let document = Document::from_nodes(frames).unwrap();
        let picture = |part: DrawnPart| picture_of_part(&document, part, 1);
        let whole = picture(DrawnPart::Page);
        assert_eq!(whole.area, Rect::new(0.0, 0.0, 140.0, 30.0));
        let part = Rect::new(20.0, 10.0, 100.0, 15.0);
        let seen = picture(DrawnPart::Part(PagePart::around(part)));
        assert_eq!(seen.area, part);
        for (x, y) in (0..100).flat_map(|x| (0..15).map(move |y| (x, y))) {
            assert_eq!(seen.pixels.get(x, y), whole.pixels.get(x + 20, y + 10), "{x}, {y}");
        }
        assert_eq!(seen.pixels.get(99, 0), Some([0, 0, 255, 255]));
        // Where nothing lies there is nothing to be seen.
        let away = picture(DrawnPart::Part(PagePart::around(Rect::new(500.0, 0.0, 9.0, 9.0))));
        assert_eq!(away.pixels.get(4, 4), Some([0; 4]));
    }
}
