//! Pictures that are placed on the page, and cropped in their box.

use std::sync::Arc;

use super::arrange::members::select_made;
use super::context::EditorContext;
use super::editing::Editor;
use super::error::EditorError;
use crate::base::{Affine, Pixels, Point, Size};
use crate::design::{ImagePaint, Node, NodeId, NodeKind, Paint, PaintKind};

/// Figma's name, in its REST interface, of a picture that is cropped by a transform.
const CROPPED: &str = "STRETCH";
/// The longest name that a layer gets of a file, in characters.
const LONGEST_NAME: usize = 100;

/// A picture from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedPicture {
    /// What its layer is called.
    pub name: String,
    /// What paints know it by: the same of the same file.
    pub image_ref: String,
    /// The picture.
    pub pixels: Arc<Pixels>,
}

/// What is done with pictures.
#[derive(Clone, Debug, PartialEq)]
pub enum PictureAct {
    /// Puts a picture onto the page, in a rectangle that fits the screen.
    Place {
        /// Which.
        picture: PlacedPicture,
        /// Where its middle goes, on the page.
        at: Point,
    },
    /// Shows another part of a picture in the box of its node.
    Crop {
        /// The node.
        node: NodeId,
        /// Which of its fills, from the bottom.
        fill: usize,
        /// From the box as a unit square to the picture as one.
        picture_from_box: Affine,
    },
}

/// Does it.
pub(super) fn picture_act(
    editor: &mut Editor,
    act: PictureAct,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    match act {
        PictureAct::Place { picture, at } => place(editor, &picture, at, context),
        PictureAct::Crop { node, fill, picture_from_box } => {
            let is_picture = editor.document().node(&node)?.fills.get(fill);
            let is_picture = is_picture.is_some_and(|it| matches!(it.kind, PaintKind::Image(_)));
            if !is_picture {
                return Err(EditorError::NotPossible("there is no picture to crop".to_owned()));
            }
            if !picture_from_box.is_finite() || picture_from_box.determinant() == 0.0 {
                let why = "a picture cannot be cropped to nothing";
                return Err(EditorError::NotPossible(why.to_owned()));
            }
            editor.edit("Crop", std::slice::from_ref(&node), context, |change| {
                change.update(&node, |node| {
                    if let Some(Paint { kind: PaintKind::Image(image), .. }) =
                        node.fills.get_mut(fill)
                    {
                        // The turn is in the transform.
                        CROPPED.clone_into(&mut image.scale_mode);
                        (image.transform, image.rotation) = (Some(picture_from_box), 0.0);
                    }
                })
            })?;
            Ok(())
        }
    }
}

fn place(
    editor: &mut Editor,
    picture: &PlacedPicture,
    at: Point,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    if !at.is_finite() {
        return Err(EditorError::NotPossible("the place is not a number".to_owned()));
    }
    let (parent, room) = place_for(editor, at);
    let size = fitted(&picture.pixels, room);
    editor.add_image(&picture.image_ref, Arc::clone(&picture.pixels));
    let mut placed = None;
    let label = "Place image";
    editor.edit(label, &[], context, |change| {
        let id = change.new_id();
        let name: String = picture.name.chars().take(LONGEST_NAME).collect();
        let name = if name.trim().is_empty() { "Image".to_owned() } else { name };
        let node = Node {
            size,
            fills: vec![Paint::picture(&picture.image_ref)],
            ..Node::new(id.clone(), name, NodeKind::Rectangle)
        };
        change.insert(node, parent.as_ref(), None)?;
        // Whole places, as people write them.
        let left = (at.x - size.width / 2.0).round();
        let top = (at.y - size.height / 2.0).round();
        change.set_absolute_transform(&id, Affine::translate(left, top))?;
        placed = Some(id);
        Ok(())
    })?;
    select_made(editor, placed.into_iter().collect());
    Ok(())
}

