//! The letters of Inter: widths and forms, at size 1.

use std::sync::LazyLock;

use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, MetadataProvider as _};
use tiny_skia::{Path, PathBuilder, Transform};

use crate::agent::tracer::draft::TextRun;
use crate::base::INTER_FILE;

/// Height of a capital letter, of the size.
pub(in crate::agent::tracer) const CAP_HEIGHT: f32 = 1490.0 / 2048.0;
/// Height of an x, of the size.
pub(in crate::agent::tracer) const X_HEIGHT: f32 = 1118.0 / 2048.0;
/// How far the top of a line's box is above its letters' feet, of the size.
pub(in crate::agent::tracer) const ASCENT: f32 = 1984.0 / 2048.0;
/// How far the bottom of a line's box is below its letters' feet, of the size.
pub(in crate::agent::tracer) const DESCENT: f32 = 494.0 / 2048.0;

/// The characters that can be read.
const READABLE: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789\
    .,:;!?'\"-–−()/&@#$%+*=<>_[]|•·€£°©…’× ";

/// Characters that stand higher between digits and capitals, and by how much, of the size: Inter puts
/// their other forms there (its feature `calt`).
const RAISED: [(char, f32); 7] = [
    (':', 219.0 / 2048.0),
    ('-', 115.0 / 2048.0),
    ('–', 115.0 / 2048.0),
    ('−', 115.0 / 2048.0),
    ('+', 115.0 / 2048.0),
    ('(', 94.0 / 2048.0),
    (')', 94.0 / 2048.0),
];

/// A letter form.
#[derive(Clone, Debug)]
pub(in crate::agent::tracer) struct Glyph {
    /// Which character.
    pub(in crate::agent::tracer) character: char,
    /// How far the pen moves.
    pub(in crate::agent::tracer) advance: f32,
    /// Its form about the pen, y down; `None` for a space.
    pub(in crate::agent::tracer) path: Option<Path>,
}

/// Inter at one weight.
#[derive(Clone, Debug, Default)]
pub(in crate::agent::tracer) struct Face {
    /// Every readable character the font has.
    pub(in crate::agent::tracer) glyphs: Vec<Glyph>,
}

static FACES: LazyLock<Vec<Face>> =
    LazyLock::new(|| (1..=9).map(|hundreds| load(f32::from(hundreds as u8) * 100.0)).collect());

/// Inter at `weight`, 100..=900 in hundreds.
pub(in crate::agent::tracer) fn face(weight: u16) -> &'static Face {
    &FACES[usize::from(weight.clamp(100, 900) / 100) - 1]
}

impl Face {
    /// The form that a character has beside these; `None` if it cannot be read.
    fn glyph_between(
        &self,
        character: char,
        before: Option<char>,
        after: Option<char>,
    ) -> Option<&Glyph> {
        let mut forms = self.glyphs.iter().filter(|glyph| glyph.character == character);
        let usual = forms.next()?;
        let raised = forms.next().filter(|_| is_raised(character, before, after));
        Some(raised.unwrap_or(usual))
    }

    /// The usual form of a character; `None` if it cannot be read.
    pub(in crate::agent::tracer) fn glyph(&self, character: char) -> Option<&Glyph> {
        self.glyphs.iter().find(|g| g.character == character)
    }
}

/// A font that cannot be read has no letters; nothing is then taken for text.
fn load(weight: f32) -> Face {
    let Ok(font) = FontRef::new(&INTER_FILE) else { return Face::default() };
    let location = font.axes().location([("wght", weight)]);
    let glyphs = READABLE.chars().filter_map(|c| load_glyph(&font, (&location).into(), c));
    let mut glyphs: Vec<Glyph> = glyphs.collect();
    // After all others: a character is found in its usual form.
    let raised = RAISED.iter().filter_map(|(character, by)| {
        let usual = glyphs.iter().find(|glyph| glyph.character == *character)?;
        let path = usual.path.clone()?.transform(Transform::from_translate(0.0, -by));
        Some(Glyph { path, ..usual.clone() })
    });
    let raised: Vec<Glyph> = raised.collect();
    glyphs.extend(raised);
    Face { glyphs }
}

fn is_tall(character: Option<char>) -> bool {
    character.is_some_and(|c| c.is_ascii_digit() || c.is_uppercase())
}

