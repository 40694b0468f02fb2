//! What all layers have: an outline, an opacity, an end.

use crate::base::Rect;

use super::Scene;
use crate::environment::suite::action_kind::Kind;
use crate::environment::suite::action_result::ActionResult;
use crate::environment::suite::failure::{Failure, shorten};
use crate::environment::suite::layer::Content;
use crate::environment::suite::parameters::Given;
use crate::environment::suite::text_layer::Outline;

/// The place of the layer that an action is about, which must be of the action's kind.
pub(super) fn find(scene: &Scene<'_>, given: &Given, kind: Kind) -> Result<usize, Failure> {
    let name = given.layer()?;
    let (at, layer) = scene.state.layer(given.expert, name)?;
    if kind.takes(layer) { Ok(at) } else { Err(wrong(name, layer.kind(), kind)) }
}

/// The layer is of a kind that cannot take it.
pub(super) fn wrong(name: &str, is: &str, wanted: Kind) -> Failure {
    let (shown, wanted) = (shorten(name), wanted.name());
    Failure::WrongLayer(format!("the layer {shown:?} is a {is}, and this is for a {wanted}"))
}

pub(super) fn outline(
    scene: &mut Scene<'_>,
    given: &Given,
    kind: Kind,
) -> Result<ActionResult, Failure> {
    let at = find(scene, given, kind)?;
    let outline = Outline { width: given.number("strokeWidth")?, color: given.color()? };
    if !(0.0..=1000.0).contains(&outline.width) {
        let message = format!("strokeWidth must be within 0 and 1000, not {}", outline.width);
        return Err(Failure::OutOfRange(message));
    }
    let sheet = scene.state.need_mut(given.expert)?;
    match sheet.layer_mut(at).map(|layer| &mut layer.content) {
        Some(Content::Text(text)) => text.stroke = Some(outline),
        Some(Content::Drawing(drawing)) => drawing.stroke = Some(outline),
        Some(Content::Object(_)) | None => return Err(wrong(given.layer()?, "object", kind)),
    }
    let (name, width, color) = (shorten(given.layer()?), outline.width, outline.color.to_hex());
    Ok(ActionResult::new(format!("{name:?} has an outline of {width} points, {color}")))
}

pub(super) fn opacity(
    scene: &mut Scene<'_>,
    given: &Given,
    kind: Kind,
) -> Result<ActionResult, Failure> {
    let at = find(scene, given, kind)?;
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
    given: &Given,
    kind: Kind,
) -> Result<ActionResult, Failure> {
    let at = find(scene, given, kind)?;
    scene.state.need_mut(given.expert)?.remove(at);
    Ok(ActionResult::new(format!("Removed {:?}", shorten(given.layer()?))))
}

/// How much of a box is on a page of this box: 0..=1; 1 for a box without extent that is on it.
pub(super) fn share_on_page(bounds: Rect, page: Rect) -> f64 {
    let Some(common) = bounds.intersection(page) else {
        let is_on = page.contains(bounds.center());
        return if is_on { 1.0 } else { 0.0 };
    };
    if bounds.area() > 0.0 { common.area() / bounds.area() } else { 1.0 }
}
