//! Writing layers as something that other programs read from the clipboard.

use crate::design::figma;
use crate::editor::{CarryLimits, carry_pictures};
use crate::render::svg::{SvgOptions, export_page};
use crate::render::{RenderOptions, all_render_bounds, render_page};
use crate::workbench::protocol::{CopyNews, CopyOrder};
use crate::workbench::{CopiedForm, CopyForm};

/// Writes them.
pub(super) fn copy(order: &CopyOrder) -> CopyNews {
    let mut left_out = 0;
    let result = written(order, &mut left_out);
    CopyNews { desk: order.desk, result, left_out }
}

/// It, and how many pictures there was no room for.
fn written(order: &CopyOrder, left_out: &mut usize) -> Result<CopiedForm, String> {
    let CopyOrder { document, render, .. } = order;
    match order.form {
        CopyForm::Png { scale } => {
            // The protocol promises this range, and nothing else holds a caller to it.
            let scale = f64::from(scale.clamp(1, 4));
            let options = RenderOptions { scale, ..RenderOptions::default() };
            let drawn = render_page(render, document, options);
            Ok(CopiedForm::Picture(drawn.map_err(|error| error.to_string())?.pixels))
        }
        CopyForm::Svg => {
            let exported = export_page(render, document, SvgOptions::default());
            Ok(CopiedForm::Text(exported.map_err(|error| error.to_string())?.svg.into()))
        }
        CopyForm::Json => {
            // Figma's files say how far a node is drawn, which only whoever draws it knows.
            let mut json = figma::to_json_with(document, &all_render_bounds(render, document));
            *left_out = carry_pictures(&mut json, document, CarryLimits::ALL);
            let text = serde_json::to_string_pretty(&json).map_err(|error| error.to_string())?;
            Ok(CopiedForm::Text(text.into()))
        }
    }
}
