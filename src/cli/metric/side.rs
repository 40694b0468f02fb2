//! A picture or a design from a file.

use std::path::Path;

use anyhow::Context as _;
use serde::Serialize;
use serde_json::Value;

use crate::base::{Limits, Pixels, parse_json, read_file_limited};
use crate::cli::environments::environments;
use crate::environment::canvas::HandTools;
use crate::environment::{
    EnvironmentKind, FALLBACK_CANVAS, FontSource, PictureRequest, StartState, pictures_beside,
};
use crate::evaluate::ComparedSide;

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

/// Reads a file; what it holds says whether it is a picture, unless it is named as JSON. The error
/// names the file and what it is for: `part`, followed by `picture` or `design`.
pub(super) fn open(path: &Path, part: &str) -> anyhow::Result<ComparedSide> {
    // By its name too, so that a broken design is told of as one.
    let is_named_json = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("json"));
    let mut kind = if is_named_json { "design" } else { "picture" };
    let opened = read_file_limited(path, Limits::IMAGE_BYTES).map_err(anyhow::Error::from);
    let opened = opened.and_then(|bytes| {
        // No picture begins with a bracket: its first byte is of a signature.
        let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
        if is_named_json || matches!(first, Some(b'{' | b'[')) {
            kind = "design";
            return design(parse_json(&bytes)?, path);
        }
        Ok(ComparedSide {
            picture: Some(Pixels::decode(&bytes)?),
            no_design: Some("a picture was given, not a design".to_owned()),
            ..ComparedSide::default()
        })
    });
    opened.with_context(|| format!("{part} {kind} cannot be opened: {}", path.display()))
}

/// A design as the canvas opens it, with the pictures beside its file, drawn at scale 1.
fn design(json: Value, path: &Path) -> anyhow::Result<ComparedSide> {
    let environment = environments().open(&StartState {
        environment: EnvironmentKind::Canvas,
        canvas_size: FALLBACK_CANVAS,
        document: Some(json),
        pictures: pictures_beside(path),
        given: Vec::new(),
        compat: None,
        hands: HandTools::default(),
        fonts: FontSource::default(),
    })?;
    // A design that cannot be drawn still has its components to be compared.
    let mut side = ComparedSide { design: environment.design(), ..ComparedSide::default() };
    match environment.picture(&PictureRequest::default()) {
        Ok(picture) => side.picture = Some(picture.pixels),
        Err(error) => side.no_picture = Some(format!("the design cannot be drawn: {error}")),
    }
    Ok(side)
}
