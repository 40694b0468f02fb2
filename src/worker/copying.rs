//! Writing layers as something that other programs read from the clipboard.

use crate::design::figma;
use crate::editor::{CarryLimits, carry_pictures};
use crate::render::svg::{SvgOptions, export_page};
use crate::render::{RenderOptions, all_render_bounds, render_page};
use crate::workbench::protocol::{CopyNews, CopyOrder};
use crate::workbench::{CopiedForm, CopyForm};

/// Writes them.
pub(super) fn copy(order: &CopyOrder) -> CopyNews {
    let desk = order.desk;
    match written(order) {
        Ok((form, left_out)) => CopyNews { desk, result: Ok(form), left_out },
        Err(why) => CopyNews { desk, result: Err(why), left_out: 0 },
    }
}

/// What is copied, and how many pictures there was no room for.
fn written(order: &CopyOrder) -> Result<(CopiedForm, usize), String> {
    let CopyOrder { document, render, .. } = order;
    match order.form {
        CopyForm::Png { scale } => {
            // The protocol promises this range, and nothing else holds a caller to it.
            let scale = f64::from(scale.clamp(1, 4));
            let options = RenderOptions { scale, ..RenderOptions::default() };
            let drawn = render_page(render, document, options);
            Ok((CopiedForm::Picture(drawn.map_err(|error| error.to_string())?.pixels), 0))
        }
        CopyForm::Svg => {
            let exported = export_page(render, document, SvgOptions::default());
            Ok((CopiedForm::Text(exported.map_err(|error| error.to_string())?.svg.into()), 0))
        }
        CopyForm::Json => {
            // Figma's files say how far a node is drawn, which only whoever draws it knows.
            let mut json = figma::to_json_with(document, &all_render_bounds(render, document));
            let left_out = carry_pictures(&mut json, document, CarryLimits::ALL);
            let text = serde_json::to_string_pretty(&json).map_err(|error| error.to_string())?;
            Ok((CopiedForm::Text(text.into()), left_out))
        }
    }
}
