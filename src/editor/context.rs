//! What the editor is told by whoever has it.

use crate::design::Measure;

/// What acts are worked out with.
#[derive(Clone, Copy)]
pub struct EditorContext<'a> {
    /// How large texts are.
    pub measure: &'a dyn Measure,
}

impl std::fmt::Debug for EditorContext<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EditorContext").finish_non_exhaustive()
    }
}
