//! Where the pictures lie: pure arithmetic, no drawing.

use egui::{Pos2, Rect, Vec2, pos2, vec2};

/// Between the area's edge and the panes, across and down.
const MARGIN: Vec2 = vec2(20.0, 8.0);
/// Between panes.
const GAP: f32 = 20.0;
/// A pane's title.
pub(in crate::ui) const TITLE: f32 = 26.0;
/// Fitting never magnifies more than this.
const FIT_LIMIT: f32 = 4.0;
/// Smallest and largest zoom, in points a pixel.
const ZOOM_RANGE: std::ops::RangeInclusive<f32> = 0.05..=64.0;

/// One pane: its picture may be larger than what is seen of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::ui) struct PaneBox<P> {
    /// Which.
    pub(in crate::ui) pane: P,
    /// Where its title goes.
    pub(in crate::ui) title: Rect,
    /// What is seen of it.
    pub(in crate::ui) visible: Rect,
    /// Where the whole picture lies.
    pub(in crate::ui) picture: Rect,
}

/// All panes with the scale they share.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::ui) struct Arrangement<P> {
    /// In order.
    pub(in crate::ui) panes: Vec<PaneBox<P>>,
    /// Points a pixel of the reference picture.
    pub(in crate::ui) scale: f32,
}

/// A pane to be placed: how large its picture is in pixels of the reference, if it has one.
pub(in crate::ui) type WantedPane<P> = (P, Option<Vec2>);

/// Places the panes in an area.
///
/// `reference` is the size of the picture the zoom counts in. [`as_wide_as`] and [`within`] say how
/// large the others are. `zoom`: `None` fits; `center`: the middle of the view, as a fraction.
pub(in crate::ui) fn arrange<P: Copy>(
    area: Rect,
    wanted: &[WantedPane<P>],
    reference: Vec2,
    zoom: Option<f32>,
    center: [f32; 2],
) -> Arrangement<P> {
    if wanted.is_empty() || reference.min_elem() < 1.0 {
        return Arrangement { panes: Vec::new(), scale: 0.0 };
    }
    let inner = area.shrink2(MARGIN);
    let heights = wanted.iter().map(|(_, extent)| extent.unwrap_or(reference).y);
    // All cells are of one size, so that pictures stand in rows and keep their places as steps go
    // by.
    let tallest = heights.fold(reference.y, f32::max);
    let grid = best_grid(inner.size(), wanted.len(), vec2(reference.x, tallest));
    let fits = grid.scale(inner.size(), vec2(reference.x, tallest)).clamp(0.001, FIT_LIMIT);
    let scale = zoom.map_or(fits, |zoom| zoom.clamp(*ZOOM_RANGE.start(), *ZOOM_RANGE.end()));
    let cell = match zoom {
        // Fitted panes stand close together in the middle; zoomed ones take all the room.
        None => vec2(reference.x, tallest) * scale,
        Some(_) => grid.cell(inner.size()),
    };
    let all = grid.size_of(cell);
    // Where all do not fit, the first one is seen, not the middle of all.
    let start = (inner.center() - all * 0.5).max(inner.min);
    let panes = wanted.iter().enumerate().map(|(index, (pane, extent))| {
        let at = start + grid.offset(index, cell);
        let title = Rect::from_min_size(at, vec2(cell.x, TITLE));
        let room = Rect::from_min_size(at + vec2(0.0, TITLE), cell);
        let size = extent.unwrap_or(reference) * scale;
        let picture = match zoom {
            None => Rect::from_min_size(room.min, size),
            Some(_) => Rect::from_min_size(
                room.center() - vec2(center[0] * size.x, center[1] * size.y),
                size,
            ),
        };
        // On whole points, or the pixels of a picture at 100 % would be blurred over two.
        let picture = Rect::from_min_size(picture.min.round(), picture.size());
        PaneBox { pane: *pane, title, visible: room.intersect(picture), picture }
    });
    Arrangement { panes: panes.collect(), scale }
}

