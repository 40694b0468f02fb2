//! Pieces of glass held by lead, as the texture filter of that name.
//!
//! The pieces are the cells of a Voronoi diagram: one seed in each place of a staggered grid, moved
//! a little at random. A place is two radii and a lead wide, so that lead never covers all the
//! glass. A piece has the mean colour of what it covers; the light behind the middle of the picture
//! whitens pieces by up to 6 % for each step, less towards the corners.

use rayon::prelude::*;

use crate::base::Pixels;

use super::noise;
use super::rows;

/// The colour of lead.
const LEAD: [u8; 3] = [18, 18, 20];
/// What stands for lead among the numbers of pieces.
const NO_PIECE: u32 = u32::MAX;
/// How far a seed is moved from the middle of its place, at most, in places. Under a third, so that
/// the nearest seed is always in a place beside.
const JITTER: f32 = 0.3;

pub(super) fn apply(pixels: &Pixels, cell: i32, border: i32, light: i32) -> Pixels {
    let width = pixels.width() as usize;
    let window = Window::of(pixels, cell, border);
    let pieces = window.pieces(pixels);
    let colors = window.colors(pixels, &pieces);
    let lamp = Lamp::of(pixels, light);
    rows::recolored(pixels, |x, y| {
        let piece = pieces[y * width + x];
        match colors.get(piece as usize) {
            Some(color) => lamp.behind(*color, x, y),
            None => LEAD,
        }
    })
}

/// The seeds of the pieces, one in each place.
struct Window {
    /// The side of a place, in pixels.
    side: f32,
    /// Places to a pixel.
    places: f32,
    /// The width of the lead, in pixels.
    lead: f32,
    /// Places in a row; the first is left of the picture.
    columns: usize,
    /// Seeds, rows of places from above the picture on.
    seeds: Vec<[f32; 2]>,
}

impl Window {
    fn of(pixels: &Pixels, cell: i32, border: i32) -> Self {
        let side = (2 * cell + border) as f32;
        // Places beyond every edge, as pieces there reach into the picture.
        let [columns, lines] =
            [pixels.width(), pixels.height()].map(|pixels| (pixels as f32 / side) as usize + 5);
        let seeds = (0..columns * lines).map(|at| {
            let (column, line) = ((at % columns) as i32, (at / columns) as i32);
            let [across, down] = [51, 52].map(|seed| JITTER * noise::signed(column, line, seed));
            let x = (column - 2) as f32 + 0.5 + stagger(line) + across;
            let y = (line - 1) as f32 + 0.5 + down;
            [x * side, y * side]
        });
        let seeds = seeds.collect();
        Self { side, places: 1.0 / side, lead: border as f32, columns, seeds }
    }

    /// The number of the piece that each pixel shows, or that it shows lead.
    fn pieces(&self, pixels: &Pixels) -> Vec<u32> {
        let width = pixels.width() as usize;
        let mut pieces = vec![NO_PIECE; rows::of(pixels).len()];
        pieces.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            let y = y as f32 + 0.5;
            let line = (y / self.side) as usize;
            // Columns begin 2 places left of the picture, and half of one further right or not.
            let lines = [line, line + 1, line + 2]
                .map(|line| (line * self.columns, 1.0 - stagger(line as i32)));
            for (x, piece) in row.iter_mut().enumerate() {
                *piece = self.piece_at(x as f32 + 0.5, y, lines);
            }
        });
        pieces
    }

    /// Lead is what is nearer than half its width to the line between the two nearest seeds, of
    /// three in each of three lines of places.
    #[inline]
    fn piece_at(&self, x: f32, y: f32, lines: [(usize, f32); 3]) -> u32 {
        let place = x * self.places;
        let mut nearest = (f32::INFINITY, 0);
        let mut second = nearest;
        // Three places in each of three lines: a seed is moved too little to be nearer from
        // further away.
        for (begin, shift) in lines {
            let first = begin + (place + shift) as usize;
            for (at, [seed_x, seed_y]) in (first..).zip(&self.seeds[first..first + 3]) {
                let (dx, dy) = (seed_x - x, seed_y - y);
                let squared = dx * dx + dy * dy;
                if squared < nearest.0 {
                    second = nearest;
                    nearest = (squared, at);
                } else if squared < second.0 {
                    second = (squared, at);
                }
            }
        }
        let (a, b) = (self.seeds[nearest.1], self.seeds[second.1]);
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        // Twice the distance between the seeds times that to the line between them.
        let to_line = second.0 - nearest.0;
        let is_lead = to_line * to_line < self.lead * self.lead * (dx * dx + dy * dy);
        if is_lead { NO_PIECE } else { nearest.1 as u32 }
    }

    /// The mean colour of each piece, transparent pixels weighing nothing.
    fn colors(&self, pixels: &Pixels, pieces: &[u32]) -> Vec<[u8; 3]> {
        let mut sums = vec![[0u64; 4]; self.seeds.len()];
        for (piece, [r, g, b, a]) in pieces.iter().zip(rows::of(pixels)) {
            let Some(sum) = sums.get_mut(*piece as usize) else { continue };
            let weight = u64::from(*a);
            for (sum, v) in sum.iter_mut().zip([*r, *g, *b, 1]) {
                *sum += u64::from(v) * weight;
            }
        }
        // Pixels that are more opaque count more; a piece of none at all is black.
        let means = sums.iter().map(|[r, g, b, total]| {
            [r, g, b].map(|sum| (sum + total / 2).checked_div(*total).unwrap_or(0) as u8)
        });
        means.collect()
    }
}

/// Every other row of places begins half a place further right.
fn stagger(line: i32) -> f32 {
    if line % 2 == 0 { 0.0 } else { 0.5 }
}

/// The light behind the middle of the picture.
struct Lamp {
    middle: [f32; 2],
    /// One over the squared distance from the middle to a corner.
    fading: f32,
    strength: f32,
}

impl Lamp {
    fn of(pixels: &Pixels, light: i32) -> Self {
        let middle = [pixels.width() as f32 / 2.0, pixels.height() as f32 / 2.0];
        let fading = 1.0 / (middle[0] * middle[0] + middle[1] * middle[1]);
        Self { middle, fading, strength: light as f32 * 0.06 }
    }

    /// The colour of glass with the light behind it.
    fn behind(&self, color: [u8; 3], x: usize, y: usize) -> [u8; 3] {
        let (dx, dy) = (x as f32 - self.middle[0], y as f32 - self.middle[1]);
        let white = self.strength * (1.0 - (dx * dx + dy * dy) * self.fading).max(0.0);
        color.map(|v| rows::sample(f32::from(v) + (255.0 - f32::from(v)) * white))
    }
}
