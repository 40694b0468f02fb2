//! What drawing needs beside the document.

use std::fmt;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::render::scene::combined::{Combinations, ShapeCache};
use crate::render::text::font::library::{FontSource, Fonts};
use crate::render::text::typesetter::Typesetter;

/// The fonts, and what is kept of earlier drawing only to be faster. Clones share both, on any number
/// of threads.
///
/// Nothing else comes in: no global, no environment variable, no setting of the machine. What is kept
/// follows from the document and the fonts alone, and the fonts do not change, so the same document
/// gives the same bytes whatever was drawn before, in any order and on any thread.
///
/// # Examples
///
/// ```
/// use pentimento_document::render::{FontSource, Fonts, RenderContext};
///
/// let same_everywhere = RenderContext::default();
/// assert_eq!(same_everywhere.fonts().source(), FontSource::Vendored);
/// let as_here = RenderContext::new(Fonts::new(FontSource::Machine));
/// ```
#[derive(Clone)]
pub struct RenderContext {
    fonts: Arc<Fonts>,
    /// Caches that no thread is using, the warmest last. There are never more than threads that drew
    /// at the same time, and each is bounded.
    idle: Arc<Mutex<Vec<ShapeCache>>>,
}

impl Default for RenderContext {
    /// With the vendored fonts alone.
    fn default() -> Self {
        Self::new(Fonts::default())
    }
}

impl fmt::Debug for RenderContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RenderContext").field("fonts", &self.fonts).finish_non_exhaustive()
    }
}

impl RenderContext {
    /// A context with these fonts and nothing kept yet.
    pub fn new(fonts: Fonts) -> Self {
        Self { fonts: Arc::new(fonts), idle: Arc::default() }
    }

    /// The fonts that texts are set in.
    pub fn fonts(&self) -> &Fonts {
        &self.fonts
    }

    /// Which fonts there are beside added ones.
    pub fn font_source(&self) -> FontSource {
        self.fonts.source()
    }

    /// Lets go of what is kept only to be faster.
    pub fn drop_caches(&self) {
        self.idle.lock().clear();
    }

    /// Works with caches that no other thread is using. What a panic leaves half done is not used
    /// again.
    pub(super) fn with_cache<T>(&self, work: impl FnOnce(&ShapeCache) -> T) -> T {
        let idle = self.idle.lock().pop();
        let cache = idle.unwrap_or_else(|| ShapeCache {
            typesetter: Typesetter::new(Arc::clone(&self.fonts)),
            combinations: Combinations::default(),
        });
        // The lock is not held here, so that threads draw at the same time.
        let result = work(&cache);
        self.idle.lock().push(cache);
        result
    }
}