/// A picture of these pixels as wide as the reference, and as high as its own shape makes it: so the
/// same fraction of two pictures of one design shows the same place.
pub(in crate::ui) fn as_wide_as(reference: Vec2, pixels: Vec2) -> Vec2 {
    vec2(reference.x, pixels.y / pixels.x.max(1.0) * reference.x)
}

/// A picture of these pixels as large as fits into the reference: for a document of its own, whose
/// page may be of any size.
pub(in crate::ui) fn within(reference: Vec2, pixels: Vec2) -> Vec2 {
    let pixels = pixels.max(Vec2::splat(1.0));
    pixels * (reference / pixels).min_elem()
}

#[derive(Clone, Copy)]
struct PaneGrid {
    columns: usize,
    rows: usize,
}

fn best_grid(room: Vec2, count: usize, picture: Vec2) -> PaneGrid {
    // From one row on: of arrangements that show pictures about as large, the widest comes first.
    let grids =
        (1..=count).rev().map(|columns| PaneGrid { columns, rows: count.div_ceil(columns) });
    let best = grids.reduce(|best, grid| {
        // Side by side, unless another arrangement is clearly larger.
        if grid.scale(room, picture) > best.scale(room, picture) * 1.1 { grid } else { best }
    });
    best.unwrap_or(PaneGrid { columns: count.max(1), rows: 1 })
}

impl PaneGrid {
    fn cell(self, room: Vec2) -> Vec2 {
        let (columns, rows) = (self.columns as f32, self.rows as f32);
        vec2(
            ((room.x - GAP * (columns - 1.0)) / columns).max(1.0),
            ((room.y - GAP * (rows - 1.0)) / rows - TITLE).max(1.0),
        )
    }

    fn scale(self, room: Vec2, picture: Vec2) -> f32 {
        let cell = self.cell(room);
        (cell.x / picture.x).min(cell.y / picture.y)
    }

    fn size_of(self, cell: Vec2) -> Vec2 {
        let (columns, rows) = (self.columns as f32, self.rows as f32);
        vec2(cell.x * columns + GAP * (columns - 1.0), (cell.y + TITLE) * rows + GAP * (rows - 1.0))
    }

    fn offset(self, index: usize, cell: Vec2) -> Vec2 {
        let (column, row) = ((index % self.columns) as f32, (index / self.columns) as f32);
        vec2(column * (cell.x + GAP), row * (cell.y + TITLE + GAP))
    }
}

impl<P> PaneBox<P> {
    /// Which fraction of the picture lies under a point of the screen.
    pub(in crate::ui) fn fraction_at(&self, pos: Pos2) -> [f32; 2] {
        let from = pos - self.picture.min;
        [from.x / self.picture.width().max(1e-3), from.y / self.picture.height().max(1e-3)]
    }

    /// Where a fraction of the picture lies on the screen.
    pub(in crate::ui) fn screen_from_fraction(&self, [x, y]: [f32; 2]) -> Pos2 {
        self.picture.min + vec2(x * self.picture.width(), y * self.picture.height())
    }

    /// Where a box of the picture, in its own pixels, lies on the screen.
    pub(in crate::ui) fn screen_from_pixels(
        &self,
        rect: crate::base::Rect,
        pixels: [u32; 2],
    ) -> Rect {
        let [width, height] = pixels.map(|side| f64::from(side.max(1)));
        let corners = [(rect.x, rect.y), (rect.right(), rect.bottom())];
        let [min, max] = corners
            .map(|(x, y)| self.screen_from_fraction([(x / width) as f32, (y / height) as f32]));
        Rect::from_two_pos(min, max)
    }
}

/// A place of a picture, to be found in others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::ui) struct PicturePlace {
    /// As a fraction of the picture.
    pub(in crate::ui) fraction: [f32; 2],
    /// How high the picture is for its width, where others lie over it from its corner on, as wide as it is. `None`:
    /// versions of one screen show the same place at the same fraction, whatever their shapes.
    pub(in crate::ui) laid_over: Option<f32>,
}

