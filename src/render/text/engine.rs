//! The vendored fonts and the shaping engine over them.

use std::cell::RefCell;
use std::sync::{Arc, LazyLock};

use parley::fontique::{Blob, Collection, CollectionOptions, FontInfoOverride, FontStyle};
use parley::{FontContext, LayoutContext};

/// The family every text is set in.
pub(super) const FAMILY: &str = "Inter";

/// Inter 4.001, variable over optical size (14..=32) and weight (100..=900).
pub(super) static UPRIGHT: &[u8] =
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/fonts/InterVariable.ttf"));
/// The italic of the same.
pub(super) static ITALIC: &[u8] =
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/fonts/InterVariable-Italic.ttf"));

/// The fonts as every thread's engine begins with them.
static FONTS: LazyLock<Collection> = LazyLock::new(|| {
    let mut fonts = Collection::new(CollectionOptions { shared: false, system_fonts: false });
    register(&mut fonts, UPRIGHT, FontStyle::Normal);
    register(&mut fonts, ITALIC, FontStyle::Italic);
    fonts
});

fn register(fonts: &mut Collection, file: &'static [u8], style: FontStyle) {
    let named = FontInfoOverride {
        family_name: Some(FAMILY),
        style: Some(style),
        ..FontInfoOverride::default()
    };
    fonts.register_fonts(Blob::new(Arc::new(file)), Some(named));
}

/// What shaping needs beside the text. The brush of a style is the key of its override, 0 for none.
pub(super) struct Engine {
    pub(super) fonts: FontContext,
    pub(super) scratch: LayoutContext<u32>,
}

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::new(Engine {
        fonts: FontContext { collection: FONTS.clone(), ..FontContext::default() },
        scratch: LayoutContext::new(),
    });
}

/// Runs `work` with this thread's engine. Not to be nested.
pub(super) fn with<T>(work: impl FnOnce(&mut Engine) -> T) -> T {
    ENGINE.with_borrow_mut(work)
}
