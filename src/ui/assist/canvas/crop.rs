//! Another part of a picture in the box of its layer: the picture is moved and resized in it, and kept at once.

use std::sync::Arc;

use egui::epaint::{Mesh, Vertex};
use egui::{
    Area, ColorImage, Context, CursorIcon, Id, Key, Modifiers, Order, Painter, Pos2, Response,
    Shape, Stroke, TextureHandle, TextureOptions, Ui, pos2, vec2,
};

use super::view::CanvasView;
use crate::base::{Affine, Pixels, Point, Rect as PageRect, Vector};
use crate::design::{Node, NodeId, PaintKind};
use crate::editor::{Act, PictureAct, picture_from_box};
use crate::ui::assist::acting::act;
use crate::ui::context::ViewContext;
use crate::ui::theme::{picture_tint, tokens};
use crate::ui::widgets::{Button, Look};
use crate::workbench::AssistDesk;

/// Most pixels along a side of what is shown while a picture is cropped.
const SIDE: u32 = 1024;
/// How near to a corner the pointer takes it, in points of the screen.
const REACH: f32 = 8.0;
/// The least that is seen of a picture's side, in units of the page.
const LEAST: f64 = 4.0;

/// A picture that is being cropped.
pub(super) struct Crop {
    node: NodeId,
    fill: usize,
    /// The whole picture in the space of the node.
    picture: PageRect,
    /// What is dragged: the whole, or a corner, with the picture as it was then.
    dragged: Option<(Grip, PageRect, Point)>,
    texture: TextureHandle,
    /// The canvas does not have the keyboard yet.
    is_new: bool,
}

impl std::fmt::Debug for Crop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Crop").field("node", &self.node).finish_non_exhaustive()
    }
}

/// Whether a picture was cropped in the frame before: Escape is then for that.
pub(in crate::ui) fn is_cropping(ctx: &Context) -> bool {
    let (id, pass) = (cropped_id(ctx), ctx.cumulative_pass_nr());
    let last = ctx.data(|data| data.get_temp::<u64>(id));
    last.is_some_and(|last| last.saturating_add(1) >= pass)
}

/// What egui knows the last frame by in which a picture was cropped in this window.
fn cropped_id(ctx: &Context) -> Id {
    Id::unique("assist_cropped").with(ctx.viewport_id())
}

/// What of a picture is dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grip {
    Whole,
    /// The corner of this number, clockwise from the left top.
    Corner(usize),
}

/// How a frame of cropping ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    None,
    Keep,
    Drop,
}

impl Crop {
    /// Begins with the selected layer, if one with a picture is.
    pub(super) fn begin(ui: &Ui, desk: &AssistDesk) -> Option<Self> {
        let document = desk.editor.document();
        let node = document.get(desk.editor.selection().only()?)?;
        let pictures = node.fills.iter().enumerate().rev();
        let (fill, image) =
            pictures.filter(|(_, fill)| fill.visible).find_map(|(at, fill)| match &fill.kind {
                PaintKind::Image(image) => Some((at, image)),
                _ => None,
            })?;
        let pixels = document.images().get(image.image_ref.as_ref()?)?;
        let size = (pixels.width(), pixels.height());
        let picture = in_node(picture_from_box(image, node.size, size)?, node)?;
        let texture = ui.ctx().load_texture("cropped", shrunk(pixels), TextureOptions::LINEAR);
        Some(Self { node: node.id.clone(), fill, picture, dragged: None, texture, is_new: true })
    }

    /// Draws it and takes what is done with it; gives whether it goes on.
    pub(super) fn show(
        &mut self,
        ui: &Ui,
        painter: &Painter,
        cx: &ViewContext<'_>,
        desk: &AssistDesk,
        view: CanvasView,
        response: &Response,
    ) -> bool {
        let document = desk.editor.document();
        // Whoever selects something else, or deletes it, leaves it as it was.
        let is_selected = desk.editor.selection().only() == Some(&self.node);
        let node = document.get(&self.node).filter(|_| is_selected);
        let page_from_node = document.absolute_transform(&self.node).ok();
        let Some((node, page_from_node)) = node.zip(page_from_node) else { return false };
        let Some(node_from_page) = page_from_node.inverse() else { return false };
        if std::mem::take(&mut self.is_new) {
            response.request_focus();
        }
        let (id, pass) = (cropped_id(ui.ctx()), ui.ctx().cumulative_pass_nr());
        ui.data_mut(|data| data.insert_temp(id, pass));
        let pointer = |pos: Pos2| node_from_page.apply(view.to_page(pos));
        self.drag(ui, response, view, page_from_node, &pointer);
        self.paint(ui, painter, node, view, page_from_node);
        let mut ending = buttons_ui(ui, node, view, page_from_node);
        if response.has_focus() {
            ui.input_mut(|input| {
                if input.consume_key(Modifiers::NONE, Key::Enter) {
                    ending = Ending::Keep;
                } else if input.consume_key(Modifiers::NONE, Key::Escape) {
                    ending = Ending::Drop;
                }
            });
        }
        // A click beside picture and box is done with it, as in Figma.
        if response.clicked()
            && let Some(at) = response.interact_pointer_pos().map(pointer)
            && !self.picture.contains(at)
            && !PageRect::new(0.0, 0.0, node.size.width, node.size.height).contains(at)
        {
            ending = Ending::Keep;
        }
        if ending == Ending::Keep {
            let (node, fill) = (self.node.clone(), self.fill);
            let picture_from_box = self.picture_from_box(node_size(desk, &self.node));
            act(cx, Act::Picture(PictureAct::Crop { node, fill, picture_from_box }));
        }
        ending == Ending::None
    }

