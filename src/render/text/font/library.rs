//! The fonts that texts are set in beside the vendored ones: those of this machine where they are
//! asked for, and those that a document brings.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use fontdb::{Database, Family, ID, Query, Source, Stretch, Style, Weight};
use parking_lot::Mutex;
use parley::FontData;
use parley::fontique::Blob;
use serde::{Deserialize, Serialize};
use skrifa::{FontRef, MetadataProvider as _};

use crate::base::read_file_limited;

use super::fallback::{self, Han};
use super::vendored::{ITALIC, UPRIGHT};
use super::{collection, glyph_forms};

/// No font is larger; Noto Sans CJK with all its weights has some 100 MB.
const LARGEST_FILE: u64 = 256 << 20;

/// Which fonts a text may be set in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FontSource {
    /// The vendored Inter alone: the same picture on every machine.
    #[default]
    Vendored,
    /// Also the fonts of this machine, for the families that a document names and for the characters
    /// that Inter lacks: another machine may show another picture.
    Machine,
}

impl FontSource {
    /// Both, the default first.
    pub const ALL: [Self; 2] = [Self::Vendored, Self::Machine];

    /// What run files, settings and the command line call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vendored => "vendored",
            Self::Machine => "machine",
        }
    }

    /// The source of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|source| source.name() == name)
    }
}

/// The bytes of a font, shared.
pub type FontFile = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// The fonts of one [`RenderContext`](crate::render::RenderContext): Inter, always; the machine's, if
/// so chosen; and what was [added](Self::add). They do not change any more once they are in use, so
/// that no text is set otherwise after another one than before it.
#[derive(Default)]
pub struct Fonts {
    source: FontSource,
    /// Files of fonts that were brought along.
    added: Vec<Arc<Vec<u8>>>,
    /// Looked for when the first text needs more than Inter.
    library: OnceLock<Library>,
}

impl fmt::Debug for Fonts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fonts")
            .field("source", &self.source)
            .field("added", &self.added.len())
            .finish_non_exhaustive()
    }
}

impl Fonts {
    /// The fonts of a source. Nothing is looked for yet.
    pub fn new(source: FontSource) -> Self {
        Self { source, ..Self::default() }
    }

    /// Which fonts there are beside those that were added.
    pub fn source(&self) -> FontSource {
        self.source
    }

    /// Adds the fonts of a file (TrueType, OpenType or a collection of them), as if the machine had
    /// them: for documents that bring their fonts. Gives the names of their families; none if the
    /// file holds no font.
    pub fn add(&mut self, file: Vec<u8>) -> Vec<String> {
        let file = Arc::new(file);
        let mut names: Vec<String> = Vec::new();
        let mut database = Database::new();
        database.load_font_source(Source::Binary(file.clone()));
        for (name, _) in database.faces().flat_map(|face| &face.families) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        if !names.is_empty() {
            self.added.push(file);
            // What was looked for before does not know of these fonts.
            self.library = OnceLock::new();
        }
        names
    }

    /// The families that texts are drawn in here, by name: those of the machine, where they are used, and those that
    /// were added; before them Inter, if it is not among them. A text of any other family is drawn in Inter.
    pub fn families(&self) -> Vec<String> {
        let more = self.library().into_iter().flat_map(|library| library.families.values());
        let mut families: Vec<String> = more.cloned().collect();
        if !families.iter().any(|family| family == "Inter") {
            families.insert(0, "Inter".to_owned());
        }
        families
    }

    /// Whether texts of a family are drawn in it, and not in Inter in its place.
    pub fn has(&self, family: &str) -> bool {
        let name = family.trim().to_lowercase();
        INTERS.contains(&name.as_str())
            || self.library().is_some_and(|library| library.families.contains_key(&name))
    }

    /// The font of `family` that is nearest to this weight and slant, if there is the family.
    pub(crate) fn face(
        &self,
        family: &str,
        weight: f32,
        is_italic: bool,
    ) -> Option<Arc<LibraryFace>> {
        self.library()?.face(family, weight, is_italic)
    }

    /// The family of `font`, if it is one that [`Self::face`] gave.
    pub(crate) fn family_of(&self, font: &FontData) -> Option<String> {
        // Inter is always there: it is no family that another machine might lack.
        if *font == *UPRIGHT || *font == *ITALIC {
            return None;
        }
        let names = &self.library()?.names;
        names.lock().get(&font.data.id()).cloned()
    }

    /// The family that sets a character which Inter lacks, in order of preference; see [`fallback`].
    pub(crate) fn fallback_family(&self, character: char, han: Han) -> Option<String> {
        let library = self.library()?;
        let mut known = library.fallbacks.lock();
        if known.len() >= KNOWN_CHARACTERS {
            known.clear();
        }
        let found =
            known.entry((character, han)).or_insert_with(|| library.fallback(character, han));
        found.clone()
    }

    /// A font for a character that Inter lacks, if one of these has a form of it that is an outline: its name and a
    /// file of it alone. For texts that are set by others.
    pub fn outlines_of(&self, character: char) -> Option<(String, FontFile)> {
        let family = self.fallback_family(character, Han::of(""))?;
        let face = self.face(&family, 400.0, false)?;
        let file = face.font.data.data();
        let font = FontRef::new(file).ok()?;
        let glyph = font.charmap().map(character)?;
        font.outline_glyphs().get(glyph)?;
        Some((family, Arc::new(face.font.data.clone())))
    }

