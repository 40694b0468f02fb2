//! How the canvas is looked at: zoom by keys, sharpness, rulers, grid, outlines, the goal; and what has the pointer for
//! itself: comments and a picture that is cropped.

use std::path::PathBuf;

use egui::{Painter, Rect, Response, Shape, Stroke, Ui};

use super::crop::Crop;
use super::goal::{self, Goal, GoalPlace};
use super::grid;
use super::outlines::Outlines;
use super::overlay::corners_of;
use super::pins::Pins;
use super::rulers::{self, RULER, Rulers};
use super::view::CanvasView;
use crate::base::{Point, Rect as PageRect};
use crate::design::gesture::{Depth, HitSettings, hit};
use crate::design::{Document, NodeId};
use crate::environment::DESIGN_PICTURE_ENDINGS;
use crate::ui::commands::AssistLocal;
use crate::ui::context::ViewContext;
use crate::ui::theme::tokens;
use crate::workbench::{AssistCommand, AssistDesk, Command, DesignPicture, PagePart};

/// Zooms that keys go through, in points of the screen a unit of the page.
const ZOOMS: [f64; 17] =
    [0.02, 0.05, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 8.0, 12.0, 16.0, 24.0, 32.0, 64.0];
/// The most that what is small is zoomed to be seen as a whole.
const CLOSEST: f64 = 8.0;

/// What belongs to it alone.
#[derive(Debug, Default)]
pub(super) struct Looking {
    /// What keys and buttons asked for, in order.
    asked: Vec<AssistLocal>,
    goal: Goal,
    outlines: Outlines,
    pins: Pins,
    crop: Option<Crop>,
    /// The frame that was gone to last.
    frame: Option<NodeId>,
    hovered: Option<NodeId>,
    /// How sharp the picture was last asked to be, and of which part.
    drawn: Option<(u64, (u8, Option<PagePart>))>,
}

impl Looking {
    /// Has something done when the canvas is drawn.
    pub(super) fn ask(&mut self, local: AssistLocal) {
        self.asked.push(local);
    }

    /// The part of the canvas that rulers leave.
    fn room(cx: &ViewContext<'_>, rect: Rect) -> Rect {
        let left = if cx.state.settings.canvas.rulers { RULER } else { 0.0 };
        Rect::from_min_max(rect.min + egui::vec2(left, left), rect.max)
    }

    /// The view after what was asked for; the picture is asked to be as sharp as that shows.
    pub(super) fn moved(
        &mut self,
        ui: &Ui,
        cx: &ViewContext<'_>,
        desk: &AssistDesk,
        rect: Rect,
        mut view: CanvasView,
    ) -> CanvasView {
        let room = Self::room(cx, rect);
        for asked in std::mem::take(&mut self.asked) {
            if asked == AssistLocal::CropPicture {
                self.crop = Crop::begin(ui, desk);
            } else {
                view = self.after(cx, asked, desk, room, view);
            }
        }
        let pixels_a_unit = view.zoom * f64::from(ui.pixels_per_point());
        let area = desk.area();
        let drawn = if desk.draws_page() {
            part_for(pixels_a_unit, area, view.visible(rect))
        } else {
            Some((scale_for(pixels_a_unit, area), None))
        };
        // Once: the state follows a frame later.
        if let Some((scale, part)) = drawn
            && self.drawn != Some((desk.number, (scale, part)))
        {
            self.drawn = Some((desk.number, (scale, part)));
            cx.send(Command::Assist(AssistCommand::Draw(scale, part)));
        }
        view
    }

