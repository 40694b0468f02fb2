//! The eleven adjustments and filters. Each is put on a layer and done when the layer is drawn, so
//! that the layer stays what it is: words stay words.

use crate::raster::filter::{Filter, Tint};

use super::scene::Scene;
use crate::environment::suite::action_kind::Kind;
use crate::environment::suite::action_result::ActionResult;
use crate::environment::suite::failure::{Failure, shorten};
use crate::environment::suite::parameters::Given;

/// Most filters on one layer.
const MOST_FILTERS: usize = 16;

pub(super) fn filter(scene: &mut Scene<'_>, given: &Given) -> Result<ActionResult, Failure> {
    let at = scene.find(given, Kind::Any)?;
    let filter = of(given)?;
    let name = shorten(given.layer()?);
    let mut count = 0;
    if let Some(layer) = scene.state.need_mut(given.expert)?.layer_mut(at) {
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

fn of(given: &Given) -> Result<Filter, Failure> {
    let whole = |name: &str| given.whole(name);
    Ok(match given.action.name {
        "AdjustBC" => Filter::BrightnessContrast {
            brightness: whole("brightness")?,
            contrast: whole("contrast")?,
        },
        "AdjustBW" => Filter::BlackAndWhite,
        "AdjustHSL" => Filter::HueSaturationLightness {
            hue: whole("hue")?,
            saturation: whole("saturation")?,
            light: whole("light")?,
        },
        "BlurObject" => Filter::Blur { amount: whole("blurAmount")? },
        "PhotoFilter" => Filter::Photo { tint: tint(given)?, density: whole("density")? },
        "GlassFilter" => Filter::Glass {
            distortion: whole("distortion")?,
            smoothness: whole("smoothness")?,
            scaling: whole("scaling")?,
        },
        "GlowFilter" => Filter::Glow {
            graininess: whole("graininess")?,
            glow: whole("glowAmount")?,
            clear: whole("clearAmount")?,
        },
        "OceanRippleFilter" => {
            Filter::OceanRipple { size: whole("rippleSize")?, magnitude: whole("rippleMagnitude")? }
        }
        "StainedGlassFilter" => Filter::StainedGlass {
            cell: whole("cellSize")?,
            border: whole("borderThickness")?,
            light: whole("lightIntensity")?,
        },
        "PatchworkFilter" => {
            Filter::Patchwork { square: whole("squareSize")?, relief: whole("relief")? }
        }
        _ => Filter::Watercolor {
            detail: whole("brushDetail")?,
            shadow: whole("shadowIntensity")?,
            texture: whole("texture")?,
        },
    })
}

fn tint(given: &Given) -> Result<Tint, Failure> {
    let asked = given.text("filterType")?;
    Tint::named(asked).ok_or_else(|| {
        let names = Tint::names().collect::<Vec<_>>().join(", ");
        let asked = shorten(asked);
        Failure::OutOfRange(format!("there is no photo filter {asked:?}; there are {names}"))
    })
}
