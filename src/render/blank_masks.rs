//! Masks of nothing, to be marked and used again.

use std::cell::RefCell;

use tiny_skia::Mask;

use crate::base::Rect;

/// Masks that are not in use. One of a whole page takes longer to clear than a small clip takes to
/// be drawn into it, so only what was marked of it is cleared.
#[derive(Debug, Default)]
pub(super) struct BlankMasks(RefCell<Vec<Mask>>);

impl BlankMasks {
    /// A mask of this size that masks everything; `None` if there is no memory for it.
    pub(super) fn take(&self, (width, height): (u32, u32)) -> Option<Mask> {
        let mut masks = self.0.borrow_mut();
        let fits = |mask: &Mask| (mask.width(), mask.height()) == (width, height);
        match masks.iter().position(fits) {
            Some(at) => Some(masks.swap_remove(at)),
            None => Mask::new(width, height),
        }
    }

    /// Takes a mask back that is blank but for the pixels that `marked` touches.
    pub(super) fn give_back(&self, mut mask: Mask, marked: Rect) {
        let (width, height) = (mask.width() as usize, mask.height() as usize);
        let within = |at: f64, end: usize| at.clamp(0.0, end as f64) as usize;
        let columns = within(marked.x.floor(), width)..within(marked.right().ceil(), width);
        let (top, bottom) = (marked.y.floor(), marked.bottom().ceil());
        let rows = within(top, height)..within(bottom, height);
        for row in mask.data_mut().chunks_mut(width).take(rows.end).skip(rows.start) {
            if let Some(part) = row.get_mut(columns.clone()) {
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
