//! Pictures of the design that somebody works on.

use crate::base::{Pixels, Rect};
use crate::design::Document;
use crate::render::{
    RenderContext, RenderError, RenderOptions, render_area, render_node, render_page,
};
use crate::workbench::{DesignInput, DesignPicture, DrawnPart};
use crate::worker::shared::job_border::JobError;

/// Most pixels of a page.
const MOST_PIXELS: f64 = 24e6;

/// The fewest pixels a unit that are drawn.
const LEAST_SCALE: f64 = 0.01;

/// What is looked at of a design drawn, so many pixels a unit; of a page that is very large fewer, and of one that is
/// larger still the screen alone.
pub(super) fn drawn(input: &DesignInput, scale: u8) -> Result<DesignPicture, JobError> {
    let DesignInput { document, part, render } = input;
    let area = match part {
        DrawnPart::Screen => return picture_of(document, render, scale),
        DrawnPart::Part(part) => part.area(),
        DrawnPart::Page => {
            let layers = document.top_layers();
            let boxes = layers.iter().filter_map(|id| document.absolute_box(id).ok());
            Rect::union_all(boxes).unwrap_or_default()
        }
    };
    let most = (MOST_PIXELS / area.area().max(1.0)).sqrt();
    if most < LEAST_SCALE {
        return picture_of(document, render, scale);
    }
    let options = RenderOptions { scale: f64::from(scale).min(most), ..RenderOptions::default() };
    let drawn = match part {
        DrawnPart::Part(_) => render_area(render, document, area, options),
        DrawnPart::Screen | DrawnPart::Page => render_page(render, document, options),
    };
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

/// The screen of a design drawn, so many pixels a unit.
pub(super) fn picture_of(
    document: &Document,
    render: &RenderContext,
    scale: u8,
) -> Result<DesignPicture, JobError> {
    let screen = document.main_frame();
    let screen = screen.ok_or_else(|| JobError::failed("the design has no frame to be shown"))?;
    let area = document.absolute_box(&screen.id).map_err(JobError::failed)?;
    let options = RenderOptions { scale: f64::from(scale), ..RenderOptions::default() };
    let drawn = render_node(render, document, &screen.id, options);
    Ok(DesignPicture { pixels: drawn.map_err(JobError::failed)?.pixels, area })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Affine, Rgba, Size};
    use crate::design::{Node, NodeKind, Paint};
    use crate::workbench::PagePart;

    #[test]
    fn a_part_of_a_page_is_drawn_as_all_of_it_is_drawn_there() {
        let frame = |id: &str, x: f64, color: Rgba| {
            let mut frame = Node::new(id.into(), id, NodeKind::Frame);
            (frame.transform, frame.size) = (Affine::translate(x, 0.0), Size::new(40.0, 30.0));
            frame.fills = vec![Paint::solid(color)];
            frame
        };
        let [red, blue] = [Rgba::new(1.0, 0.0, 0.0, 1.0), Rgba::new(0.0, 0.0, 1.0, 1.0)];
        let document = Document::from_nodes([frame("a", 0.0, red), frame("b", 100.0, blue)]);
        let document = document.unwrap();
        let picture = |part: DrawnPart| {
            let input =
                DesignInput { document: document.clone(), part, render: RenderContext::default() };
            drawn(&input, 1).ok().unwrap()
        };
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