    fn drag(
        &mut self,
        ui: &Ui,
        response: &Response,
        view: CanvasView,
        page_from_node: Affine,
        pointer: &dyn Fn(Pos2) -> Point,
    ) {
        let on_screen = |at: Point| view.to_screen(page_from_node.apply(at));
        let grip_at = |pos: Pos2| {
            let corners = corners(self.picture).map(on_screen);
            let near = corners.iter().position(|corner| corner.distance(pos) <= REACH);
            near.map_or(Grip::Whole, Grip::Corner)
        };
        let hovered = response.hover_pos().map(grip_at);
        if let Some(grip) = self.dragged.as_ref().map(|(grip, ..)| *grip).or(hovered) {
            ui.ctx().set_cursor_icon(match grip {
                Grip::Whole if self.dragged.is_some() => CursorIcon::Grabbing,
                Grip::Whole => CursorIcon::Grab,
                Grip::Corner(0 | 2) => CursorIcon::ResizeNwSe,
                Grip::Corner(_) => CursorIcon::ResizeNeSw,
            });
        }
        if response.drag_started_by(egui::PointerButton::Primary)
            && let Some(pos) = ui.input(|input| input.pointer.press_origin())
        {
            response.request_focus();
            self.dragged = Some((grip_at(pos), self.picture, pointer(pos)));
        }
        if let Some((grip, from, began)) = self.dragged
            && let Some(pos) = ui.input(|input| input.pointer.latest_pos())
        {
            let by = pointer(pos).since(began);
            self.picture = match grip {
                Grip::Whole => from.translate(by),
                Grip::Corner(corner) => resized(from, corner, by),
            };
        }
        if !ui.input(|input| input.pointer.primary_down()) {
            self.dragged = None;
        }
    }

    fn paint(
        &self,
        ui: &Ui,
        painter: &Painter,
        node: &Node,
        view: CanvasView,
        page_from_node: Affine,
    ) {
        let tokens = tokens(ui);
        let on_screen = |at: Point| view.to_screen(page_from_node.apply(at));
        let own = PageRect::new(0.0, 0.0, node.size.width, node.size.height);
        let [whole, inside] = [self.picture, own].map(|area| corners(area).map(on_screen).to_vec());
        // What was there before does not show where the picture went away.
        painter.add(Shape::convex_polygon(inside.clone(), tokens.stage, Stroke::NONE));
        self.part(painter, self.picture, 0.35, &on_screen);
        if let Some(seen) = self.picture.intersection(own) {
            self.part(painter, seen, 1.0, &on_screen);
        }
        painter.add(Shape::closed_line(whole.clone(), Stroke::new(1.0, tokens.accent)));
        painter.add(Shape::closed_line(inside, Stroke::new(2.0, tokens.accent)));
        for corner in whole {
            painter.circle(corner, 4.0, tokens.panel, Stroke::new(1.5, tokens.accent));
        }
    }

    /// Draws a part of the picture where it lies.
    fn part(
        &self,
        painter: &Painter,
        area: PageRect,
        opacity: f32,
        on_screen: &dyn Fn(Point) -> Pos2,
    ) {
        let mut mesh = Mesh::with_texture(self.texture.id());
        let whole = self.picture;
        for at in corners(area) {
            let uv = pos2(
                ((at.x - whole.x) / whole.width) as f32,
                ((at.y - whole.y) / whole.height) as f32,
            );
            mesh.vertices.push(Vertex { pos: on_screen(at), uv, color: picture_tint(opacity) });
        }
        mesh.add_triangle(0, 1, 2);
        mesh.add_triangle(0, 2, 3);
        painter.add(Shape::mesh(mesh));
    }

    fn picture_from_box(&self, (width, height): (f64, f64)) -> Affine {
        let (x, y) = (width / self.picture.width, height / self.picture.height);
        let (e, f) = (-self.picture.x / self.picture.width, -self.picture.y / self.picture.height);
        Affine { e, f, ..Affine::scale(x, y) }
    }
}