/// What a picture is put into, and how large it may be: the topmost frame there, or the screen, else the page; what is
/// locked takes none.
fn place_for(editor: &Editor, at: Point) -> (Option<NodeId>, Option<Size>) {
    let document = &editor.on_page();
    if let Some(frame) = editor.frame_at(at).and_then(|id| document.get(&id)) {
        return (Some(frame.id.clone()), Some(frame.size));
    }
    let Some(screen) = document.main_frame().filter(|screen| screen.has_box()) else {
        return (document.page().map(|page| page.id.clone()), None);
    };
    if document.is_locked(&screen.id) {
        return (document.page_of(&screen.id).map(|page| page.id.clone()), Some(screen.size));
    }
    let area = document.absolute_box(&screen.id).ok();
    if screen.kind.is_container() && area.is_some_and(|area| area.contains(at)) {
        return (Some(screen.id.clone()), Some(screen.size));
    }
    (screen.parent.clone(), Some(screen.size))
}

/// A pixel a unit, and no larger than the room.
fn fitted(pixels: &Pixels, room: Option<Size>) -> Size {
    let (width, height) = (f64::from(pixels.width()), f64::from(pixels.height()));
    let room = room.filter(|room| room.width >= 1.0 && room.height >= 1.0);
    let scale = room.map_or(1.0, |room| (room.width / width).min(room.height / height).min(1.0));
    Size::new((width * scale).max(1.0), (height * scale).max(1.0))
}

