//! Opening documents, and the colour of their page.

use crate::base::{Rgba, Size};
use crate::graphictown::Expert;

use super::scene::Scene;
use crate::environment::suite::action_result::ActionResult;
use crate::environment::suite::compat::Compat;
use crate::environment::suite::document::SuiteDocument;
use crate::environment::suite::failure::{Failure, shorten};
use crate::environment::suite::parameters::CheckedCall;
use crate::environment::suite::preset;

pub(super) fn open_typed(
    scene: &mut Scene<'_>,
    given: &CheckedCall,
) -> Result<ActionResult, Failure> {
    let asked = given.text("docType")?;
    let found = preset::find(asked, scene.compat);
    let (title, size) = found.ok_or_else(|| {
        let known = preset::names(scene.compat);
        let asked = shorten(asked);
        Failure::OutOfRange(format!("there is no document type {asked:?}; there are {known}"))
    })?;
    Ok(open(scene, given.expert, SuiteDocument::new(title, size, paper(given.expert))))
}

pub(super) fn open_sized(
    scene: &mut Scene<'_>,
    given: &CheckedCall,
) -> Result<ActionResult, Failure> {
    let size = Size::new(given.number("width")?, given.number("height")?);
    if let Some(why) = preset::why_no_page(size) {
        return Err(Failure::OutOfRange(why));
    }
    // Its script calls the program's own resizing where a document is open.
    let resizes = scene.compat == Compat::GraphicBench && given.expert == Expert::PhotoEditor;
    if resizes && let Ok(document) = scene.state.need_mut(given.expert) {
        return Ok(resize_page(document, size));
    }
    // Said and not mended: the table has points, and a stamp of 30 points is possible.
    let inches = size.width < 30.0 && size.height < 30.0;
    let note = "the size is in points: a page this small is hardly meant (inches are 72 points)";
    let done = open(scene, given.expert, SuiteDocument::new("custom", size, paper(given.expert)));
    Ok(done.with_warning(inches.then(|| note.to_owned())))
}

/// What a new page has: pixels are white, paper is see-through.
fn paper(expert: Expert) -> Option<Rgba> {
    (expert == Expert::PhotoEditor).then_some(Rgba::WHITE)
}

fn open(scene: &mut Scene<'_>, expert: Expert, document: SuiteDocument) -> ActionResult {
    let Size { width, height } = document.size;
    let text = format!(
        "Opened a {} document of {width} × {height} points in the program of the {}",
        document.title,
        expert.name()
    );
    let before = scene.state.open(expert, document);
    // Closing what was saved, or was empty, loses nothing.
    let lost = before.filter(|document| !document.is_saved && !document.layers.is_empty());
    let note = lost.map(|document| {
        format!(
            "the {} document with {} unsaved layers was closed",
            document.title,
            document.layers.len()
        )
    });
    ActionResult::new(text).with("width", width).with("height", height).with_warning(note)
}

/// As the released script: the canvas grows or shrinks about its middle.
fn resize_page(document: &mut SuiteDocument, size: Size) -> ActionResult {
    let (dx, dy) =
        ((size.width - document.size.width) / 2.0, (size.height - document.size.height) / 2.0);
    document.size = size;
    document.is_saved = false;
    for at in 0..document.layers.len() {
        let Some(layer) = document.layer_mut(at) else { continue };
        let place = layer.place_mut();
        // Layers lie by their middles, so that all keep their distance from the page's.
        place.center.x += dx;
        place.center.y += dy;
    }
    ActionResult::new(format!("The open page has {} × {} points now", size.width, size.height))
        .with("width", size.width)
        .with("height", size.height)
}

pub(super) fn background(
    scene: &mut Scene<'_>,
    given: &CheckedCall,
) -> Result<ActionResult, Failure> {
    let color = given.color()?;
    let document = scene.state.need_mut(given.expert)?;
    document.background = Some(color);
    document.is_saved = false;
    Ok(ActionResult::new(format!("The page is {} now", color.to_hex()))
        .with("color", color.to_hex()))
}
