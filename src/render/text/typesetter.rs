//! The vendored fonts, and what texts are set with.

use std::cell::{RefCell, RefMut};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock};

use parley::fontique::{Blob, Collection, CollectionOptions, FontInfoOverride, FontStyle};
use parley::{FontContext, FontData, LayoutContext};
use skrifa::GlyphId;
use tiny_skia::Path;

use super::color::ColorCache;
use super::face::Face;
use super::fonts::{Fonts, LibraryFace};
use super::glyph;
use super::typeset::Typesets;

/// What the engine calls the vendored Inter: no other font has this name.
pub(super) const INTER: &str = "Pentimento Inter";
/// The upright Inter alone, for the few characters that the italic lacks.
pub(super) const INTER_UPRIGHT: &str = "Pentimento Inter Upright";

/// Inter 4.001, variable over optical size (14..=32) and weight (100..=900).
pub(super) static UPRIGHT_FILE: &[u8] =
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/fonts/InterVariable.ttf"));
/// The italic of the same.
static ITALIC_FILE: &[u8] =
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/fonts/InterVariable-Italic.ttf"));

/// The vendored upright font.
pub(super) static UPRIGHT: LazyLock<FontData> = LazyLock::new(|| vendored(UPRIGHT_FILE));
/// The vendored italic font.
pub(super) static ITALIC: LazyLock<FontData> = LazyLock::new(|| vendored(ITALIC_FILE));

/// The fonts as every engine begins with them.
static VENDORED: LazyLock<Collection> = LazyLock::new(|| {
    let mut fonts = Collection::new(CollectionOptions { shared: false, system_fonts: false });
    register(&mut fonts, INTER, &UPRIGHT, FontStyle::Normal);
    register(&mut fonts, INTER, &ITALIC, FontStyle::Italic);
    register(&mut fonts, INTER_UPRIGHT, &UPRIGHT, FontStyle::Normal);
    fonts
});

fn vendored(file: &'static [u8]) -> FontData {
    FontData::new(Blob::new(Arc::new(file)), 0)
}

fn register(fonts: &mut Collection, name: &str, font: &FontData, style: FontStyle) {
    let named = FontInfoOverride {
        family_name: Some(name),
        style: Some(style),
        ..FontInfoOverride::default()
    };
    fonts.register_fonts(font.data.clone(), Some(named));
}

/// Outlines of glyphs kept in memory; some 2 kB each.
const KEPT_OUTLINES: usize = 4096;

/// What texts are set with: the fonts, the shaping engine over them, and what is kept of earlier
/// texts only to be faster. Whatever it set before, it sets a text in the same way.
///
/// It is for one thread at a time; a [`RenderContext`](crate::render::RenderContext) has one for each.
pub(in crate::render) struct Typesetter {
    fonts: Arc<Fonts>,
    engine: RefCell<Engine>,
    pub(super) texts: RefCell<Typesets>,
    outlines: RefCell<HashMap<GlyphKey, Option<Arc<Path>>>>,
    pub(super) color: RefCell<ColorCache>,
}

/// A glyph by its font, place on the variation axes, and number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct GlyphKey {
    font: (u64, u32),
    coords: Vec<i16>,
    id: u32,
}

impl GlyphKey {
    pub(super) fn new(face: &Face, id: u32) -> Self {
        let font = (face.font.data.id(), face.font.index);
        Self { font, coords: face.coords.clone(), id }
    }
}

impl fmt::Debug for Typesetter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Typesetter").field("fonts", &self.fonts).finish_non_exhaustive()
    }
}

impl Typesetter {
    pub(in crate::render) fn new(fonts: Arc<Fonts>) -> Self {
        Self {
            fonts,
            engine: RefCell::new(Engine {
                fonts: FontContext { collection: VENDORED.clone(), ..FontContext::default() },
                scratch: LayoutContext::new(),
                registered: HashMap::new(),
            }),
            texts: RefCell::default(),
            outlines: RefCell::default(),
            color: RefCell::default(),
        }
    }

    pub(super) fn fonts(&self) -> &Fonts {
        &self.fonts
    }

    /// The shaping engine. Not to be nested.
    pub(super) fn engine(&self) -> RefMut<'_, Engine> {
        self.engine.borrow_mut()
    }

    /// The outline of glyph `id` in font units, y up; `None` if it is empty.
    pub(super) fn outline(&self, face: &Face, id: u32) -> Option<Arc<Path>> {
        let key = GlyphKey::new(face, id);
        let mut outlines = self.outlines.borrow_mut();
        if let Some(known) = outlines.get(&key) {
            return known.clone();
        }
        if outlines.len() >= KEPT_OUTLINES {
            outlines.clear();
        }
        let font = face.font();
        let drawn =
            font.and_then(|font| glyph::draw_outline(&font, &face.coords(), GlyphId::new(id)));
        let drawn = drawn.map(Arc::new);
        outlines.insert(key, drawn.clone());
        drawn
    }
}

/// What shaping needs beside the text. The brush of a style is its index.
pub(super) struct Engine {
    pub(super) fonts: FontContext,
    pub(super) scratch: LayoutContext<u32>,
    /// What the fonts beside Inter that were registered are called here.
    registered: HashMap<String, Option<String>>,
}

impl Engine {
    /// The family name under which `face` can be asked for; `None` if it is no font after all.
    pub(super) fn name_of(&mut self, face: &LibraryFace) -> Option<String> {
        if let Some(known) = self.registered.get(&face.id) {
            return known.clone();
        }
        let name = self.register(face);
        self.registered.insert(face.id.clone(), name.clone());
        name
    }

    fn register(&mut self, face: &LibraryFace) -> Option<String> {
        let collection = &mut self.fonts.collection;
        let named =
            FontInfoOverride { family_name: Some(face.id.as_str()), ..FontInfoOverride::default() };
        let families = collection.register_fonts(face.font.data.clone(), Some(named));
        let (family, _) = families.first()?;
        collection.family_name(*family).map(str::to_owned)
    }
}
