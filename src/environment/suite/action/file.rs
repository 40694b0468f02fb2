//! The shared folder: saving, exporting, importing.

use std::sync::Arc;

use super::scene::Scene;
use crate::environment::suite::action_result::ActionResult;
use crate::environment::suite::document::{Content, Object, Saved, Source};
use crate::environment::suite::failure::{Failure, quoted, shorten};
use crate::environment::suite::file_name;
use crate::environment::suite::files::{Files, MOST_FILES};
use crate::environment::suite::parameters::CheckedCall;

pub(super) fn save(scene: &mut Scene<'_>, given: &CheckedCall) -> Result<ActionResult, Failure> {
    let expert = given.expert;
    let asked = given.text("format")?;
    let format = asked.trim().trim_start_matches('.').to_lowercase();
    if !expert.formats().contains(&format.as_str()) {
        return Err(Failure::WrongFormat { expert, format: shorten(asked) });
    }
    let name = Files::name_of(given.text("fileName")?, &format);
    let document = scene.state.need_mut(expert)?;
    // Before it is copied: the copy is what was saved, and says so.
    document.is_saved = true;
    let saved = Saved::new(name.clone(), expert, document.clone());
    let replaces = scene.state.files.find(&name).is_some_and(|found| found.is_exact);
    if !scene.state.files.put(Arc::clone(&saved)) {
        return Err(Failure::TooLarge(format!(
            "the shared folder holds {MOST_FILES} files already"
        )));
    }
    // What the next expert can do with it.
    let how =
        if saved.is_live() { "stays editable where it is imported" } else { "is one flat picture" };
    let note = replaces.then(|| "an earlier file of that name was replaced".to_owned());
    Ok(ActionResult::new(format!("Saved {name:?}; it {how}")).with("file", name).with_warning(note))
}

pub(super) fn import(scene: &mut Scene<'_>, given: &CheckedCall) -> Result<ActionResult, Failure> {
    let page = scene.state.need(given.expert)?.size;
    let (asked, name) = (given.text("fileName")?, given.layer()?);
    let (source, note) = source(scene, asked)?;
    // It could be neither seen nor made to fit.
    if source.size().width < 1.0 || source.size().height < 1.0 {
        return Err(Failure::TooLarge(format!("the file {:?} has no extent", shorten(asked))));
    }
    let what = match &source {
        Source::Given(picture) => format!("the picture {:?}", shorten(&picture.name)),
        Source::Live(saved) => format!("the file {:?}, editable", saved.name),
        Source::Flat(saved) => format!("the file {:?}, flat", saved.name),
        Source::Qr(_) => "a QR code".to_owned(),
    };
    // In its own size, or as large as the page has room for: nothing hangs over the edge at first.
    let object = Object::on_page(source, page);
    let bounds = object.place.bounds();
    let again = scene.add(given.expert, name, Content::Object(object))?;
    let text = format!(
        "Imported {what}, as the layer {:?}, {} × {} points",
        shorten(name),
        bounds.width.round(),
        bounds.height.round()
    );
    Ok(ActionResult::new(text).with_box(bounds).with_warning(note).with_warning(again))
}

/// What a file's name means, and what is to be said of it.
fn source(scene: &Scene<'_>, asked: &str) -> Result<(Source, Option<String>), Failure> {
    // A file of just that name, then a picture, then a file of nearly that name: what the experts
    // saved hides a picture only where they gave it its very name.
    let saved = scene.state.files.find(asked);
    if let Some(found) = saved.as_ref().filter(|found| found.is_exact) {
        return Ok((Source::of_file(Arc::clone(&found.file)), None));
    }
    if let Some(picture) = scene.pictures.find(asked) {
        let note = picture.look.as_ref().err().map(|why| {
            format!("{why}, so that a placeholder stands for {:?}", shorten(&picture.name))
        });
        return Ok((Source::Given(picture), note));
    }
    if let Some(found) = saved {
        let note = format!("there is no {:?}; {:?} is meant", shorten(asked), found.file.name);
        return Ok((Source::of_file(found.file), Some(note)));
    }
    Err(unknown(scene, asked))
}

fn unknown(scene: &Scene<'_>, asked: &str) -> Failure {
    let ending = file_name::base(asked);
    // Whose file it would be is told by its format.
    let maker = match file_name::split(&ending).1 {
        Some("psd") => "the Photo Editor should have saved it",
        Some("ai") => "the Vector Graphic Editor should have saved it",
        Some("indd") => "the Layout Designer should have exported it",
        _ if asked.trim_start().starts_with("http") => "it is no address of the query's pictures",
        _ => "it is no picture of the query, and nobody has saved it",
    };
    let files = if scene.state.files.is_empty() {
        "no file was saved yet".to_owned()
    } else {
        format!("saved are {}", quoted(scene.state.files.iter().map(|file| file.name.as_str())))
    };
    let pictures = if scene.pictures.is_empty() {
        "the query hands out no pictures".to_owned()
    } else {
        format!("the query hands out {}", quoted(scene.pictures.names()))
    };
    let shown = shorten(asked);
    Failure::UnknownFile(format!("there is no file {shown:?}: {maker}; {files}; {pictures}"))
}