    fn after(
        &mut self,
        cx: &ViewContext<'_>,
        asked: AssistLocal,
        desk: &AssistDesk,
        room: Rect,
        view: CanvasView,
    ) -> CanvasView {
        let middle = room.center();
        match asked {
            AssistLocal::ZoomIn => {
                let next = ZOOMS.into_iter().find(|zoom| *zoom > view.zoom * 1.001);
                next.map_or(view, |zoom| view.zoomed_to(zoom, middle))
            }
            AssistLocal::ZoomOut => {
                let next = ZOOMS.into_iter().rev().find(|zoom| *zoom < view.zoom * 0.999);
                next.map_or(view, |zoom| view.zoomed_to(zoom, middle))
            }
            AssistLocal::ZoomTo(hundredths) => {
                view.zoomed_to(f64::from(hundredths) / 100.0, middle)
            }
            AssistLocal::Fit => goal::whole(desk, goal::is_beside(cx, desk), room),
            AssistLocal::FitSelection => {
                let selected = selected_box(desk);
                selected.map_or(view, |of| framed(of, room))
            }
            AssistLocal::NextFrame | AssistLocal::PreviousFrame => {
                let by = if asked == AssistLocal::NextFrame { 1 } else { -1 };
                let document = &desk.editor.on_page();
                self.frame = next_frame(document, self.frame.as_ref(), by);
                let of = self.frame.as_ref().and_then(|id| document.absolute_box(id).ok());
                of.map_or(view, |of| CanvasView::fitted(of, room))
            }
            AssistLocal::FoldLayers
            | AssistLocal::ShowAssets
            | AssistLocal::SearchLayers
            | AssistLocal::RenameLayer
            | AssistLocal::NudgeAmount
            | AssistLocal::PlacePicture
            | AssistLocal::CropPicture => view,
        }
    }

    /// Whether the pointer is taken by comments or by a picture that is cropped.
    pub(super) fn take_pointer(
        &mut self,
        desk: &AssistDesk,
        view: CanvasView,
        response: &Response,
    ) -> bool {
        self.pins.take_pointer(desk, view, response) || self.crop.is_some()
    }

    /// Begins to crop where a picture is clicked on twice; gives whether that is so.
    pub(super) fn open_crop(&mut self, ui: &Ui, desk: &AssistDesk, at: Point, zoom: f64) -> bool {
        let document = &desk.editor.on_page();
        let settings = HitSettings::at_zoom(zoom);
        let deepest = hit(document, at, None, Depth::Deepest, settings);
        if deepest.is_none() || deepest.as_ref() != desk.editor.selection().only() {
            return false;
        }
        self.crop = Crop::begin(ui, desk);
        self.crop.is_some()
    }

    /// Takes pictures that are dropped onto the canvas, before the window opens them as files of runs.
    pub(super) fn take_dropped(ui: &Ui, cx: &ViewContext<'_>, view: CanvasView, rect: Rect) {
        let is_any = ui.input(|input| !input.raw.dropped_files.is_empty());
        if !is_any {
            return;
        }
        let mut pictures: Vec<PathBuf> = Vec::new();
        ui.input_mut(|input| {
            input.raw.dropped_files.retain(|file| {
                let path = file.path();
                let is_picture = is_picture(path);
                if is_picture {
                    pictures.push(path.to_path_buf());
                }
                !is_picture
            });
        });
        if pictures.is_empty() {
            return;
        }
        // While files are dragged over the window the pointer may not be known.
        let pos = ui.input(|input| input.pointer.latest_pos()).filter(|pos| rect.contains(*pos));
        let at = view.to_page(pos.unwrap_or(rect.center()));
        cx.send(Command::Assist(AssistCommand::PlacePictures(pictures, at)));
    }

    /// Draws what stands in place of the picture; gives whether anything does.
    pub(super) fn paint_instead(
        &mut self,
        ui: &Ui,
        painter: &Painter,
        cx: &ViewContext<'_>,
        desk: &AssistDesk,
        view: CanvasView,
    ) -> bool {
        if GoalPlace::of(cx, desk) == GoalPlace::Instead {
            self.goal.paint(ui, painter, cx, desk, view);
            return true;
        }
        if cx.state.settings.canvas.outlines {
            self.outlines.paint(ui, painter, desk, view);
            return true;
        }
        false
    }

