//! The picture of the design, as new as there is one.

use std::sync::Arc;

use egui::{Color32, Painter, Rect, TextureHandle, TextureOptions, pos2};

use super::view::CanvasView;
use crate::base::{Point, Rgba};
use crate::ui::context::ViewContext;
use crate::ui::theme::picture_tint;
use crate::ui::widgets::color_image;
use crate::workbench::{AssistDesk, DesignPicture, DesignPictureKey, DesignSide, Fetched};

/// The texture, and of which picture it is.
#[derive(Default)]
pub(super) struct CanvasPicture {
    shown: Option<(DesignPictureKey, Arc<DesignPicture>, TextureHandle)>,
}

impl std::fmt::Debug for CanvasPicture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let key = self.shown.as_ref().map(|(key, ..)| key);
        f.debug_struct("CanvasPicture").field("shown", &key).finish()
    }
}

impl CanvasPicture {
    /// Paints it.
    pub(super) fn paint(
        &mut self,
        painter: &Painter,
        cx: &ViewContext<'_>,
        desk: &AssistDesk,
        view: CanvasView,
    ) {
        let wanted = desk.picture_key();
        let is_there = cx.state.derived.design_pictures.ready(&wanted).is_some();
        let newest = newest(cx, desk);
        // Of the same design what is shown stays until what is wanted is there.
        let shown = self.shown.as_ref().map(|(key, ..)| *key).filter(|shown| {
            newest.is_some_and(|it| (it.desk, it.revision) == (shown.desk, shown.revision))
        });
        let key = if is_there { wanted } else { shown.or(newest).unwrap_or(wanted) };
        self.paint_key(painter, cx, key, view, picture_tint(1.0));
    }

    /// Paints the picture of a key, or the one before it of the same design.
    pub(super) fn paint_key(
        &mut self,
        painter: &Painter,
        cx: &ViewContext<'_>,
        key: DesignPictureKey,
        view: CanvasView,
        tint: Color32,
    ) {
        let pictures = &cx.state.derived.design_pictures;
        let is_shown = self.shown.as_ref().is_some_and(|(of, ..)| *of == key);
        if let Some(picture) = pictures.ready(&key).filter(|_| !is_shown) {
            self.take(painter, key, picture);
        }
        if let Some((of, picture, texture)) = &self.shown
            && (of.desk, of.side) == (key.desk, key.side)
        {
            let place = view.rect_to_screen(picture.area);
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            painter.image(texture.id(), place, whole, tint);
        }
    }

    /// The color of the picture at a point of the page; `None` beside it.
    pub(super) fn color_at(&self, at: Point) -> Option<Rgba> {
        let (_, picture, _) = self.shown.as_ref()?;
        let (area, pixels) = (picture.area, &picture.pixels);
        let x = (at.x - area.x) / area.width * f64::from(pixels.width());
        let y = (at.y - area.y) / area.height * f64::from(pixels.height());
        // What lies left of it or above is no pixel; a number too large is none either.
        if !(x >= 0.0 && y >= 0.0) {
            return None;
        }
        pixels.get(x as u32, y as u32).map(Rgba::from_u8)
    }

    fn take(&mut self, painter: &Painter, key: DesignPictureKey, picture: &Arc<DesignPicture>) {
        let image = color_image(&picture.pixels);
        let texture = match self.shown.take() {
            Some((_, _, mut texture)) => {
                texture.set(image, TextureOptions::LINEAR);
                texture
            }
            None => painter.ctx().load_texture("design", image, TextureOptions::LINEAR),
        };
        self.shown = Some((key, Arc::clone(picture), texture));
    }
}

/// The newest picture of the design that is there: while something is dragged it may be that of a moment ago.
fn newest(cx: &ViewContext<'_>, desk: &AssistDesk) -> Option<DesignPictureKey> {
    let pictures = cx.state.derived.design_pictures.iter();
    let wanted = desk.picture_key().revision;
    let own = pictures.filter(|(key, fetched)| {
        let is_own = key.desk == desk.number && key.side == DesignSide::Work;
        // Versions have revisions of their own, beyond all that the design comes to.
        let is_known = match desk.files.viewed {
            Some(_) => key.revision == wanted,
            None => key.revision <= wanted,
        };
        is_own && is_known && matches!(fetched, Fetched::Ready(_))
    });
    // In the order of keys: by revision, and of one revision the sharper one.
    own.map(|(key, _)| *key).last()
}