/// From a node's box as a unit square to the picture as one, as a picture of this size in pixels is drawn there.
/// `None` where that is no crop: of tiles, of pictures that are turned, and of boxes without area.
pub fn picture_from_box(image: &ImagePaint, node: Size, picture: (u32, u32)) -> Option<Affine> {
    if !(node.width > 0.0 && node.height > 0.0) || image.rotation != 0.0 {
        return None;
    }
    let across = node.width / f64::from(picture.0.max(1));
    let down = node.height / f64::from(picture.1.max(1));
    let scale = match image.scale_mode.as_str() {
        "STRETCH" | "CROP" => return Some(image.transform.unwrap_or_default()),
        "TILE" => return None,
        "FIT" => across.min(down),
        _ => across.max(down),
    };
    let (x, y) = (across / scale, down / scale);
    Some(Affine { e: (1.0 - x) / 2.0, f: (1.0 - y) / 2.0, ..Affine::scale(x, y) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Rect;
    use crate::design::{Document, NoTexts};
    use crate::editor::Act;

    const CONTEXT: EditorContext<'_> = EditorContext { measure: &NoTexts };

    fn editor() -> Editor {
        let mut screen = Node::new("1:1".into(), "Screen", NodeKind::Frame);
        (screen.transform, screen.size) = (Affine::translate(100.0, 50.0), Size::new(300.0, 400.0));
        Editor::new(Document::from_nodes([screen]).unwrap())
    }

    fn picture(width: u32, height: u32) -> PlacedPicture {
        let pixels = Arc::new(Pixels::filled(width, height, [9, 8, 7, 255]).unwrap());
        PlacedPicture { name: "cat".to_owned(), image_ref: "abc".to_owned(), pixels }
    }

    fn placed(editor: &mut Editor, picture: PlacedPicture, at: Point) -> NodeId {
        editor.act(Act::Picture(PictureAct::Place { picture, at }), &CONTEXT).unwrap();
        editor.selection().only().unwrap().clone()
    }

    #[test]
    fn a_picture_lies_around_the_pointer_no_larger_than_the_screen() {
        let mut editor = editor();
        let before = editor.document().clone();
        let id = placed(&mut editor, picture(60, 40), Point::new(200.0, 150.0));
        let document = editor.document();
        assert_eq!(document.absolute_box(&id), Ok(Rect::new(170.0, 130.0, 60.0, 40.0)));
        let node = document.get(&id).unwrap();
        assert_eq!((node.parent.as_ref(), node.name.as_str()), (Some(&"1:1".into()), "cat"));
        assert!(document.images().get("abc").is_some());
        editor.act(Act::Undo, &CONTEXT).unwrap();
        assert_eq!(*editor.document(), before);
        let id = placed(&mut editor, picture(600, 400), Point::new(900.0, 150.0));
        let document = editor.document();
        let node = document.get(&id).unwrap();
        assert_eq!((node.parent.as_ref(), node.size), (None, Size::new(300.0, 200.0)));
    }

    #[test]
    fn a_picture_goes_into_the_frame_that_lies_there_and_beside_all_onto_the_page() {
        let frame = |id: &str, x: f64| {
            let mut frame = Node::new(id.into(), id, NodeKind::Frame);
            frame.parent = Some("page".into());
            (frame.transform, frame.size) = (Affine::translate(x, 0.0), Size::new(300.0, 200.0));
            frame
        };
        let page = Node::new("page".into(), "Page", NodeKind::Canvas);
        for (locked, x, parent) in [
            (None, 100.0, "screen"),
            (None, 550.0, "other"),
            (None, 350.0, "page"),
            (Some("screen"), 100.0, "page"),
            (Some("screen"), 550.0, "other"),
            (Some("other"), 550.0, "page"),
        ] {
            let mut nodes = [page.clone(), frame("screen", 0.0), frame("other", 400.0)];
            for node in &mut nodes {
                node.locked = locked == Some(node.name.as_str());
            }
            let mut editor = Editor::new(Document::from_nodes(nodes).unwrap());
            let id = placed(&mut editor, picture(60, 40), Point::new(x, 100.0));
            let document = editor.document();
            assert_eq!(document.get(&id).unwrap().parent, Some(parent.into()), "{locked:?}, {x}");
            assert_eq!(document.absolute_box(&id), Ok(Rect::new(x - 30.0, 80.0, 60.0, 40.0)));
        }
    }

    #[test]
    fn a_crop_is_one_step_and_nothing_that_is_no_picture_is_cropped() {
        let mut editor = editor();
        let node = placed(&mut editor, picture(60, 40), Point::new(200.0, 150.0));
        let steps = editor.steps();
        let crop = |node: &NodeId, fill, picture_from_box| {
            let node = node.clone();
            Act::Picture(PictureAct::Crop { node, fill, picture_from_box })
        };
        let half = Affine::scale(0.5, 0.5);
        for wrong in [
            crop(&"1:1".into(), 0, half),
            crop(&node, 1, half),
            crop(&node, 0, Affine::scale(0.0, 1.0)),
            crop(&node, 0, Affine::scale(f64::NAN, 1.0)),
        ] {
            assert!(editor.act(wrong.clone(), &CONTEXT).is_err(), "{wrong:?}");
        }
        editor.act(crop(&node, 0, half), &CONTEXT).unwrap();
        assert_eq!(editor.steps(), steps + 1);
        let fills = &editor.document().get(&node).unwrap().fills;
        let PaintKind::Image(image) = &fills[0].kind else { panic!("{fills:?}") };
        assert_eq!((image.scale_mode.as_str(), image.transform), ("STRETCH", Some(half)));
        assert_eq!(picture_from_box(image, Size::new(60.0, 40.0), (60, 40)), Some(half));
    }

    #[test]
    fn a_picture_that_fills_or_fits_its_box_is_seen_by_the_same_part() {
        let of = |mode: &str| {
            let image = ImagePaint { scale_mode: mode.to_owned(), ..ImagePaint::default() };
            picture_from_box(&image, Size::new(100.0, 100.0), (200, 100))
        };
        // Twice as wide as the box: its middle half fills it.
        let fill = of("FILL").unwrap();
        assert_eq!(fill.apply(Point::ZERO), Point::new(0.25, 0.0));
        assert_eq!(fill.apply(Point::new(1.0, 1.0)), Point::new(0.75, 1.0));
        // As a whole it has half of the box above and below it.
        let fit = of("FIT").unwrap();
        assert_eq!(fit.apply(Point::ZERO), Point::new(0.0, -0.5));
        assert_eq!(fit.apply(Point::new(1.0, 1.0)), Point::new(1.0, 1.5));
        assert_eq!(of("TILE"), None);
    }
}
