//! Pictures that image paints show.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::base::Pixels;

/// Pictures by the name that [`ImagePaint::image_ref`](super::ImagePaint::image_ref) gives them.
///
/// Cloning is cheap. Pictures are only ever added: the same name always means the same picture, so
/// that undoing a change need not touch them.
#[derive(Clone, Debug, Default)]
pub struct Images(Arc<BTreeMap<String, Arc<Pixels>>>);

impl Images {
    /// The picture of this name.
    pub fn get(&self, image_ref: &str) -> Option<&Arc<Pixels>> {
        self.0.get(image_ref)
    }

    /// Adds a picture, unless there is one of that name.
    pub fn add(&mut self, image_ref: impl Into<String>, picture: Arc<Pixels>) {
        Arc::make_mut(&mut self.0).entry(image_ref.into()).or_insert(picture);
    }

    /// Adds all of another's pictures, but those whose names are taken.
    pub(super) fn add_all(&mut self, other: &Self) {
        // The table itself is shared: most documents take the pictures of one other.
        if self.is_empty() {
            self.0 = Arc::clone(&other.0);
            return;
        }
        // Pixels are shared: only names are copied.
        for (image_ref, picture) in &*other.0 {
            self.add(image_ref.as_str(), Arc::clone(picture));
        }
    }

    /// Whether the two are known to be the same, by their pointers.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
