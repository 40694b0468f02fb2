//! Pictures that were made, kept by their content, so that drawing a page again is fast.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::base::Pixels;
use crate::render::RenderContext;

/// Most pixels of all pictures kept: 240 MB.
const KEPT_PIXELS: u64 = 60_000_000;

/// Pictures by their content, and what they are drawn with.
#[derive(Debug)]
pub(super) struct RasterCache {
    pub(super) render: RenderContext,
    cached: Mutex<CachedPictures>,
}

#[derive(Debug, Default)]
struct CachedPictures {
    pictures: BTreeMap<String, (u64, Arc<Pixels>)>,
    pixels: u64,
    clock: u64,
}

impl RasterCache {
    pub(super) fn new(render: RenderContext) -> Self {
        Self { render, cached: Mutex::default() }
    }

    /// The picture of this name, if it is still cached.
    pub(super) fn known(&self, key: &str) -> Option<Arc<Pixels>> {
        let mut cached = self.cached.lock();
        cached.clock += 1;
        let now = cached.clock;
        let (used, pixels) = cached.pictures.get_mut(key)?;
        *used = now;
        Some(Arc::clone(pixels))
    }

    /// Keeps a picture; those used longest ago go where there are too many pixels.
    pub(super) fn keep(&self, key: &str, pixels: &Arc<Pixels>) {
        let mut cached = self.cached.lock();
        cached.clock += 1;
        let now = cached.clock;
        if cached.pictures.insert(key.to_owned(), (now, Arc::clone(pixels))).is_none() {
            cached.pixels += area(pixels);
        }
        while cached.pixels > KEPT_PIXELS && cached.pictures.len() > 1 {
            // The one used longest ago; the one just kept is never it.
            let oldest = cached.pictures.iter().min_by_key(|(_, (used, _))| *used);
            let Some(oldest) = oldest.map(|(key, _)| key.clone()) else { break };
            let gone = cached.pictures.remove(&oldest).map_or(0, |(_, pixels)| area(&pixels));
            cached.pixels -= gone;
        }
    }
}

fn area(pixels: &Pixels) -> u64 {
    u64::from(pixels.width()) * u64::from(pixels.height())
}
