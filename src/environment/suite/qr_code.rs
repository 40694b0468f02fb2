//! QR codes.

use crate::base::Size;

/// A QR code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct QrCode {
    /// What it says.
    pub(super) text: String,
    /// Modules a side, without the quiet zone.
    pub(super) side: u32,
    /// Row by row: whether the module is dark.
    pub(super) dark: Vec<bool>,
}

impl QrCode {
    /// Modules around the code that stay light, as its standard asks.
    const QUIET: f64 = 4.0;

    /// The code that says `text`; `None` if it says too much for one.
    pub(super) fn of(text: &str) -> Option<Self> {
        let code = qrcodegen::QrCode::encode_text(text, qrcodegen::QrCodeEcc::Medium).ok()?;
        let side = code.size();
        // Row by row, as they are drawn.
        let dark = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
        let dark = dark.map(|(x, y)| code.get_module(x, y)).collect();
        Some(Self { text: text.to_owned(), side: u32::try_from(side).ok()?, dark })
    }

    /// Modules a side, with the quiet zone.
    pub(super) fn cells(&self) -> f64 {
        f64::from(self.side) + 2.0 * Self::QUIET
    }

    /// The dark modules as path data in a square of this side.
    pub(super) fn path(&self, size: Size) -> String {
        let (across, down) = (size.width / self.cells(), size.height / self.cells());
        let mut boxes = Vec::new();
        for (row, y) in self.dark.chunks(self.side.max(1) as usize).zip(0_u32..) {
            let [y0, y1] = [0.0, 1.0].map(|below| (Self::QUIET + f64::from(y) + below) * down);
            // A run is one box: neighbouring modules would show a hairline where they are scaled.
            for (from, to) in runs(row) {
                let [x0, x1] = [from, to].map(|x| (Self::QUIET + x as f64) * across);
                boxes.push(format!("M {x0} {y0} L {x1} {y0} L {x1} {y1} L {x0} {y1} Z"));
            }
        }
        boxes.join(" ")
    }
}

/// The runs of dark modules of a row: from, to.
fn runs(row: &[bool]) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (at, _) in row.iter().enumerate().filter(|(_, dark)| **dark) {
        match found.last_mut() {
            Some((_, end)) if *end == at => *end = at + 1,
            _ => found.push((at, at + 1)),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_in_a_row_are_one_piece() {
        assert_eq!(runs(&[true, true, false, true]), [(0, 2), (3, 4)]);
        assert!(runs(&[false, false]).is_empty());
    }

    #[test]
    fn a_code_has_a_finder_in_its_corner_and_refuses_a_novel() {
        let code = QrCode::of("https://example.org").unwrap();
        assert_eq!(code.side, 25);
        assert!(code.dark.iter().take(7).all(|dark| *dark));
        assert_eq!(QrCode::of(&"x".repeat(5000)), None);
    }
}
