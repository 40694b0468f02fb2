//! Argument shapes that several tools share, and reading them.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::base::{Limits, Rgba};
use crate::design::Paint;

use super::error::ToolError;

/// Smallest width or height of a new node, as Figma has it.
const SMALLEST_SIDE: f64 = 0.01;

/// A colour as the tools take it; opaque where `a` is left out.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Color {
    r: f64,
    g: f64,
    b: f64,
    a: Option<f64>,
}

impl Color {
    /// The colour.
    pub(super) fn rgba(self) -> Rgba {
        Rgba::new(self.r, self.g, self.b, self.a.unwrap_or(1.0))
    }

    /// A paint of the colour.
    pub(super) fn paint(self) -> Paint {
        Paint::solid(self.rgba())
    }
}

/// The arguments of a tool, which the schema has found good.
pub(super) fn read<T: DeserializeOwned>(arguments: Value) -> Result<T, ToolError> {
    serde_json::from_value(arguments).map_err(|e| ToolError::BadArguments(e.to_string()))
}

/// Refuses a side that no node can have. The schemas of the creation tools have no minimum, but
/// Figma does.
pub(super) fn check_side(name: &str, side: f64) -> Result<(), ToolError> {
    if (SMALLEST_SIDE..=Limits::COORDINATE).contains(&side) {
        return Ok(());
    }
    Err(ToolError::BadArguments(format!("{name}: must be at least {SMALLEST_SIDE}, got {side}")))
}

/// Refuses a font size that no text can have: Figma's least is 1.
pub(super) fn check_font_size(size: f64) -> Result<(), ToolError> {
    const LARGEST: f64 = 10_000.0;
    if (1.0..=LARGEST).contains(&size) {
        return Ok(());
    }
    Err(ToolError::BadArguments(format!("fontSize: must be within 1 and {LARGEST}, got {size}")))
}