    /// Draws what lies right over the picture.
    pub(super) fn paint_over(
        &mut self,
        ui: &Ui,
        painter: &Painter,
        cx: &ViewContext<'_>,
        desk: &AssistDesk,
        (rect, view): (Rect, CanvasView),
        pointed: Option<&NodeId>,
    ) {
        if GoalPlace::of(cx, desk) != GoalPlace::Instead {
            self.goal.paint(ui, painter, cx, desk, view);
        }
        if cx.state.settings.canvas.pixel_grid {
            grid::paint(ui, painter, rect, view, desk.area());
        }
        let is_selected = |id: &NodeId| desk.editor.selection().nodes.contains(id);
        if let Some(id) = pointed.or(self.hovered.as_ref()).filter(|id| !is_selected(id))
            && let Some(corners) = corners_of(desk.editor.shown(), id)
        {
            let corners = corners.map(|corner| view.to_screen(corner)).to_vec();
            painter.add(Shape::closed_line(corners, Stroke::new(1.0, tokens(ui).accent)));
        }
    }

    /// Draws what lies over all, and takes what is done with it.
    pub(super) fn show(
        &mut self,
        ui: &Ui,
        painter: &Painter,
        cx: &ViewContext<'_>,
        desk: &AssistDesk,
        (rect, view): (Rect, CanvasView),
        response: &Response,
    ) {
        self.hovered = if desk.editor.is_holding() || self.crop.is_some() {
            None
        } else {
            response.hover_pos().and_then(|pos| hovered_at(desk, view.to_page(pos), view.zoom))
        };
        if let Some(crop) = &mut self.crop
            && !crop.show(ui, painter, cx, desk, view, response)
        {
            self.crop = None;
        }
        self.pins.show(ui, painter, cx, desk, view);
        if cx.state.settings.canvas.rulers {
            let rulers = Rulers {
                zero: desk.screen().origin(),
                selected: selected_box(desk),
                pointer: response.hover_pos(),
            };
            rulers::paint(ui, painter, rect, view, rulers);
        }
    }
}

/// What a click there would select.
fn hovered_at(desk: &AssistDesk, at: Point, zoom: f64) -> Option<NodeId> {
    let document = &desk.editor.shown_on_page();
    let entered = desk.editor.selection().entered.as_ref();
    let found = hit(document, at, entered, Depth::Level, HitSettings::at_zoom(zoom))?;
    // The screen itself is the ground.
    let is_ground = document.main_frame().is_some_and(|screen| screen.id == found);
    (!is_ground).then_some(found)
}

/// The box around all that is selected, on the page.
fn selected_box(desk: &AssistDesk) -> Option<PageRect> {
    let document = desk.editor.shown();
    let selected = desk.editor.selection().nodes.iter();
    PageRect::union_all(selected.filter_map(|id| document.absolute_box(id).ok()))
}

/// All of a box in the middle, small ones closer than they are.
fn framed(of: PageRect, room: Rect) -> CanvasView {
    let fitted = CanvasView::fitted(of, room);
    let inner = room.shrink(40.0);
    let across = f64::from(inner.width()) / of.width.max(1.0);
    let down = f64::from(inner.height()) / of.height.max(1.0);
    let closest = across.min(down).min(CLOSEST);
    if closest > fitted.zoom { fitted.zoomed_to(closest, room.center()) } else { fitted }
}

/// The frame on the page that comes so many after another one.
fn next_frame(document: &Document, from: Option<&NodeId>, by: i64) -> Option<NodeId> {
    let page = document.page().map(|page| &page.id);
    let on_page = document.children_of(page).iter();
    let frames: Vec<&NodeId> = on_page
        .filter(|id| document.get(id).is_some_and(|node| node.kind.is_some_frame()))
        .collect();
    let main = document.main_frame().map(|frame| &frame.id);
    let at = frames.iter().position(|id| Some(*id) == from.or(main));
    let count = i64::try_from(frames.len()).ok().filter(|count| *count > 0)?;
    let next = at.and_then(|at| i64::try_from(at).ok()).map_or(0, |at| (at + by).rem_euclid(count));
    frames.get(usize::try_from(next).ok()?).map(|id| (*id).clone())
}

/// How many pixels a unit a picture needs that is seen so large: whole ones, at most four, and no more than memory
/// allows.
fn scale_for(pixels_a_unit: f64, area: PageRect) -> u8 {
    let wanted = scale_wanted(pixels_a_unit);
    (1..=wanted).rev().find(|scale| fits(area, *scale)).unwrap_or(1)
}