    /// Fonts for the letters of a text that Inter lacks, each once: [`Self::outlines_of`].
    pub fn outlines_for(&self, text: &str) -> Vec<FontFile> {
        let letters: BTreeSet<char> = beside_inter(text).collect();
        let mut families = BTreeMap::new();
        for (family, file) in letters.into_iter().filter_map(|letter| self.outlines_of(letter)) {
            families.entry(family).or_insert(file);
        }
        families.into_values().collect()
    }

    /// The letters of a text that no font at hand has, each once, in their order: they are drawn as boxes.
    pub fn missing(&self, text: &str) -> Vec<char> {
        let han = Han::of(text);
        let mut missing = Vec::new();
        for letter in beside_inter(text) {
            if !missing.contains(&letter) && self.fallback_family(letter, han).is_none() {
                missing.push(letter);
            }
        }
        missing
    }

    /// `None` if there is nothing but Inter.
    fn library(&self) -> Option<&Library> {
        if self.source == FontSource::Vendored && self.added.is_empty() {
            return None;
        }
        Some(self.library.get_or_init(|| {
            let mut fonts = Database::new();
            if self.source == FontSource::Machine {
                fonts.load_system_fonts();
            }
            for file in &self.added {
                fonts.load_font_source(Source::Binary(file.clone()));
            }
            Library::new(fonts)
        }))
    }
}

/// The letters of a text that Inter lacks.
fn beside_inter(text: &str) -> impl Iterator<Item = char> {
    // Texts may be long, and most of one is of letters that need no look at a font.
    let others = text.chars().filter(|letter| !letter.is_ascii());
    others.filter(|letter| fallback::is_shown(*letter) && !fallback::inter_has(*letter))
}

/// What the vendored Inter is called, which is there everywhere.
const INTERS: [&str; 3] = ["inter", "inter variable", "inter display"];

/// Characters whose font is remembered.
const KNOWN_CHARACTERS: usize = 100_000;

/// A font beside Inter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LibraryFace {
    /// A name for this font alone.
    pub(crate) id: String,
    /// A file of this font alone.
    pub(crate) font: FontData,
}

/// The fonts there are beside Inter. What it remembers follows from them alone.
#[derive(Default)]
struct Library {
    fonts: Database,
    /// Names of families by their lower-case form.
    families: BTreeMap<String, String>,
    /// What was used is held as long as the library.
    loaded: Mutex<HashMap<ID, Option<Arc<LibraryFace>>>>,
    files: Mutex<HashMap<PathBuf, Blob<u8>>>,
    /// Families of what was loaded, by the data.
    names: Mutex<HashMap<u64, String>>,
    fallbacks: Mutex<HashMap<(char, Han), Option<String>>>,
}

impl Library {
    fn new(fonts: Database) -> Self {
        let mut families = BTreeMap::new();
        for (name, _) in fonts.faces().flat_map(|face| &face.families) {
            // Two fonts may write one name in other letters: the first of them counts.
            families.entry(name.to_lowercase()).or_insert_with(|| name.clone());
        }
        Self { fonts, families, ..Self::default() }
    }

    /// The families whose names begin with `start`, in order.
    fn families_from(&self, start: &str) -> impl Iterator<Item = String> {
        let start = start.to_lowercase();
        let from = self.families.range(start.clone()..);
        from.take_while(move |(name, _)| name.starts_with(&start)).map(|(_, name)| name.clone())
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

    fn face(&self, family: &str, weight: f32, is_italic: bool) -> Option<Arc<LibraryFace>> {
        let id = self.find(family, weight, is_italic)?;
        let mut loaded = self.loaded.lock();
        loaded.entry(id).or_insert_with(|| self.load(id).map(Arc::new)).clone()
    }

    fn load(&self, id: ID) -> Option<LibraryFace> {
        let info = self.fonts.face(id)?;
        let (family, _) = info.families.first()?;
        let blob = self.blob(&info.source)?;
        // A file of its own for every font of a collection; see there why.
        let blob = match collection::member(blob.data(), info.index) {
            Some(file) => Blob::new(Arc::new(file)),
            None => blob,
        };
        let font = FontData::new(blob, 0);
        let mut names = self.names.lock();
        names.insert(font.data.id(), family.clone());
        Some(LibraryFace { id: format!("{family} of the library, {id}"), font })
    }

    fn blob(&self, source: &Source) -> Option<Blob<u8>> {
        let path = match source {
            Source::Binary(data) => {
                return Some(Blob::new(Arc::new(data.as_ref().as_ref().to_vec())));
            }
            Source::File(path) | Source::SharedFile(path, _) => path,
        };
        let mut files = self.files.lock();
        if let Some(known) = files.get(path) {
            return Some(known.clone());
        }
        let blob = Blob::new(Arc::new(read_file_limited(path, LARGEST_FILE).ok()?));
        files.insert(path.clone(), blob.clone());
        Some(blob)
    }

    /// The family that sets `character`: a preferred one, else any that has it.
    fn fallback(&self, character: char, han: Han) -> Option<String> {
        let has = |family: &String| self.covers(family, character);
        fallback::preferred(character, han).map(str::to_owned).find(has).or_else(|| {
            let others = ["noto sans ", "noto serif ", ""];
            others.into_iter().flat_map(|start| self.families_from(start)).find(has)
        })
    }

    /// Whether `family` has a glyph of `character` that can be drawn.
    fn covers(&self, family: &str, character: char) -> bool {
        let Some(id) = self.find(family, 400.0, false) else { return false };
        // A font may map a character to a glyph that is only in its `SVG` table, or empty.
        let has_it = self.fonts.with_face_data(id, |data, index| {
            FontRef::from_index(data, index).is_ok_and(|font| {
                font.charmap().map(character).is_some_and(|id| glyph_forms::can_be_drawn(&font, id))
            })
        });
        has_it.unwrap_or(false)
    }
}
