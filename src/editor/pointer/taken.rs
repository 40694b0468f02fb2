//! What a press came to.

/// What a press came to.
#[derive(Debug)]
pub(in crate::editor) enum Taken<T> {
    /// It is not about drawing: who moves and resizes goes on.
    NotDrawing,
    /// It did what there was to do.
    Done,
    /// It took hold of this.
    Held(T),
}

impl<T> Taken<T> {
    /// The same of what holds what it took hold of.
    pub(super) fn map<U>(self, into: impl FnOnce(T) -> U) -> Taken<U> {
        match self {
            Self::NotDrawing => Taken::NotDrawing,
            Self::Done => Taken::Done,
            Self::Held(held) => Taken::Held(into(held)),
        }
    }
}