impl PicturePlace {
    /// As a fraction of a picture of these pixels; outside 0 ..= 1 where it does not reach so far.
    pub(in crate::ui) fn fraction_in(self, [width, height]: [u32; 2]) -> [f32; 2] {
        let [x, y] = self.fraction;
        let Some(shape) = self.laid_over else { return [x, y] };
        [x, y * shape * (width as f32 / (height as f32).max(1.0))]
    }

    /// The pixel of a picture of these pixels; `None` outside.
    pub(in crate::ui) fn pixel_in(self, pixels: [u32; 2]) -> Option<[u32; 2]> {
        let [width, height] = pixels;
        pixel_at(self.fraction_in(pixels), width, height)
    }
}

/// The pixel of a picture at a fraction of it; `None` outside.
pub(in crate::ui) fn pixel_at([x, y]: [f32; 2], width: u32, height: u32) -> Option<[u32; 2]> {
    let inside = (0.0..1.0).contains(&x) && (0.0..1.0).contains(&y);
    // The product of a fraction just below 1 may be rounded up to the side itself.
    let [x, y] = [(x, width), (y, height)]
        .map(|(at, side)| ((at * side as f32) as u32).min(side.saturating_sub(1)));
    inside.then_some([x, y])
}

/// The scale after these zooms, each from where the one before it led to.
pub(in crate::ui) fn zoomed(scale: f32, factors: &[f32]) -> f32 {
    let (low, high) = ZOOM_RANGE.into_inner();
    factors.iter().fold(scale, |scale, factor| (scale * factor).clamp(low, high))
}

/// The middle of the view after zooming from `scale` to `next` so that `fixed` stays where it is.
pub(in crate::ui) fn center_after_zoom(
    center: [f32; 2],
    fixed: [f32; 2],
    scale: f32,
    next: f32,
) -> [f32; 2] {
    // The middle keeps its distance to the fixed point on the screen; in pictures it shrinks as the
    // zoom grows.
    let ratio = scale / next.max(1e-6);
    std::array::from_fn(|i| fixed[i] - (fixed[i] - center[i]) * ratio)
}

