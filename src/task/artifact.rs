//! Reading what a task holds, when it is needed.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::base::{Limits, Pixels, PixelsError, Size, parse_json, read_file_limited};

use crate::environment::pictures_beside;

use super::error::TaskError;
use super::model::{Artifact, Task};

impl Task {
    /// The document the canvas holds at first, as Figma JSON; `None` if it begins empty.
    pub fn load_start_document(&self) -> Result<Option<Value>, TaskError> {
        document(self.start.as_ref())
    }

    /// The picture of the start state, as it is in its file.
    pub fn load_start_picture(&self) -> Result<Option<Pixels>, TaskError> {
        picture(self.start.as_ref())
    }

    /// The document of the ground truth, as Figma JSON. No agent may see it.
    pub fn load_ground_truth_document(&self) -> Result<Option<Value>, TaskError> {
        document(self.ground_truth.as_ref())
    }

    /// The picture of the ground truth, as it is in its file.
    pub fn load_ground_truth_picture(&self) -> Result<Option<Pixels>, TaskError> {
        picture(self.ground_truth.as_ref())
    }
}

impl Artifact {
    /// The folder with the pictures that the document's image paints name, if there is one.
    pub fn pictures_folder(&self) -> Option<PathBuf> {
        pictures_beside(self.document.as_deref()?)
    }

    /// The document, as Figma JSON; `None` if there is only a picture.
    pub fn load_document(&self) -> Result<Option<Value>, TaskError> {
        let Some(path) = self.document.as_deref() else { return Ok(None) };
        read_file_limited(path, Limits::JSON_BYTES)
            .and_then(|bytes| parse_json(&bytes))
            .map(Some)
            .map_err(TaskError::json(path))
    }
}

fn document(artifact: Option<&Artifact>) -> Result<Option<Value>, TaskError> {
    Ok(artifact.map(Artifact::load_document).transpose()?.flatten())
}

fn picture(artifact: Option<&Artifact>) -> Result<Option<Pixels>, TaskError> {
    let Some(path) = artifact.and_then(|artifact| artifact.picture.as_deref()) else {
        return Ok(None);
    };
    Pixels::open(path).map(Some).map_err(TaskError::picture(path))
}

/// Highest picture an agent is given, in pixels.
const MOST_HIGH: u32 = 1024;

/// The size of the main frame for a picture of so many pixels.
pub fn canvas_size_of_picture(width: u32, height: u32) -> Size {
    // A lower picture is never made larger: a unit of the canvas is then a pixel of it.
    if height <= MOST_HIGH {
        return Size::new(f64::from(width), f64::from(height));
    }
    let scaled = f64::from(width) * f64::from(MOST_HIGH) / f64::from(height);
    Size::new(scaled.round().max(1.0), f64::from(MOST_HIGH))
}

/// The size of the canvas for a picture file, by the published rule; only the header is read.
pub(super) fn canvas_size_of_file(path: &Path) -> Result<Size, TaskError> {
    let (width, height) =
        image::image_dimensions(path).map_err(|error| TaskError::picture(path)(error.into()))?;
    // A header can say what no picture has; the canvas would be made in that size.
    if width == 0 || height == 0 {
        return Err(TaskError::picture(path)(PixelsError::Empty { width, height }));
    }
    if width > Limits::IMAGE_SIDE || height > Limits::IMAGE_SIDE {
        return Err(TaskError::picture(path)(PixelsError::TooLarge { width, height }));
    }
    Ok(canvas_size_of_picture(width, height))
}

/// The size of the first frame of a design in Figma JSON, in any of the shapes it comes in.
pub(super) fn frame_size(design: &Value) -> Option<Size> {
    // The answer of `/files` has a document, that of `/nodes` one for each node that was asked for;
    // anything else is taken for a node by itself.
    let of_nodes = design["nodes"].as_object().and_then(|nodes| nodes.values().next());
    let mut node = match of_nodes {
        _ if design["document"].is_object() => &design["document"],
        Some(node) => &node["document"],
        None => design,
    };
    // A file is DOCUMENT › CANVAS › FRAME.
    for _ in 0..2 {
        if matches!(node["type"].as_str(), Some("DOCUMENT" | "CANVAS")) {
            node = node["children"].as_array()?.first()?;
        }
    }
    // The box is what the plugin's exports have; `size` is there only where geometry was asked for.
    let (bounds, size) = (&node["absoluteBoundingBox"], &node["size"]);
    let width = bounds["width"].as_f64().or_else(|| size["x"].as_f64())?;
    let height = bounds["height"].as_f64().or_else(|| size["y"].as_f64())?;
    let possible = 1.0..=f64::from(Limits::IMAGE_SIDE);
    (possible.contains(&width) && possible.contains(&height)).then(|| Size::new(width, height))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_frame_is_found_in_every_shape_of_figma_json() {
        let frame = json!({"type": "FRAME", "absoluteBoundingBox": {"width": 375, "height": 812}});
        let page = json!({"type": "CANVAS", "children": [frame]});
        let shapes = [
            frame.clone(),
            json!({"document": frame}),
            json!({"nodes": {"1:2": {"document": frame}}}),
            json!({"document": {"type": "DOCUMENT", "children": [page]}}),
        ];
        for shape in shapes {
            assert_eq!(frame_size(&shape), Some(Size::new(375.0, 812.0)), "{shape}");
        }
        assert_eq!(frame_size(&json!({"document": {"type": "FRAME"}})), None);
        assert_eq!(frame_size(&json!([1])), None);
    }
}