/// Whether a character stands higher beside these: digits and capitals, perhaps past a space.
fn is_raised(character: char, before: Option<char>, after: Option<char>) -> bool {
    match character {
        ':' => is_tall(before) && is_tall(after),
        '(' => is_tall(after),
        ')' => is_tall(before),
        _ => is_tall(before) || is_tall(after),
    }
}

fn load_glyph(font: &FontRef<'_>, location: LocationRef<'_>, character: char) -> Option<Glyph> {
    let id = font.charmap().map(character)?;
    let units = f32::from(font.metrics(Size::unscaled(), location).units_per_em);
    let advance = font.glyph_metrics(Size::unscaled(), location).advance_width(id)? / units;
    let mut pen = Pen { builder: PathBuilder::new(), units };
    let outline = font.outline_glyphs().get(id)?;
    outline.draw(DrawSettings::unhinted(Size::unscaled(), location), &mut pen).ok()?;
    Some(Glyph { character, advance, path: pen.builder.finish() })
}

/// Takes outlines in font units, y up, to size 1, y down.
struct Pen {
    builder: PathBuilder,
    units: f32,
}

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.builder.move_to(x / self.units, -y / self.units);
    }
    fn line_to(&mut self, x: f32, y: f32) {
        self.builder.line_to(x / self.units, -y / self.units);
    }
    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        let u = self.units;
        self.builder.quad_to(cx / u, -cy / u, x / u, -y / u);
    }
    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        let u = self.units;
        self.builder.cubic_to(ax / u, -ay / u, bx / u, -by / u, x / u, -y / u);
    }
    fn close(&mut self) {
        self.builder.close();
    }
}

/// How far the pen moves over a text, in pixels, the spacing after the last character left out.
pub(in crate::agent::tracer) fn run_width(run: &TextRun) -> f32 {
    let face = face(run.weight);
    let advances = run.content.chars().filter_map(|c| face.glyph(c)).map(|g| g.advance * run.size);
    // Characters that the font does not have are not drawn, and take no room.
    let (sum, count) = advances.fold((0.0, 0), |(sum, count), a| (sum + a, count + 1));
    sum + run.spacing * (count - 1).max(0) as f32
}

/// The form of a line of text, where it stands.
pub(in crate::agent::tracer) fn run_path(run: &TextRun) -> Option<Path> {
    let face = face(run.weight);
    let (mut builder, mut pen_x) = (PathBuilder::new(), run.left);
    let letters: Vec<char> = run.content.chars().collect();
    for (at, character) in letters.iter().enumerate() {
        let before = letters[..at].iter().rev().copied().find(|c| *c != ' ');
        let after = letters[at + 1..].iter().copied().find(|c| *c != ' ');
        let Some(glyph) = face.glyph_between(*character, before, after) else { continue };
        // Letters are of size 1 about the pen: one form for all sizes and places.
        let place = Transform::from_row(run.size, 0.0, 0.0, run.size, pen_x, run.baseline);
        if let Some(path) = glyph.path.clone().and_then(|p| p.transform(place)) {
            builder.push_path(&path);
        }
        pen_x += glyph.advance * run.size + run.spacing;
    }
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weight_has_every_readable_character() {
        for weight in (100..=900).step_by(100) {
            let forms = READABLE.chars().count() + RAISED.len();
            assert_eq!(face(weight).glyphs.len(), forms, "weight {weight}");
        }
    }

    #[test]
    fn a_capital_stands_on_the_baseline_and_reaches_the_cap_height() {
        let bounds = face(400).glyph('H').unwrap().path.as_ref().unwrap().bounds();
        assert!((bounds.bottom()).abs() < 0.01 && (bounds.top() + CAP_HEIGHT).abs() < 0.01);
        let x = face(400).glyph('x').unwrap().path.as_ref().unwrap().bounds();
        assert!((x.top() + X_HEIGHT).abs() < 0.01);
    }

    #[test]
    fn bolder_letters_are_wider() {
        let [regular, bold] = [400, 700].map(|weight| {
            let (content, size) = ("Payment".to_owned(), 20.0);
            run_width(&TextRun { content, size, weight, spacing: 0.0, left: 0.0, baseline: 20.0 })
        });
        assert!(bold > regular);
    }
}