/// The same of a page: one that does not fit into memory as sharp as it is seen is drawn where it is seen, with some
/// room around that, in steps, so that moving it a little asks for nothing new. `None` where nothing of it is seen.
fn part_for(
    pixels_a_unit: f64,
    area: PageRect,
    visible: PageRect,
) -> Option<(u8, Option<PagePart>)> {
    let wanted = scale_wanted(pixels_a_unit);
    if fits(area, wanted) {
        return Some((wanted, None));
    }
    let mut seen = None;
    // With a quarter of what is seen around it, or where that is too much an eighth; less on a dense screen, whose view
    // alone takes most of what there may be. From afar it is shrunk anyway.
    let steps: &[f64] = if pixels_a_unit < 1.0 { &[4.0, 8.0] } else { &[4.0, 8.0, 32.0] };
    for &steps in steps {
        let (across, down) = ((visible.width / steps).max(1.0), (visible.height / steps).max(1.0));
        let (left, top) = ((visible.x / across).floor() - 1.0, (visible.y / down).floor() - 1.0);
        let (width, height) = ((steps + 3.0) * across, (steps + 3.0) * down);
        let tile = PageRect::new(left * across, top * down, width, height);
        if tile.intersection(area).is_none() {
            break;
        }
        let is_all = tile.x <= area.x
            && tile.y <= area.y
            && area.right() <= tile.right()
            && area.bottom() <= tile.bottom();
        // Of a part also what is painted beyond the boxes: shadows, strokes, what hangs out.
        let drawn = if is_all { area } else { tile };
        seen = Some(drawn);
        if fits(drawn, wanted) {
            break;
        }
    }
    let seen = seen?;
    let part = Some(PagePart::around(seen)).filter(|_| seen != area);
    Some((scale_for(pixels_a_unit, seen), part))
}

fn scale_wanted(pixels_a_unit: f64) -> u8 {
    pixels_a_unit.ceil().clamp(1.0, 4.0) as u8
}

fn fits(area: PageRect, scale: u8) -> bool {
    let scale = f64::from(scale);
    let longest = area.width.max(area.height) * scale;
    longest <= DesignPicture::LONGEST_SIDE
        && area.area() * scale.powi(2) <= DesignPicture::MOST_PIXELS
}

/// Whether a file is called as pictures are that can be placed.
fn is_picture(path: &std::path::Path) -> bool {
    let extension = path.extension().map(|it| it.to_string_lossy().to_lowercase());
    extension.is_some_and(|it| DESIGN_PICTURE_ENDINGS.contains(&it.as_str()))
}

#[cfg(test)]
mod tests {
    use egui::{pos2, vec2};

    use super::*;
    use crate::design::{Node, NodeKind};

    #[test]
    fn a_picture_is_as_sharp_as_it_is_seen_while_it_fits_into_memory() {
        let phone = PageRect::new(0.0, 0.0, 375.0, 812.0);
        for (zoom, scale) in [(0.3, 1), (1.0, 1), (1.01, 2), (2.5, 3), (9.0, 4)] {
            assert_eq!(scale_for(zoom, phone), scale, "{zoom}");
        }
        assert_eq!(scale_for(4.0, PageRect::new(0.0, 0.0, 375.0, 5_000.0)), 1, "no side too long");
        let large = PageRect::new(0.0, 0.0, 2000.0, 2000.0);
        assert_eq!((scale_for(9.0, large), scale_for(1.0, large)), (1, 1));
    }

