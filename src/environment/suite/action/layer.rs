//! What all layers have: an outline, an opacity, an end.

use super::scene::{Scene, wrong_kind};
use crate::environment::suite::action_kind::TargetLayers;
use crate::environment::suite::action_result::ActionResult;
use crate::environment::suite::document::Content;
use crate::environment::suite::failure::{Failure, shorten};
use crate::environment::suite::parameters::CheckedCall;
use crate::environment::suite::text_layer::StrokeStyle;

pub(super) fn outline(
    scene: &mut Scene<'_>,
    given: &CheckedCall,
    kind: TargetLayers,
) -> Result<ActionResult, Failure> {
    let at = scene.find(given, kind)?;
    let outline = StrokeStyle { width: given.number("strokeWidth")?, color: given.color()? };
    // Not every table of actions has a range for it.
    if !(0.0..=1000.0).contains(&outline.width) {
        let message = format!("strokeWidth must be within 0 and 1000, not {}", outline.width);
        return Err(Failure::OutOfRange(message));
    }
    let document = scene.state.need_mut(given.expert)?;
    match document.layer_mut(at).map(|layer| &mut layer.content) {
        Some(Content::Text(text)) => text.stroke = Some(outline),
        Some(Content::Drawing(drawing)) => drawing.stroke = Some(outline),
        Some(Content::Object(_)) | None => return Err(wrong_kind(given.layer()?, "object", kind)),
    }
    let (name, width, color) = (shorten(given.layer()?), outline.width, outline.color.to_hex());
    Ok(ActionResult::new(format!("{name:?} has an outline of {width} points, {color}")))
}

pub(super) fn opacity(
    scene: &mut Scene<'_>,
    given: &CheckedCall,
    kind: TargetLayers,
) -> Result<ActionResult, Failure> {
    let at = scene.find(given, kind)?;
    let percent = given.number("opacity")?;
    if let Some(layer) = scene.state.need_mut(given.expert)?.layer_mut(at) {
        layer.opacity = percent.clamp(0.0, 100.0);
    }
    let note = (percent <= 0.0).then(|| "nothing of it can be seen".to_owned());
    let text = format!("{:?} is {percent} % opaque", shorten(given.layer()?));
    Ok(ActionResult::new(text).with_warning(note))
}

pub(super) fn remove(
    scene: &mut Scene<'_>,
    given: &CheckedCall,
    kind: TargetLayers,
) -> Result<ActionResult, Failure> {
    let at = scene.find(given, kind)?;
    scene.state.need_mut(given.expert)?.remove(at);
    Ok(ActionResult::new(format!("Removed {:?}", shorten(given.layer()?))))
}
