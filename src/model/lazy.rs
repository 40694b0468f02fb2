//! A model that is loaded when it is first needed.

use std::fmt;
use std::sync::OnceLock;

use crate::metric::MissingScore;

use super::ModelError;

/// A model that is loaded when it is first needed; if that fails, the reason is kept.
pub(super) struct Lazy<T> {
    load: Box<dyn Fn() -> Result<T, ModelError> + Send + Sync>,
    loaded: OnceLock<Result<T, MissingScore>>,
}

impl<T> Lazy<T> {
    pub(super) fn new(load: impl Fn() -> Result<T, ModelError> + Send + Sync + 'static) -> Self {
        Self { load: Box::new(load), loaded: OnceLock::new() }
    }

    /// The model, or why there is none.
    pub(super) fn get(&self) -> Result<&T, MissingScore> {
        let load = || (self.load)().map_err(MissingScore::from);
        self.loaded.get_or_init(load).as_ref().map_err(Clone::clone)
    }
}

impl<T> fmt::Debug for Lazy<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match self.loaded.get() {
            None => "not loaded",
            Some(Ok(_)) => "loaded",
            Some(Err(_)) => "failed to load",
        };
        f.write_str(state)
    }
}
