//! The eleven adjustments and filters. Each is put on a layer and done when the layer is drawn, so
//! that the layer stays what it is: words stay words.

use crate::raster::filter::{Filter, Tint};

use super::scene::Scene;
use crate::environment::suite::action_kind::TargetLayers;
use crate::environment::suite::action_result::ActionResult;
use crate::environment::suite::failure::{Failure, shorten};
use crate::environment::suite::parameters::CheckedCall;

/// Most filters on one layer.
const MOST_FILTERS: usize = 16;

pub(super) fn filter(scene: &mut Scene<'_>, given: &CheckedCall) -> Result<ActionResult, Failure> {
    let at = scene.find(given, TargetLayers::Any)?;
    let filter = of(given)?;
    let name = shorten(given.layer()?);
    let mut count = 0;
    if let Some(layer) = scene.state.need_mut(given.expert)?.layer_mut(at) {
        // Each is done over all pixels whenever the layer is drawn anew.
        if layer.filters.len() >= MOST_FILTERS {
            let message = format!("{name:?} has {MOST_FILTERS} filters already");
            return Err(Failure::TooLarge(message));
        }
        layer.filters.push(filter);
        count = layer.filters.len();
    }
    let text = format!("Put {} on {name:?}, its filter number {count}", given.action.name);
    Ok(ActionResult::new(text).with("filters", count))
}

fn of(given: &CheckedCall) -> Result<Filter, Failure> {
    Ok(match given.action.name {
        "AdjustBC" => Filter::BrightnessContrast {
            brightness: given.whole("brightness")?,
            contrast: given.whole("contrast")?,
        },
        "AdjustBW" => Filter::BlackAndWhite,
        "AdjustHSL" => Filter::HueSaturationLightness {
            hue: given.whole("hue")?,
            saturation: given.whole("saturation")?,
            light: given.whole("light")?,
        },
        "BlurObject" => Filter::Blur { amount: given.whole("blurAmount")? },
        "PhotoFilter" => Filter::Photo { tint: tint(given)?, density: given.whole("density")? },
        "GlassFilter" => Filter::Glass {
            distortion: given.whole("distortion")?,
            smoothness: given.whole("smoothness")?,
            scaling: given.whole("scaling")?,
        },
        "GlowFilter" => Filter::Glow {
            graininess: given.whole("graininess")?,
            glow: given.whole("glowAmount")?,
            clear: given.whole("clearAmount")?,
        },
        "OceanRippleFilter" => Filter::OceanRipple {
            size: given.whole("rippleSize")?,
            magnitude: given.whole("rippleMagnitude")?,
        },
        "StainedGlassFilter" => Filter::StainedGlass {
            cell: given.whole("cellSize")?,
            border: given.whole("borderThickness")?,
            light: given.whole("lightIntensity")?,
        },
        "PatchworkFilter" => {
            Filter::Patchwork { square: given.whole("squareSize")?, relief: given.whole("relief")? }
        }
        _ => Filter::Watercolor {
            detail: given.whole("brushDetail")?,
            shadow: given.whole("shadowIntensity")?,
            texture: given.whole("texture")?,
        },
    })
}

fn tint(given: &CheckedCall) -> Result<Tint, Failure> {
    let asked = given.text("filterType")?;
    Tint::named(asked).ok_or_else(|| {
        let names = Tint::names().collect::<Vec<_>>().join(", ");
        let asked = shorten(asked);
        Failure::OutOfRange(format!("there is no photo filter {asked:?}; there are {names}"))
    })
}