/// The middle of what is seen of a pane, as a fraction of its picture.
pub(in crate::ui) fn middle_of_view<P>(pane: &PaneBox<P>) -> [f32; 2] {
    pane.fraction_at(pos2(pane.visible.center().x, pane.visible.center().y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::StagePane;
    use proptest::prelude::*;

    const PANES: [WantedPane<StagePane>; 3] = [
        (StagePane::Run, Some(vec2(400.0, 800.0))),
        (StagePane::GroundTruth, Some(vec2(400.0, 800.0))),
        (StagePane::Heat, Some(vec2(400.0, 800.0))),
    ];

    fn area() -> Rect {
        Rect::from_min_size(pos2(0.0, 0.0), vec2(900.0, 560.0))
    }

    #[test]
    fn fitted_pictures_lie_whole_inside_the_area() {
        for reference in [vec2(393.0, 852.0), vec2(1440.0, 900.0), vec2(30.0, 20.0)] {
            let wanted = PANES.map(|(pane, _)| (pane, Some(reference)));
            let placed = arrange(area(), &wanted, reference, None, [0.5, 0.5]);
            for pane in &placed.panes {
                assert!(area().contains_rect(pane.picture), "{pane:?}");
                assert!(pane.visible.area() >= pane.picture.area() * 0.98, "{pane:?}");
            }
        }
    }

    #[test]
    fn wide_screens_are_stacked_and_tall_ones_stand_side_by_side() {
        let wide = PANES.map(|(pane, _)| (pane, Some(vec2(1440.0, 720.0))));
        let narrow = Rect::from_min_size(pos2(0.0, 0.0), vec2(500.0, 700.0));
        let placed = arrange(narrow, &wide, vec2(1440.0, 720.0), None, [0.5, 0.5]);
        assert!(placed.panes[1].picture.top() > placed.panes[0].picture.top());
        let placed = arrange(area(), &PANES, vec2(400.0, 800.0), None, [0.5, 0.5]);
        assert_eq!(placed.panes[1].picture.top(), placed.panes[0].picture.top());
    }

    #[test]
    fn a_document_of_any_page_lies_whole_within_the_reference() {
        let reference = vec2(612.0, 792.0);
        for pixels in [vec2(252.0, 144.0), vec2(1728.0, 2592.0), vec2(90.0, 900.0), reference] {
            let extent = within(reference, pixels);
            assert!(extent.x <= 612.01 && extent.y <= 792.01, "{extent:?}");
            assert!((extent.x - 612.0).abs() < 0.01 || (extent.y - 792.0).abs() < 0.01);
            assert!((extent.x / extent.y - pixels.x / pixels.y).abs() < 1e-3, "{extent:?}");
        }
        assert_eq!(as_wide_as(reference, vec2(306.0, 100.0)), vec2(612.0, 200.0));
    }

    #[test]
    fn each_zoom_is_from_where_the_one_before_it_led_to() {
        assert_eq!(zoomed(2.0, &[1.25, 1.25]), 3.125);
        assert_eq!(zoomed(60.0, &[1.25, 0.8]), 64.0 * 0.8, "at the end of the range, too");
        assert_eq!(zoomed(2.0, &[]), 2.0);
    }

    #[test]
    fn a_place_is_at_one_fraction_of_versions_and_at_one_distance_where_they_are_laid_over() {
        let row = |at: f32| [0.5, at / 852.0];
        let versions = PicturePlace { fraction: row(426.25), laid_over: None };
        assert_eq!(versions.pixel_in([393, 1704]), Some([196, 852]));
        let laid_over = PicturePlace { laid_over: Some(852.0 / 393.0), ..versions };
        assert_eq!(laid_over.pixel_in([393, 852]), Some([196, 426]));
        assert_eq!(laid_over.pixel_in([393, 1704]), Some([196, 426]));
        assert_eq!(laid_over.pixel_in([786, 3408]), Some([393, 852]), "of twice the size");
        assert_eq!(laid_over.pixel_in([393, 400]), None, "it ends above");
        let below = PicturePlace { fraction: row(1278.25), ..laid_over };
        assert_eq!(below.pixel_in([393, 852]), None);
        assert_eq!(below.pixel_in([393, 1704]), Some([196, 1278]));
    }

    #[test]
    fn no_pane_and_no_picture_place_nothing() {
        assert!(
            arrange::<StagePane>(area(), &[], vec2(4.0, 4.0), None, [0.5, 0.5]).panes.is_empty()
        );
        assert!(arrange(area(), &PANES, vec2(0.0, 4.0), None, [0.5, 0.5]).panes.is_empty());
    }

    proptest! {
        #[test]
        fn zooming_keeps_the_point_under_the_pointer(
            x in 0.1f32..0.9, y in 0.1f32..0.9, zoom in 0.5f32..8.0, factor in 0.5f32..2.0,
        ) {
            let reference = vec2(400.0, 800.0);
            let before = arrange(area(), &PANES, reference, Some(zoom), [0.5, 0.5]);
            let next = zoom * factor;
            let center = center_after_zoom([0.5, 0.5], [x, y], zoom, next);
            let after = arrange(area(), &PANES, reference, Some(next), center);
            let was = before.panes[0].screen_from_fraction([x, y]);
            let is = after.panes[0].screen_from_fraction([x, y]);
            prop_assert!((was - is).length() < 1.6, "{was:?} {is:?}");
        }

        #[test]
        fn screen_and_fraction_are_inverse(x in -1f32..2.0, y in -1f32..2.0) {
            let placed = arrange(area(), &PANES, vec2(400.0, 800.0), None, [0.5, 0.5]);
            let pane = placed.panes[1];
            let [u, v] = pane.fraction_at(pane.screen_from_fraction([x, y]));
            prop_assert!((u - x).abs() < 1e-3 && (v - y).abs() < 1e-3);
        }
    }
}