    #[test]
    fn a_large_page_is_drawn_where_it_is_seen() {
        let area = PageRect::new(0.0, 0.0, 20_000.0, 10_000.0);
        let seen = |x: f64, y: f64| PageRect::new(x, y, 500.0, 400.0);
        let (scale, part) = part_for(2.0, area, seen(3_000.0, 2_000.0)).unwrap();
        let drawn = part.unwrap().area();
        assert_eq!(scale, 2);
        let around = seen(3_000.0, 2_000.0).expand(100.0);
        assert_eq!(drawn.union(around), drawn, "with some room around what is seen");
        assert!(fits(drawn, scale));
        assert_eq!(
            part_for(2.0, area, seen(3_090.0, 2_040.0)),
            Some((scale, part)),
            "moved a little"
        );
        assert_ne!(part_for(2.0, area, seen(3_400.0, 2_000.0)), Some((scale, part)));
        assert_eq!(part_for(2.0, area, seen(-9_000.0, 0.0)), None, "nothing of it is seen");
        // At its edge, what is painted beyond that, too.
        let (_, at_edge) = part_for(2.0, area, seen(-100.0, 2_000.0)).unwrap();
        assert!(at_edge.unwrap().area().x < -100.0);
        // A long row is sharp where it is seen, as no texture is so wide.
        let row = PageRect::new(0.0, 0.0, 9_860.0, 200.0);
        let (scale, part) = part_for(1.0, row, seen(3_000.0, 0.0)).unwrap();
        assert!(scale == 1 && part.is_some_and(|part| part.area().width < 8_000.0));
        // From afar all of it, and a small page always.
        assert_eq!(part_for(0.03, area, area.expand(900.0)), Some((1, None)));
        let small = PageRect::new(0.0, 0.0, 900.0, 600.0);
        assert_eq!(part_for(1.5, small, seen(0.0, 0.0)), Some((2, None)));
    }

    #[test]
    fn a_large_page_is_as_sharp_as_it_is_seen_on_a_dense_screen() {
        let area = PageRect::new(0.0, 0.0, 20_000.0, 10_000.0);
        // A screen of 3840 by 2160 pixels, two of them a point.
        let seen = PageRect::new(3_000.0, 2_000.0, 1_920.0, 1_080.0);
        let (scale, part) = part_for(2.0, area, seen).unwrap();
        let drawn = part.unwrap().area();
        assert_eq!(scale, 2);
        assert!(fits(drawn, scale) && drawn.union(seen.expand(30.0)) == drawn, "{drawn:?}");
        let moved = PageRect { x: seen.x + 50.0, y: seen.y + 20.0, ..seen };
        assert_eq!(part_for(2.0, area, moved), Some((scale, part)), "moved a little");
        // From afar no sharper than it is seen, with more room around.
        let seen = PageRect::new(3_000.0, 2_000.0, 3_840.0, 2_160.0);
        let (_, part) = part_for(0.5, area, seen).unwrap();
        let drawn = part.unwrap().area();
        assert_eq!(drawn.union(seen.expand(270.0)), drawn, "{drawn:?}");
    }

    #[test]
    fn a_small_selection_is_shown_close_and_a_large_one_whole() {
        let room = Rect::from_min_size(pos2(0.0, 0.0), vec2(800.0, 600.0));
        let small = framed(PageRect::new(50.0, 50.0, 10.0, 10.0), room);
        assert_eq!(small.zoom, CLOSEST);
        let middle = small.to_screen(Point::new(55.0, 55.0));
        assert!(middle.distance(room.center()) < 0.5, "{middle:?}");
        assert!(framed(PageRect::new(0.0, 0.0, 8000.0, 10.0), room).zoom < 0.1);
    }

    #[test]
    fn frames_on_the_page_come_round() {
        let node = |id: &str, kind: NodeKind, parent: Option<&str>| Node {
            parent: parent.map(NodeId::from),
            ..Node::new(id.into(), id, kind)
        };
        let document = Document::from_nodes([
            node("page", NodeKind::Canvas, None),
            node("a", NodeKind::Frame, Some("page")),
            node("dot", NodeKind::Rectangle, Some("page")),
            node("b", NodeKind::Frame, Some("page")),
        ])
        .unwrap();
        let (a, b) = (Some(NodeId::from("a")), Some(NodeId::from("b")));
        assert_eq!(next_frame(&document, None, 1), b);
        assert_eq!(next_frame(&document, b.as_ref(), 1), a);
        assert_eq!(next_frame(&document, a.as_ref(), -1), b);
        assert_eq!(next_frame(&Document::default(), None, 1), None);
    }

    #[test]
    fn pictures_are_told_by_their_names() {
        let is = |name: &str| is_picture(std::path::Path::new(name));
        assert!(is("cat.PNG") && is("/a/cat.jpeg") && !is("cat.json") && !is("png"));
    }
}