/// What ends it, below the picture.
fn buttons_ui(ui: &Ui, node: &Node, view: CanvasView, page_from_node: Affine) -> Ending {
    let area = view.rect_to_screen(page_from_node.bounds_of(node.size));
    let at = area.center_bottom() + vec2(-64.0, 12.0);
    let mut ending = Ending::None;
    let frame = tokens(ui).overlay_frame().inner_margin(4);
    Area::new(Id::unique("crop_buttons")).order(Order::Middle).fixed_pos(at).show(ui.ctx(), |ui| {
        frame.show(ui, |ui| {
            ui.horizontal(|ui| {
                let keep = Button::text("Keep crop").look(Look::Primary);
                if keep.tooltip("Show this part of the image.").show(ui).clicked() {
                    ending = Ending::Keep;
                }
                let cancel = Button::text("Cancel");
                let words = "Show the part that was there before.";
                if cancel.tooltip(words).show(ui).clicked() {
                    ending = Ending::Drop;
                }
            });
        });
    });
    ending
}

fn node_size(desk: &AssistDesk, id: &NodeId) -> (f64, f64) {
    let node = desk.editor.document().get(id);
    node.map_or((0.0, 0.0), |node| (node.size.width, node.size.height))
}

/// Where the whole picture lies in the node's space; `None` of one that is turned, slanted or mirrored.
fn in_node(picture_from_box: Affine, node: &Node) -> Option<PageRect> {
    let Affine { a, b, c, d, e, f } = picture_from_box;
    if b != 0.0 || c != 0.0 || a <= 0.0 || d <= 0.0 {
        return None;
    }
    let (width, height) = (node.size.width / a, node.size.height / d);
    let area = PageRect::new(-e * width, -f * height, width, height);
    area.is_finite().then_some(area)
}

/// The corners of a box, clockwise from its left top.
fn corners(of: PageRect) -> [Point; 4] {
    let (right, bottom) = (of.right(), of.bottom());
    [of.origin(), Point::new(right, of.y), Point::new(right, bottom), Point::new(of.x, bottom)]
}

/// A picture with a corner dragged so far: the opposite one stays, and so does the ratio.
fn resized(from: PageRect, corner: usize, by: Vector) -> PageRect {
    let is_left = corner == 0 || corner == 3;
    let is_top = corner < 2;
    let across = if is_left { -by.x } else { by.x } / from.width;
    let down = if is_top { -by.y } else { by.y } / from.height;
    // The longer way counts.
    let grown = if across.abs() > down.abs() { across } else { down };
    let least = (LEAST / from.width).max(LEAST / from.height);
    let scale = (1.0 + grown).max(least);
    let (width, height) = (from.width * scale, from.height * scale);
    let x = if is_left { from.right() - width } else { from.x };
    let y = if is_top { from.bottom() - height } else { from.y };
    PageRect::new(x, y, width, height)
}

/// The picture as a texture takes it: of a large one every second pixel, or third, and so on.
fn shrunk(pixels: &Arc<Pixels>) -> ColorImage {
    let longest = pixels.width().max(pixels.height());
    let every = longest.div_ceil(SIDE).max(1);
    let (width, height) = (pixels.width().div_ceil(every), pixels.height().div_ceil(every));
    let mut rgba = Vec::with_capacity(width as usize * height as usize * 4);
    for y in 0..height {
        for x in 0..width {
            rgba.extend(pixels.get(x * every, y * every).unwrap_or_default());
        }
    }
    ColorImage::from_rgba_unmultiplied([width as usize, height as usize], &rgba)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dragged_corner_keeps_the_opposite_one_and_the_ratio() {
        let from = PageRect::new(10.0, 20.0, 100.0, 50.0);
        for corner in 0..4 {
            let by = Vector { x: if corner == 0 || corner == 3 { -50.0 } else { 50.0 }, y: 0.0 };
            let to = resized(from, corner, by);
            assert_eq!((to.width, to.height), (150.0, 75.0), "{corner}");
            let opposite = (corner + 2) % 4;
            assert_eq!(corners(to)[opposite], corners(from)[opposite], "{corner}");
        }
        let least = resized(from, 2, Vector { x: -500.0, y: -500.0 });
        assert!(least.width >= LEAST && least.height >= LEAST, "{least:?}");
    }

    #[test]
    fn a_large_picture_becomes_a_small_texture_of_its_own_pixels() {
        let pixels = Arc::new(Pixels::filled(2500, 10, [1, 2, 3, 255]).unwrap());
        let image = shrunk(&pixels);
        assert_eq!(image.size, [834, 4]);
        assert_eq!(image.pixels.first().map(egui::Color32::to_array), Some([1, 2, 3, 255]));
    }

    #[test]
    fn the_place_of_a_picture_in_its_node_and_back() {
        let mut node = Node::new("1:1".into(), "cat", crate::design::NodeKind::Rectangle);
        node.size = crate::base::Size::new(100.0, 50.0);
        let map = Affine { e: 0.25, f: 0.0, ..Affine::scale(0.5, 1.0) };
        let area = in_node(map, &node).unwrap();
        assert_eq!(area, PageRect::new(-50.0, 0.0, 200.0, 50.0));
        assert_eq!(in_node(Affine::rotate(0.3), &node), None);
        assert_eq!(in_node(Affine::scale(-1.0, 1.0), &node), None);
    }
}
