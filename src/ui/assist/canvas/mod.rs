//! The canvas: the picture of the design, what is selected, and hands on it.
//!
//! [`view`] is where the page lies on the screen, [`hands`] makes acts of what the pointer does; [`overlay`] draws over
//! the picture: [`names`] of frames, [`handles`], those of a [`gradient`], [`distances`]. [`menu`] lists what lies at a
//! place. [`looking`] is how it is looked at: [`rulers`], [`grid`], [`outlines`], the [`goal`]; and has what takes the
//! pointer for itself: [`pins`] and [`crop`].

mod contour;
mod crop;
mod distances;
mod eyedropper;
mod ghost;
mod goal;
mod gradient;
mod grid;
mod handles;
mod hands;
mod keyboard;
mod looking;
mod menu;
mod names;
mod outlines;
mod overlay;
mod picture;
mod pill;
mod pins;
mod rulers;
mod typing;
mod under;
mod view;

use egui::{Rect, Response, Sense, Ui};

use crate::base::Rect as PageRect;
use crate::design::NodeId;
use crate::ui::commands::AssistLocal;
use crate::ui::context::ViewContext;
use crate::ui::widgets::say_picture;
use crate::workbench::AssistDesk;

pub(in crate::ui) use crop::is_cropping;
use ghost::GhostLayer;
use hands::Hands;
pub(in crate::ui) use keyboard::canvas_id;
use looking::Looking;
use menu::LayerMenu;
use picture::CanvasPicture;
use typing::TypingField;
pub(in crate::ui) use typing::typing_id;
use view::CanvasView;

/// The canvas with what belongs to it alone.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    /// Where the page lies; `None` until the design is first drawn, which fits it.
    view: Option<(u64, CanvasView)>,
    /// The page that was looked at.
    page: Option<NodeId>,
    /// Whether the goal stood beside the design.
    is_beside: bool,
    picture: CanvasPicture,
    hands: Hands,
    menu: LayerMenu,
    typing: TypingField,
    looking: Looking,
    ghost: GhostLayer,
    readout: Option<String>,
    /// The number of the undo or redo that was last brought into view.
    travelled: u64,
    /// The part of the page that is seen.
    visible: Option<PageRect>,
}

/// What the canvas is told of what stands around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around<'a> {
    /// The layer that the pointer is over elsewhere.
    pub(super) pointed: Option<&'a NodeId>,
    /// The layer of the change that the pointer is over in the list of what the assistant offers.
    pub(super) proposed: Option<&'a NodeId>,
    /// Where the properties are, if they are shown.
    pub(super) properties: Option<Rect>,
}

impl Canvas {
    /// What is under the pointer, for the status bar.
    pub(super) fn readout(&self) -> Option<&str> {
        self.readout.as_deref()
    }

    /// Points of the screen a unit of the page.
    pub(super) fn zoom(&self) -> f64 {
        self.view.as_ref().map_or(1.0, |(_, view)| view.zoom)
    }

    /// The part of the page that is seen.
    pub(super) fn visible(&self) -> Option<PageRect> {
        self.visible
    }

    /// Has something done when it is drawn.
    pub(super) fn ask(&mut self, local: AssistLocal) {
        self.looking.ask(local);
    }

    /// The node that a click would select, while the pointer is over the canvas.
    pub(super) fn hovered(&self) -> Option<&NodeId> {
        self.menu.pointed().or(self.hands.hovered())
    }

    /// The layer of the change whose tag the pointer is over.
    pub(super) fn proposed(&self) -> Option<&NodeId> {
        self.ghost.pointed()
    }

    /// Draws the canvas, and takes what is done on it.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        cx: &ViewContext<'_>,
        desk: &AssistDesk,
        around: Around<'_>,
    ) {
        let (_, rect) = ui.allocate_space(ui.available_size());
        let response = ui.interact(rect, canvas_id(), Sense::click_and_drag());
        keyboard::keep(ui, &response);
        let is_beside = goal::is_beside(cx, desk);
        // What was seen whole is seen whole with the goal beside it, and without.
        let was_beside = std::mem::replace(&mut self.is_beside, is_beside);
        let was_whole = |view| view == goal::whole(desk, was_beside, rect);
        let page = desk.other_page();
        let is_other_page = std::mem::replace(&mut self.page, page.clone()) != page;
        let view = match self.view {
            Some((of, view))
                if of == desk.number
                    && !is_other_page
                    && (was_beside == is_beside || !was_whole(view)) =>
            {
                view
            }
            _ => goal::whole(desk, is_beside, rect),
        };
        let view = view.navigated(ui, rect, &response, self.hands.pans());
        let view = self.looking.moved(ui, cx, desk, rect, view);
        let view = self.following_undo(desk, rect, view);
        Looking::take_dropped(ui, cx, view, rect);
        self.view = Some((desk.number, view));
        self.visible = Some(view.visible(rect));
        let under = under::Under { rect, view };
        if !self.takes_pointer(ui, cx, desk, view, &response) {
            self.hands.update(ui, cx, desk, under, &response);
            self.menu.update(ui, cx, desk, under, &response);
        }
        let hover = response.hover_pos().map(|pos| view.to_page(pos));
        self.readout = hover.map(|at| format!("{:.0}, {:.0}", at.x, at.y));
        let painter = ui.painter().with_clip_rect(rect);
        if !self.looking.paint_instead(ui, &painter, cx, desk, view) {
            self.picture.paint(&painter, cx, desk, view);
        }
        let place = view.rect_to_screen(desk.area());
        say_picture(ui, response.id.with("picture"), place, "Picture of the design");
        self.looking.paint_over(ui, &painter, cx, desk, (rect, view), around.pointed);
        overlay::overlay_ui(ui, &painter, desk, under, (&response, self.hovered()));
        self.ghost.paint(ui, &painter, cx, desk, view, around.proposed);
        contour::paint(ui, &painter, desk, view, response.hover_pos());
        eyedropper::paint(ui, &painter, desk, view, &response, &self.picture);
        self.looking.show(ui, &painter, cx, desk, (rect, view), &response);
        self.typing.show(ui, cx, desk, view, (rect, around.properties));
    }

    /// Whether the pointer is taken by the eyedropper, by comments or by a picture that is cropped, or begins to crop
    /// one.
    fn takes_pointer(
        &mut self,
        ui: &Ui,
        cx: &ViewContext<'_>,
        desk: &AssistDesk,
        view: CanvasView,
        response: &Response,
    ) -> bool {
        let double = response.interact_pointer_pos().filter(|_| response.double_clicked());
        let crops = double
            .is_some_and(|pos| self.looking.open_crop(ui, desk, view.to_page(pos), view.zoom));
        crops
            || self.looking.take_pointer(desk, view, response)
            || eyedropper::pick(ui, cx, desk, view, response, &self.picture)
    }

    /// The view that shows what was just undone or done again.
    fn following_undo(&mut self, desk: &AssistDesk, rect: Rect, view: CanvasView) -> CanvasView {
        match desk.editor.travelled() {
            Some(travelled) if travelled.step != self.travelled => {
                self.travelled = travelled.step;
                view.showing(&travelled.boxes, rect)
            }
            _ => view,
        }
    }
}
