//! The vendored fonts: the two files of Inter.

use std::sync::{Arc, LazyLock};

use parley::FontData;
use parley::fontique::{Blob, Collection, CollectionOptions, FontInfoOverride, FontStyle};

use crate::base::{INTER_FILE, INTER_ITALIC_FILE};

/// What the engine calls the vendored Inter: no other font has this name.
pub(crate) const INTER: &str = "Pentimento Inter";
/// The upright Inter alone, for the few characters that the italic lacks.
pub(crate) const INTER_UPRIGHT: &str = "Pentimento Inter Upright";

/// The vendored upright font.
pub(crate) static UPRIGHT: LazyLock<FontData> = LazyLock::new(|| vendored(&INTER_FILE));
/// The vendored italic font.
pub(crate) static ITALIC: LazyLock<FontData> = LazyLock::new(|| vendored(&INTER_ITALIC_FILE));

/// The fonts as every engine begins with them.
pub(crate) static VENDORED: LazyLock<Collection> = LazyLock::new(|| {
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
