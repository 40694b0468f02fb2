//! Texts: making them, and how their letters look.

use crate::base::Size;
use crate::render::RenderContext;

use super::scene::{Scene, wrong_kind};
use crate::environment::suite::action_kind::{TargetLayers, TextChange};
use crate::environment::suite::action_result::ActionResult;
use crate::environment::suite::document::{Content, SuiteDocument};
use crate::environment::suite::failure::{Failure, shorten};
use crate::environment::suite::font::Font;
use crate::environment::suite::parameters::CheckedCall;
use crate::environment::suite::text_layer::{Alignment, TextLayer};

/// Sizes of letters that can be set, in points.
const SIZES: std::ops::RangeInclusive<f64> = 0.1..=2000.0;

pub(super) fn make(scene: &mut Scene<'_>, given: &CheckedCall) -> Result<ActionResult, Failure> {
    let page = scene.state.need(given.expert)?.size;
    let (name, words) = (given.layer()?, given.text("textString")?);
    // Plans write the two characters where they mean the end of a line.
    let text = TextLayer::new(scene.render, words.replace("\\n", "\n"), page);
    let bounds = text.place.bounds();
    // An empty text is a layer like any other, and can be filled by no action: it is said.
    let empty = text.characters.trim().is_empty();
    let again = scene.add(given.expert, name, Content::Text(text))?;
    let done =
        ActionResult::new(format!("Made the text {:?}: {:?}", shorten(name), shorten(words)));
    let done = done.with_box(bounds).with_warning(again);
    Ok(done.with_warning(empty.then(|| "the text is empty".to_owned())))
}

pub(super) fn change(
    scene: &mut Scene<'_>,
    given: &CheckedCall,
    change: TextChange,
) -> Result<ActionResult, Failure> {
    let at = scene.find(given, TargetLayers::Text)?;
    let name = given.layer()?;
    // It is the document's order that changes, not the text.
    if change == TextChange::Arrange {
        return arrange(scene.state.need_mut(given.expert)?, at, given);
    }
    let render = scene.render;
    let document = scene.state.need_mut(given.expert)?;
    let page = document.size;
    let (what, note) =
        with_text(document, at, name, |text| apply(text, given, change, (render, page)))??;
    let bounds = document.layers.get(at).map(|layer| layer.bounds()).unwrap_or_default();
    Ok(ActionResult::new(format!("The text {:?} {what}", shorten(name)))
        .with_box(bounds)
        .with_warning(note))
}

/// Works on the text of a layer.
fn with_text<T>(
    document: &mut SuiteDocument,
    at: usize,
    name: &str,
    work: impl FnOnce(&mut TextLayer) -> T,
) -> Result<T, Failure> {
    match document.layer_mut(at).map(|layer| &mut layer.content) {
        Some(Content::Text(text)) => Ok(work(text)),
        _ => Err(Failure::WrongLayer(format!("{:?} is no text", shorten(name)))),
    }
}

/// Changes a text; says what it does now, and what to mind.
fn apply(
    text: &mut TextLayer,
    given: &CheckedCall,
    change: TextChange,
    (render, page): (&RenderContext, Size),
) -> Result<(String, Option<String>), Failure> {
    let said = match change {
        TextChange::Align => {
            let word = given.text("alignment")?;
            let unknown =
                || Failure::OutOfRange("alignment must be one of left, center, right".to_owned());
            text.alignment = Alignment::from_word(word).ok_or_else(unknown)?;
            (format!("is aligned to the {}", word.trim().to_lowercase()), None)
        }
        TextChange::Font => {
            text.font = Font::named(given.text("fontName")?);
            let font = format!("{} {}", shorten(&text.font.family), text.font.style());
            // Said as well where another family stands in for it.
            (format!("is in {font}"), text.font.note())
        }
        TextChange::Color => {
            text.color = given.color()?;
            (format!("is {}", text.color.to_hex()), None)
        }
        TextChange::Size => {
            let size = given.number("fontSize")?;
            if !SIZES.contains(&size) {
                let (least, most) = (SIZES.start(), SIZES.end());
                let message = format!("fontSize must be within {least} and {most}, not {size}");
                return Err(Failure::OutOfRange(message));
            }
            text.font_size = size;
            (format!("has {size} points"), None)
        }
        TextChange::Arrange => return Err(Failure::WrongLayer("cannot be arranged".to_owned())),
    };
    // Another font or size takes other room, and its lines break elsewhere.
    text.settle(render, page);
    Ok(said)
}

fn arrange(
    document: &mut SuiteDocument,
    at: usize,
    given: &CheckedCall,
) -> Result<ActionResult, Failure> {
    let (name, word) = (given.layer()?, given.text("arrangement")?.trim().to_lowercase());
    // From the bottom up, as layers are kept.
    let top = document.layers.len().saturating_sub(1);
    let to = match word.as_str() {
        "front" => top,
        "frontward" | "forward" => (at + 1).min(top),
        "backward" => at.saturating_sub(1),
        "back" => 0,
        _ => {
            let message = "arrangement must be one of front, frontward, backward, back";
            return Err(Failure::OutOfRange(message.to_owned()));
        }
    };
    if at < document.layers.len() {
        let layer = document.layers.remove(at);
        document.layers.insert(to, layer);
        document.is_saved = false;
    }
    // No failure: the text lies where it was asked to.
    let note = (to == at).then(|| "it was there already".to_owned());
    let text =
        format!("The text {:?} is number {} of {} from the back", shorten(name), to + 1, top + 1);
    Ok(ActionResult::new(text).with("place", to + 1).with_warning(note))
}

pub(super) fn tell_font(
    scene: &mut Scene<'_>,
    given: &CheckedCall,
) -> Result<ActionResult, Failure> {
    let at = scene.find(given, TargetLayers::Text)?;
    let name = given.layer()?;
    let layer = scene.state.need(given.expert)?.layers.get(at);
    let Some(Content::Text(text)) = layer.map(|layer| &layer.content) else {
        return Err(wrong_kind(name, "", TargetLayers::Text));
    };
    let (font, size) = (&text.font, text.font_size);
    let said = format!(
        "The text {:?} is in {} {}, {size} points, {}; asked for was {:?}",
        shorten(name),
        shorten(&font.family),
        font.style(),
        text.color.to_hex(),
        shorten(&font.asked)
    );
    let done =
        ActionResult::new(said).with("family", font.family.clone()).with("style", font.style());
    let done = done.with("fontName", font.asked.clone());
    Ok(done.with("size", size).with("color", text.color.to_hex()))
}
