//! What of the picture may be painted on.

use std::cell::RefCell;
use std::rc::Rc;

use tiny_skia::{FillRule, Mask};

use crate::base::{Affine, Rect};

use super::blank_masks::BlankMasks;
use super::rounded_box::RoundedBox;
use super::shape::FilledPath;
use super::surface::Surface;

/// A stack of clips in device space. Masks are made when first needed, once for a surface.
#[derive(Clone, Debug)]
pub(super) struct Clip {
    /// Nothing outside of this box is painted.
    pub(super) bounds: Rect,
    innermost: Option<Rc<ClipShape>>,
    blank_masks: Rc<BlankMasks>,
}

#[derive(Debug)]
struct ClipShape {
    area: FilledPath,
    device_from_area: Affine,
    /// Two boxes in device space that lie wholly within, if they are known.
    interior: Option<[Rect; 2]>,
    outer: Option<Rc<Self>>,
    masks: RefCell<Vec<SurfaceMask>>,
    blank_masks: Rc<BlankMasks>,
}

/// The mask of a clip on one surface.
#[derive(Debug)]
struct SurfaceMask {
    surface_id: u32,
    mask: Rc<Mask>,
    /// In the surface's pixels: all of the mask that is not blank.
    marked: Rect,
}

impl Clip {
    /// No clip but the edge of the picture or layer.
    pub(super) fn to_box(bounds: Rect) -> Self {
        Self { bounds, innermost: None, blank_masks: Rc::default() }
    }

    /// This clip, and within `rounded` too; `None` if nothing is left.
    pub(super) fn within(&self, rounded: &RoundedBox, device_from_node: Affine) -> Option<Self> {
        let area = FilledPath::new(rounded.to_path()?, FillRule::Winding);
        let device_box = bounds_of(device_from_node, rounded.rect);
        let shape = ClipShape {
            area,
            device_from_area: device_from_node,
            interior: interior(rounded, device_from_node),
            outer: self.innermost.clone(),
            masks: RefCell::default(),
            blank_masks: Rc::clone(&self.blank_masks),
        };
        let bounds = self.bounds.intersection(device_box)?;
        let blank_masks = Rc::clone(&self.blank_masks);
        Some(Self { bounds, innermost: Some(Rc::new(shape)), blank_masks })
    }

    /// The mask to paint something within `device_box` on `surface`; `None` if none is needed, as
    /// no clip cuts what is visible of it.
    pub(super) fn mask(&self, device_box: Rect, surface: &Surface) -> Option<Rc<Mask>> {
        let visible = device_box.intersection(surface.device_box())?;
        let mut shape = self.innermost.as_ref();
        while let Some(cutting) = shape {
            if !cutting.holds(visible) {
                return cutting.mask(surface);
            }
            shape = cutting.outer.as_ref();
        }
        None
    }
}

impl ClipShape {
    fn holds(&self, device_box: Rect) -> bool {
        self.interior
            .is_some_and(|boxes| boxes.iter().any(|interior| encloses(*interior, device_box)))
    }

    /// The mask of this shape and all outer ones.
    fn mask(&self, surface: &Surface) -> Option<Rc<Mask>> {
        let is_known = |known: &&SurfaceMask| known.surface_id == surface.id;
        if let Some(known) = self.masks.borrow().iter().find(is_known) {
            return Some(Rc::clone(&known.mask));
        }
        let mut mask = self.blank_masks.take(surface.size())?;
        surface.add_to_mask(&mut mask, &self.area, self.device_from_area);
        if let Some(outer) = self.outer.as_ref().and_then(|outer| outer.mask(surface)) {
            multiply(&mut mask, &outer);
        }
        let mask = Rc::new(mask);
        // Coverage is rounded outwards.
        let device_box = bounds_of(self.device_from_area, self.area.bounds).expand(2.0);
        let marked = surface.pixels_from_device(device_box);
        let known = SurfaceMask { surface_id: surface.id, mask: Rc::clone(&mask), marked };
        self.masks.borrow_mut().push(known);
        Some(mask)
    }
}

impl Drop for ClipShape {
    fn drop(&mut self) {
        for known in self.masks.take() {
            if let Ok(mask) = Rc::try_unwrap(known.mask) {
                self.blank_masks.give_back(mask, known.marked);
            }
        }
    }
}

fn multiply(mask: &mut Mask, by: &Mask) {
    for (value, factor) in mask.data_mut().iter_mut().zip(by.data()) {
        let product = u32::from(*value) * u32::from(*factor);
        *value = ((product + 127) / 255) as u8;
    }
}

/// The cross within an upright rounded box that no corner cuts.
pub(super) fn interior(rounded: &RoundedBox, device_from_node: Affine) -> Option<[Rect; 2]> {
    if device_from_node.b != 0.0 || device_from_node.c != 0.0 {
        return None;
    }
    let (rect, radius) = (rounded.rect, rounded.longest_corner());
    let wide = Rect::new(rect.x, rect.y + radius, rect.width, rect.height - 2.0 * radius);
    let tall = Rect::new(rect.x + radius, rect.y, rect.width - 2.0 * radius, rect.height);
    Some([wide, tall].map(|part| bounds_of(device_from_node, part)))
}

/// The box around the image of `rect`.
pub(super) fn bounds_of(map: Affine, rect: Rect) -> Rect {
    map.after(Affine::translate(rect.x, rect.y)).bounds_of(rect.size())
}

pub(super) fn encloses(outer: Rect, inner: Rect) -> bool {
    const SLACK: f64 = 1e-3;
    inner.x >= outer.x - SLACK
        && inner.y >= outer.y - SLACK
        && inner.right() <= outer.right() + SLACK
        && inner.bottom() <= outer.bottom() + SLACK
}
