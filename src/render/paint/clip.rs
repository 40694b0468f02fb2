//! What of the picture may be painted on.

use std::cell::RefCell;
use std::rc::Rc;

use tiny_skia::{FillRule, Mask};

use crate::base::{Affine, Rect};
use crate::render::geometry::boxes::{bounds_of, encloses};
use crate::render::geometry::filled_path::FilledPath;
use crate::render::geometry::rounded_box::RoundedBox;

use super::surface::Surface;

/// A stack of clips in device space. Masks are made when first needed, once for a surface.
#[derive(Clone, Debug)]
pub(crate) struct Clip {
    /// Nothing outside of this box is painted.
    pub(crate) bounds: Rect,
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
    pub(crate) fn to_box(bounds: Rect) -> Self {
        Self { bounds, innermost: None, blank_masks: Rc::default() }
    }

    /// This clip, and within `rounded` too; `None` if nothing is left.
    pub(crate) fn within(&self, rounded: &RoundedBox, device_from_node: Affine) -> Option<Self> {
        let area = FilledPath::new(rounded.to_path()?, FillRule::Winding);
        let device_box = bounds_of(device_from_node, rounded.rect);
        let shape = ClipShape {
            area,
            device_from_area: device_from_node,
            // Most of what is drawn lies wholly inside, where no mask is needed.
            interior: rounded.interior(device_from_node),
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
    pub(crate) fn mask(&self, device_box: Rect, surface: &Surface) -> Option<Rc<Mask>> {
        let visible = device_box.intersection(surface.device_box())?;
        let mut shape = self.innermost.as_ref();
        while let Some(cutting) = shape {
            // The innermost that cuts: its mask has all the outer ones in it. Those within which
            // all lies need none.
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
        // Drawn once for each surface, however many nodes the clip holds.
        if let Some(known) = self.masks.borrow().iter().find(|it| it.surface_id == surface.id) {
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
            // Nobody else holds it once the clip is gone.
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

/// Masks that are not in use. One of a whole page takes longer to clear than a small clip takes to
/// be drawn into it, so only what was marked of it is cleared.
#[derive(Debug, Default)]
pub(crate) struct BlankMasks(RefCell<Vec<Mask>>);

impl BlankMasks {
    /// A mask of this size that masks everything; `None` if there is no memory for it.
    pub(crate) fn take(&self, (width, height): (u32, u32)) -> Option<Mask> {
        let mut masks = self.0.borrow_mut();
        match masks.iter().position(|it| (it.width(), it.height()) == (width, height)) {
            Some(at) => Some(masks.swap_remove(at)),
            None => Mask::new(width, height),
        }
    }

    /// Takes a mask back that is blank but for the pixels that `marked` touches.
    pub(crate) fn give_back(&self, mut mask: Mask, marked: Rect) {
        let (width, height) = (mask.width() as usize, mask.height() as usize);
        // Clamped before they are whole numbers: a box may reach anywhere. NaN becomes 0.
        let [left, right] = [marked.x.floor(), marked.right().ceil()]
            .map(|at| at.clamp(0.0, width as f64) as usize);
        let [top, bottom] = [marked.y.floor(), marked.bottom().ceil()]
            .map(|at| at.clamp(0.0, height as f64) as usize);
        for row in mask.data_mut().chunks_mut(width).take(bottom).skip(top) {
            if let Some(part) = row.get_mut(left..right) {
                part.fill(0);
            }
        }
        self.0.borrow_mut().push(mask);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_comes_back_blank_to_those_of_its_size_only() {
        let masks = BlankMasks::default();
        let mut mask = masks.take((5, 4)).unwrap();
        for (x, y) in [(1, 1), (4, 1), (4, 3)] {
            mask.data_mut()[y * 5 + x] = 200;
        }
        let first = mask.data().as_ptr();
        masks.give_back(mask, Rect::new(0.6, 0.6, 9.0, 9.0));
        assert_ne!(masks.take((4, 5)).unwrap().data().as_ptr(), first);
        let again = masks.take((5, 4)).unwrap();
        assert_eq!((again.data().as_ptr(), again.data()), (first, [0; 20].as_slice()));
    }

    #[test]
    fn marks_beyond_the_mask_or_nowhere_do_no_harm() {
        let masks = BlankMasks::default();
        for (x, width) in [(-9.0, 3.0), (90.0, 3.0), (-1e300, 1e301), (f64::NAN, 1.0)] {
            masks.give_back(Mask::new(3, 3).unwrap(), Rect::new(x, x, width, width));
        }
        assert!((0..4).all(|_| masks.take((3, 3)).unwrap().data() == [0; 9]));
    }
}
