//! A picture or a design from a file.

use std::path::Path;

use anyhow::Context as _;
use serde::Serialize;
use serde_json::Value;

use crate::base::{Limits, Pixels, parse_json, read_file_limited};
use crate::environment::{
    FALLBACK_CANVAS, PictureRequest, StartState, open_environment, pictures_beside,
};
use crate::worker::ComparedSide;

/// What was compared, in JSON.
#[derive(Debug, Serialize)]
pub(super) struct SideJson {
    path: String,
    /// `picture` or `design`.
    kind: &'static str,
    /// Of the picture, or of the design drawn at scale 1; null if it cannot be drawn.
    width: Option<u32>,
    height: Option<u32>,
    /// Nodes of a design.
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<usize>,
}

impl SideJson {
    /// What was read from this file.
    pub(super) fn new(path: &Path, side: &ComparedSide) -> Self {
        Self {
            path: path.display().to_string(),
            kind: if side.design.is_some() { "design" } else { "picture" },
            width: side.picture.as_ref().map(Pixels::width),
            height: side.picture.as_ref().map(Pixels::height),
            nodes: side.design.as_ref().map(crate::design::Document::len),
        }
    }
}

/// Reads a file; what it holds, not its name, says whether it is a picture. The error names the file
/// and its part.
pub(super) fn open(path: &Path, part: &str) -> anyhow::Result<ComparedSide> {
    let shown = || format!("{part} cannot be opened: {}", path.display());
    let bytes = read_file_limited(path, Limits::IMAGE_BYTES).with_context(shown)?;
    if looks_like_json(path, &bytes) {
        let json: Value = parse_json(&bytes).with_context(shown)?;
        return design(json, path).with_context(shown);
    }
    let picture = Pixels::decode(&bytes).with_context(shown)?;
    let no_design = Some("a picture was given, not a design".to_owned());
    Ok(ComparedSide { picture: Some(picture), no_design, ..ComparedSide::default() })
}

/// A file that is called JSON is to be told what is wrong with its JSON.
fn looks_like_json(path: &Path, bytes: &[u8]) -> bool {
    let named = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    named || matches!(first, Some(b'{' | b'[' | 0xEF))
}

/// A design as the canvas opens it, with the pictures beside its file, drawn at scale 1.
fn design(json: Value, path: &Path) -> anyhow::Result<ComparedSide> {
    let environment = open_environment(&StartState {
        environment: "canvas".to_owned(),
        canvas_size: FALLBACK_CANVAS,
        document: Some(json),
        pictures: pictures_beside(path),
        compat: None,
    })?;
    let mut side = ComparedSide { design: environment.design(), ..ComparedSide::default() };
    match environment.picture(&PictureRequest::default()) {
        Ok(picture) => side.picture = Some(picture.pixels),
        Err(error) => side.no_picture = Some(format!("the design cannot be drawn: {error}")),
    }
    Ok(side)
}
