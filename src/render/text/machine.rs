//! The fonts of this machine, looked for only when a text needs one that is not vendored.
//!
//! With `PENTIMENTO_FONTS=vendored` in the environment none are found: every picture then is the same
//! on every machine.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex, PoisonError, RwLock, RwLockReadGuard};

use fontdb::{Database, Family, ID, Query, Source, Stretch, Style, Weight};
use parley::FontData;
use parley::fontique::Blob;
use skrifa::{FontRef, GlyphId, MetadataProvider as _};

use crate::base::read_file_limited;

use super::color;
use super::engine::{ITALIC, UPRIGHT};
use super::glyph;

/// No font is larger; Noto Sans CJK with all its weights has some 100 MB.
const LARGEST_FILE: u64 = 256 << 20;

/// A font of the machine.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MachineFace {
    /// A name for this font alone.
    pub(super) id: String,
    pub(super) font: FontData,
}

#[derive(Default)]
struct Machine {
    fonts: Database,
    /// Names of families by their lower-case form.
    families: BTreeMap<String, String>,
    /// What was used is held until the program ends.
    loaded: Mutex<HashMap<ID, Option<Arc<MachineFace>>>>,
    files: Mutex<HashMap<PathBuf, Blob<u8>>>,
    /// Families of what was loaded, by file and number in it.
    names: Mutex<BTreeMap<(u64, u32), String>>,
}

static MACHINE: LazyLock<RwLock<Machine>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    if std::env::var_os("PENTIMENTO_FONTS").is_none_or(|choice| choice != "vendored") {
        fonts.load_system_fonts();
    }
    RwLock::new(Machine::new(fonts))
});

fn machine() -> RwLockReadGuard<'static, Machine> {
    MACHINE.read().unwrap_or_else(PoisonError::into_inner)
}

/// Adds the fonts of a file; gives their families, none if it holds no font.
pub(super) fn add(file: Vec<u8>) -> Vec<String> {
    let mut machine = MACHINE.write().unwrap_or_else(PoisonError::into_inner);
    machine.add(file)
}

/// The font of `family` that is nearest to this weight and slant, if the machine has the family.
pub(super) fn face(family: &str, weight: f32, is_italic: bool) -> Option<Arc<MachineFace>> {
    machine().face(family, weight, is_italic)
}

/// Whether the machine's `family` has a glyph that can be drawn for every one of `characters`.
pub(super) fn covers(family: &str, characters: &[char]) -> bool {
    machine().covers(family, characters)
}

/// The families whose names begin with `start`, in order.
pub(super) fn families_from(start: &str) -> Vec<String> {
    let start = start.to_lowercase();
    let machine = machine();
    let from = machine.families.range(start.clone()..);
    from.take_while(|(name, _)| name.starts_with(&start)).map(|(_, name)| name.clone()).collect()
}

/// The family of `font`, if it is one that [`face`] gave.
pub(super) fn family_of(font: &FontData) -> Option<String> {
    if *font == *UPRIGHT || *font == *ITALIC {
        return None;
    }
    let machine = machine();
    let names = machine.names.lock().unwrap_or_else(PoisonError::into_inner);
    names.get(&(font.data.id(), font.index)).cloned()
}

impl Machine {
    fn new(fonts: Database) -> Self {
        let mut families = BTreeMap::new();
        for (name, _) in fonts.faces().flat_map(|face| &face.families) {
            families.entry(name.to_lowercase()).or_insert_with(|| name.clone());
        }
        Self { fonts, families, ..Self::default() }
    }

    fn add(&mut self, file: Vec<u8>) -> Vec<String> {
        let mut added: Vec<String> = Vec::new();
        for id in self.fonts.load_font_source(Source::Binary(Arc::new(file))) {
            let face = self.fonts.face(id);
            let names = face.into_iter().flat_map(|face| &face.families);
            for (name, _) in names {
                self.families.entry(name.to_lowercase()).or_insert_with(|| name.clone());
                if !added.contains(name) {
                    added.push(name.clone());
                }
            }
        }
        added
    }

    fn find(&self, family: &str, weight: f32, is_italic: bool) -> Option<ID> {
        let name = self.families.get(&family.trim().to_lowercase())?;
        self.fonts.query(&Query {
            families: &[Family::Name(name)],
            weight: Weight(weight as u16),
            stretch: Stretch::Normal,
            style: if is_italic { Style::Italic } else { Style::Normal },
        })
    }

    fn face(&self, family: &str, weight: f32, is_italic: bool) -> Option<Arc<MachineFace>> {
        let id = self.find(family, weight, is_italic)?;
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        loaded.entry(id).or_insert_with(|| self.load(id).map(Arc::new)).clone()
    }

    fn load(&self, id: ID) -> Option<MachineFace> {
        let info = self.fonts.face(id)?;
        let (family, _) = info.families.first()?;
        let font = FontData::new(self.blob(&info.source)?, info.index);
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        names.insert((font.data.id(), font.index), family.clone());
        Some(MachineFace { id: format!("{family} of the machine, {id}"), font })
    }

    fn blob(&self, source: &Source) -> Option<Blob<u8>> {
        let path = match source {
            Source::Binary(data) => {
                return Some(Blob::new(Arc::new(data.as_ref().as_ref().to_vec())));
            }
            Source::File(path) | Source::SharedFile(path, _) => path,
        };
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = files.get(path) {
            return Some(known.clone());
        }
        let blob = Blob::new(Arc::new(read_file_limited(path, LARGEST_FILE).ok()?));
        files.insert(path.clone(), blob.clone());
        Some(blob)
    }

    fn covers(&self, family: &str, characters: &[char]) -> bool {
        let Some(id) = self.find(family, 400.0, false) else { return false };
        let has_all = |data: &[u8], index: u32| {
            FontRef::from_index(data, index).is_ok_and(|font| {
                let map = font.charmap();
                let glyph = |character: &char| map.map(*character);
                characters.iter().all(|c| glyph(c).is_some_and(|id| can_be_drawn(&font, id)))
            })
        };
        self.fonts.with_face_data(id, has_all).unwrap_or(false)
    }
}

/// Whether the glyph has an outline, layers of colour or a picture. Glyphs of the `SVG` table have
/// none, or an empty outline.
fn can_be_drawn(font: &FontRef<'_>, id: GlyphId) -> bool {
    color::has_colors(font, id) || glyph::draw_outline(font, &[], id).is_some()
}
