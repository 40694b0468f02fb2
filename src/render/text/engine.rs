//! The vendored fonts and the shaping engine over them.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use parley::fontique::{Blob, Collection, CollectionOptions, FontInfoOverride, FontStyle};
use parley::{FontContext, FontData, LayoutContext};

use super::machine::MachineFace;

/// What the engine calls the vendored Inter: no font of the machine has this name.
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

/// The fonts as every thread's engine begins with them.
static FONTS: LazyLock<Collection> = LazyLock::new(|| {
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

/// What shaping needs beside the text. The brush of a style is its index.
pub(super) struct Engine {
    pub(super) fonts: FontContext,
    pub(super) scratch: LayoutContext<u32>,
    /// What the fonts of the machine that were registered are called here.
    registered: HashMap<String, Option<String>>,
}

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::new(Engine {
        fonts: FontContext { collection: FONTS.clone(), ..FontContext::default() },
        scratch: LayoutContext::new(),
        registered: HashMap::new(),
    });
}

/// Runs `work` with this thread's engine. Not to be nested.
pub(super) fn with<T>(work: impl FnOnce(&mut Engine) -> T) -> T {
    ENGINE.with_borrow_mut(work)
}

impl Engine {
    /// The family name under which `face` can be asked for; `None` if it is no font after all.
    pub(super) fn name_of(&mut self, face: &MachineFace) -> Option<String> {
        if let Some(known) = self.registered.get(&face.id) {
            return known.clone();
        }
        let name = self.register(face);
        self.registered.insert(face.id.clone(), name.clone());
        name
    }

    /// A file of one font gets a name of ours; of a collection, only the fonts' own names tell them
    /// apart.
    fn register(&mut self, face: &MachineFace) -> Option<String> {
        let collection = &mut self.fonts.collection;
        let is_collection = face.font.data.data().starts_with(b"ttcf");
        let own_name =
            FontInfoOverride { family_name: Some(face.id.as_str()), ..FontInfoOverride::default() };
        let named = (!is_collection).then_some(own_name);
        let families = collection.register_fonts(face.font.data.clone(), named);
        let of_face = |(_, fonts): &&(_, Vec<parley::fontique::FontInfo>)| {
            fonts.iter().any(|font| font.index() == face.font.index)
        };
        let (family, _) = families.iter().find(of_face)?;
        collection.family_name(*family).map(str::to_owned)
    }
}
