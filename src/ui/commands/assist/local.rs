//! What the room in which people design by hand does by itself.

/// Something that concerns only what the window shows of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AssistLocal {
    /// Zoom in about the middle.
    ZoomIn,
    /// Zoom out about the middle.
    ZoomOut,
    /// So many hundredths of a point a unit of the page.
    ZoomTo(u16),
    /// All of the frame.
    Fit,
    /// All that is selected.
    FitSelection,
    /// All of the next frame on the page.
    NextFrame,
    /// All of the frame before.
    PreviousFrame,
    /// Fold all layers in the tree.
    FoldLayers,
    /// Put the cursor into the field that narrows the tree.
    SearchLayers,
    /// Type over the name of the selected layer.
    RenameLayer,
    /// Show the list of components and styles, or the tree of layers.
    ShowAssets,
    /// Ask for a picture that is put where the canvas is looked at.
    PlacePicture,
    /// Show another part of the selected picture in its box.
    CropPicture,
    /// Ask how far arrow keys move what is selected.
    NudgeAmount,
}
