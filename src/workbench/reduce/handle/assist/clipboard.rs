//! Copying and pasting.
//!
//! What comes from the system's clipboard may be anything: it is bounded, read whole, and only then put in.

use std::sync::Arc;

use serde_json::Value;

use super::acting::act_on_desk;
use crate::base::{Pixels, Rect, parse_json};
use crate::design::{figma, picture_of_text};
use crate::editor::{
    Act, ClipboardAct, Fragment, MOST_PASTED, PastePlace, add_carried, take_carried,
};
use crate::environment::svg_design;
use crate::render::TextMeasurer;
use crate::workbench::model::{AssistDesk, CopiedForm, CopyForm, NoticeLevel, State};
use crate::workbench::protocol::{ClipboardCommand, CopyNews, CopyOrder, HandsOrder, Request};

/// Most bytes of text that are pasted.
const MOST_BYTES: usize = 16 << 20;
/// What is said where there was no room for a picture.
const ONE_LEFT_OUT: &str = "A picture of it is too large, and only named.";

/// Does what the command says and gives the work it takes.
pub(super) fn clipboard(state: &mut State, command: ClipboardCommand) -> Vec<Request> {
    let done = match command {
        ClipboardCommand::Copy => copy(state).map(|()| Vec::new()),
        ClipboardCommand::Cut => {
            copy(state).map(|()| act_on_desk(state, Act::Clipboard(ClipboardAct::Cut)))
        }
        ClipboardCommand::CopyAs(form) => copy_as(state, form),
        ClipboardCommand::CopyProperties => copy_properties(state).map(|()| Vec::new()),
        ClipboardCommand::PasteProperties => paste_properties(state),
        ClipboardCommand::Ask(place) => {
            let number = state.assist.clipboard.next_number();
            state.assist.clipboard.asked = Some((number, place));
            Ok(Vec::new())
        }
        ClipboardCommand::PasteText { text, place, visible } => {
            fragment_of_text(state, &text).map(|pasted| paste(state, pasted, place, visible))
        }
        ClipboardCommand::PastePicture { picture, place, visible } => {
            fragment_of_picture(picture).map(|pasted| paste(state, pasted, place, visible))
        }
    };
    // In one place: each way to copy or paste says only why it cannot be.
    done.unwrap_or_else(|why| {
        state.notify(NoticeLevel::Warning, format!("Not done: {why}."));
        Vec::new()
    })
}

fn desk(state: &State) -> Result<&AssistDesk, String> {
    state.assist.desk.as_deref().ok_or_else(|| "no design is open".to_owned())
}

fn copy(state: &mut State) -> Result<(), String> {
    let fragment = desk(state)?.editor.copied().map_err(|error| error.to_string())?;
    let text: Arc<str> = fragment.to_json().into();
    let clipboard = &mut state.assist.clipboard;
    clipboard.copied = Some((Arc::new(fragment), Arc::clone(&text)));
    clipboard.outgoing = Some((clipboard.next_number(), CopiedForm::Text(text)));
    Ok(())
}

fn copy_as(state: &State, form: CopyForm) -> Result<Vec<Request>, String> {
    let desk = desk(state)?;
    let fragment = desk.editor.copied().map_err(|error| error.to_string())?;
    let order = CopyOrder {
        desk: desk.number,
        document: fragment.document().clone(),
        render: desk.render.clone(),
        form,
    };
    Ok(vec![Request::Hands(HandsOrder::Copy(Box::new(order)))])
}

fn copy_properties(state: &mut State) -> Result<(), String> {
    let editor = &desk(state)?.editor;
    let only = editor.selection().only().and_then(|id| editor.document().get(id));
    let only = only.ok_or("the look of one layer is copied: select it alone")?;
    state.assist.clipboard.properties = Some(Arc::clone(only));
    Ok(())
}

fn paste_properties(state: &mut State) -> Result<Vec<Request>, String> {
    let from = state.assist.clipboard.properties.as_ref().map(Arc::clone);
    let from = from.ok_or("no properties were copied yet")?;
    Ok(act_on_desk(state, Act::Clipboard(ClipboardAct::PasteProperties(from))))
}

fn paste(
    state: &mut State,
    (fragment, left_out): (Arc<Fragment>, Vec<String>),
    place: PastePlace,
    visible: Option<Rect>,
) -> Vec<Request> {
    let act = ClipboardAct::Paste { fragment, place, visible };
    let requests = act_on_desk(state, Act::Clipboard(act));
    // Whether it was put in or not: what was not understood may be why.
    if !left_out.is_empty() {
        let words = format!("Pasted without {}.", left_out.join(", "));
        state.notify(NoticeLevel::Info, words);
    }
    requests
}

/// What is pasted, and what of it could not be taken over.
type Pasted = (Arc<Fragment>, Vec<String>);

fn fragment_of_text(state: &State, text: &str) -> Result<Pasted, String> {
    if let Some((copied, own)) = &state.assist.clipboard.copied
        && **own == *text
    {
        return Ok((Arc::clone(copied), Vec::new()));
    }
    if text.len() > MOST_BYTES {
        return Err(format!(
            "what is on the clipboard has {} bytes, {MOST_BYTES} at most are pasted",
            text.len()
        ));
    }
    match TextForm::of(text) {
        TextForm::Json => fragment_of_json(text),
        TextForm::Markup => fragment_of_svg(text),
        TextForm::Picture(base64) => fragment_of_data(base64),
        TextForm::Plain => {
            let measure = TextMeasurer(&desk(state)?.render);
            let fragment = Fragment::of_text(text, &measure);
            let fragment =
                fragment.map_err(|error| format!("the clipboard cannot be pasted: {error}"))?;
            Ok((Arc::new(fragment), Vec::new()))
        }
    }
}

/// What a text on the clipboard is taken for, by how it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextForm<'t> {
    Json,
    Markup,
    /// The data URL of a picture: what it has in base64.
    Picture(&'t str),
    Plain,
}

impl<'t> TextForm<'t> {
    fn of(text: &'t str) -> Self {
        let text = text.trim();
        let mut letters = text.chars();
        let (first, second) = (letters.next(), letters.find(|letter| !letter.is_whitespace()));
        match first {
            // `{name}` is a word in a text, and so is `<3`.
            Some('{') if second.is_none_or(|it| matches!(it, '"' | '}')) => Self::Json,
            Some('<') if second.is_none_or(|it| it.is_alphabetic() || matches!(it, '?' | '!')) => {
                Self::Markup
            }
            _ => data_of_picture(text).map_or(Self::Plain, Self::Picture),
        }
    }
}

/// What the data URL of a picture has in base64; `None` of any other text.
fn data_of_picture(text: &str) -> Option<&str> {
    let (head, data) = text.split_once(',')?;
    let head = head.to_ascii_lowercase();
    let is_picture = matches!(
        head.as_str(),
        "data:image/png;base64" | "data:image/jpeg;base64" | "data:image/jpg;base64"
    );
    is_picture.then_some(data)
}

fn fragment_of_data(base64: &str) -> Result<Pasted, String> {
    let picture = picture_of_text(base64)
        .map_err(|error| format!("the picture on the clipboard cannot be used: {error}"))?;
    fragment_of_picture(picture)
}

fn fragment_of_json(text: &str) -> Result<Pasted, String> {
    let mut json: Value = parse_json(text.as_bytes())
        .map_err(|error| format!("the JSON on the clipboard cannot be read: {error}"))?;
    // Before it becomes a design, of which a layer takes far more room than of its text.
    let layers = count_layers(&json);
    if layers > MOST_PASTED {
        return Err(format!(
            "the JSON on the clipboard has {layers} layers, {MOST_PASTED} at most are pasted"
        ));
    }
    let pictures = take_carried(&mut json);
    let mut loaded = figma::from_json(json)
        .map_err(|error| format!("the JSON on the clipboard is no design: {error}"))?;
    let left_out = add_carried(&mut loaded.document, &pictures);
    let fragment = Fragment::of_design(&loaded.document)
        .map_err(|error| format!("the JSON on the clipboard cannot be pasted: {error}"))?;
    Ok((Arc::new(fragment), left_out))
}

/// How many values there are in all lists of children.
fn count_layers(json: &Value) -> usize {
    let (mut layers, mut open) = (0, vec![json]);
    while let Some(value) = open.pop() {
        match value {
            Value::Object(fields) => {
                let children = fields.get("children").and_then(Value::as_array);
                layers += children.map_or(0, Vec::len);
                open.extend(fields.values());
            }
            Value::Array(values) => open.extend(values),
            _ => {}
        }
    }
    layers
}

fn fragment_of_svg(text: &str) -> Result<Pasted, String> {
    let (document, left_out) = svg_design(text.as_bytes())
        .map_err(|error| format!("the SVG on the clipboard cannot be read: {error}"))?;
    let fragment = Fragment::of_design(&document)
        .map_err(|error| format!("the SVG on the clipboard cannot be pasted: {error}"))?;
    Ok((Arc::new(fragment.without_place()), left_out))
}

/// The picture is named by its pixels, so that the same one is kept once.
fn fragment_of_picture(picture: Pixels) -> Result<Pasted, String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&picture.width().to_le_bytes());
    hasher.update(picture.rgba());
    let name = hasher.finalize().to_hex();
    let fragment = Fragment::of_picture(name.as_str(), Arc::new(picture));
    fragment.map(|fragment| (Arc::new(fragment), Vec::new())).map_err(|error| error.to_string())
}

/// Takes in what layers were written as; that of a desk that was left is dropped.
pub(super) fn copied(state: &mut State, news: CopyNews) {
    if state.assist.desk.as_ref().is_none_or(|desk| desk.number != news.desk) {
        return;
    }
    match news.result {
        Ok(form) => {
            let words = match form {
                CopiedForm::Text(_) => "Copied as text.",
                CopiedForm::Picture(_) => "Copied as a picture.",
            };
            let clipboard = &mut state.assist.clipboard;
            clipboard.outgoing = Some((clipboard.next_number(), form));
            match news.left_out {
                0 => state.notify(NoticeLevel::Info, words),
                1 => state.notify(NoticeLevel::Warning, format!("{words} {ONE_LEFT_OUT}")),
                more => {
                    let left_out = format!("{more} pictures of it are too large, and only named.");
                    state.notify(NoticeLevel::Warning, format!("{words} {left_out}"));
                }
            }
        }
        Err(why) => state.notify(NoticeLevel::Warning, format!("Not copied: {why}.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Affine, Size};
    use crate::design::{Document, Node, NodeId, NodeKind};
    use crate::editor::{Editor, SelectAct};
    use crate::render::RenderContext;
    use crate::workbench::model::AssistStart;
    use base64::Engine as _;
    use proptest::prelude::*;

    fn opened() -> State {
        let mut screen = Node::new("1:1".into(), "screen", NodeKind::Frame);
        screen.size = Size::new(400.0, 300.0);
        let mut card = Node::new("1:2".into(), "card", NodeKind::Rectangle);
        card.parent = Some("1:1".into());
        (card.transform, card.size) = (Affine::translate(10.0, 20.0), Size::new(30.0, 40.0));
        let mut state = State::default();
        let editor = Editor::new(Document::from_nodes([screen, card]).unwrap());
        let start = AssistStart::Blank(Size::new(400.0, 300.0));
        let desk = AssistDesk::new(1, String::new(), start, editor, RenderContext::default());
        state.assist.desk = Some(Box::new(desk));
        state
    }

    fn editor(state: &State) -> &Editor {
        &desk(state).unwrap().editor
    }

    fn select(state: &mut State, id: &str) {
        let nodes: Vec<NodeId> = vec![id.into()];
        act_on_desk(state, Act::Select(SelectAct::Only(nodes)));
    }

    fn paste_text(state: &mut State, text: &str) -> Vec<Request> {
        let visible = Some(Rect::new(0.0, 0.0, 400.0, 300.0));
        let (text, place) = (text.to_owned(), PastePlace::Beside);
        clipboard(state, ClipboardCommand::PasteText { text, place, visible })
    }

    fn last_notice(state: &State) -> &str {
        state.notices.last().map_or("", |notice| &notice.text)
    }

    #[test]
    fn what_is_copied_here_is_pasted_from_the_text_that_went_out() {
        let mut state = opened();
        select(&mut state, "1:2");
        clipboard(&mut state, ClipboardCommand::Copy);
        let Some((1, CopiedForm::Text(text))) = &state.assist.clipboard.outgoing else {
            panic!("nothing goes out");
        };
        let text = Arc::clone(text);
        let requests = paste_text(&mut state, &text);
        let is_record =
            |request: &&Request| matches!(request, Request::Hands(HandsOrder::Record { .. }));
        let records = requests.iter().filter(is_record).count();
        assert_eq!((records, editor(&state).document().len()), (1, 3));
        // As another program would give it back.
        let pretty = serde_json::from_str::<serde_json::Value>(&text).unwrap();
        paste_text(&mut state, &serde_json::to_string_pretty(&pretty).unwrap());
        assert_eq!(editor(&state).document().len(), 4);
        clipboard(&mut state, ClipboardCommand::Cut);
        assert_eq!(editor(&state).document().len(), 3);
    }

    #[test]
    fn what_a_step_changes_is_kept_together_however_much_that_is() {
        let mut state = opened();
        let place = r#"{"x":1,"y":2,"width":9,"height":5}"#;
        let layer =
            |id| format!(r#"{{"id":"7:{id}","type":"RECTANGLE","absoluteBoundingBox":{place}}}"#);
        let children: Vec<String> = (2..402).map(layer).collect();
        let text = format!(
            r#"{{"id":"7:1","type":"FRAME","absoluteBoundingBox":{place},"children":[{}]}}"#,
            children.join(",")
        );
        paste_text(&mut state, &text);
        let document = editor(&state).document();
        let frame = editor(&state).selection().only().unwrap();
        let layers: Vec<NodeId> = document.children_of(Some(frame)).to_vec();
        assert_eq!(layers.len(), 400);
        act_on_desk(&mut state, Act::Select(SelectAct::Only(layers)));
        let requests = clipboard(&mut state, ClipboardCommand::Cut);
        let [
            Request::Hands(HandsOrder::Assist { events, .. }),
            Request::Hands(HandsOrder::Record { .. }),
        ] = requests.as_slice()
        else {
            panic!("{} requests", requests.len());
        };
        assert!(events.len() >= 400, "{}", events.len());
    }

    #[test]
    fn svg_and_pictures_are_pasted_where_people_look() {
        let mut state = opened();
        let svg = r##"<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10">
            <rect width="20" height="10" fill="#123456"/></svg>"##;
        paste_text(&mut state, svg);
        let pasted = editor(&state).selection().only().unwrap();
        let at = editor(&state).document().absolute_box(pasted).unwrap();
        assert_eq!(at, Rect::new(190.0, 145.0, 20.0, 10.0));
        let picture = Pixels::filled(4, 4, [9, 9, 9, 255]).unwrap();
        let place = PastePlace::Beside;
        clipboard(&mut state, ClipboardCommand::PastePicture { picture, place, visible: None });
        assert_eq!(editor(&state).document().images().len(), 1);
    }

    #[test]
    fn what_is_no_design_is_refused_in_words_and_changes_nothing() {
        let page = r#"{"id":"0:1","type":"CANVAS","children":[]}"#;
        let deep = format!("{}1{}", "{\"a\":".repeat(600), "}".repeat(600));
        for (text, why) in [
            ("", "there is nothing to be read in the text"),
            (" \n\t", "there is nothing to be read in the text"),
            (
                "data:image/png;base64,%",
                "the picture on the clipboard cannot be used: it is no base64",
            ),
            ("data:image/png;base64,AAAA", "the picture on the clipboard cannot be used"),
            ("{", "the JSON on the clipboard cannot be read"),
            (deep.as_str(), "nests deeper"),
            (r#"{"a": 1}"#, "there is no Figma node"),
            (r#"{"document": {"children": [7]}}"#, "a node must be an object"),
            (page, "there is nothing with a place"),
            ("<p>words</p>", "the root element must be <svg>"),
            ("<svg", "the SVG on the clipboard cannot be read"),
            (r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>"#, "no shape"),
        ] {
            let mut state = opened();
            let before = editor(&state).document().clone();
            let requests = paste_text(&mut state, text);
            assert!(last_notice(&state).contains(why), "{text}: {}", last_notice(&state));
            assert!(requests.is_empty());
            assert_eq!(*editor(&state).document(), before);
        }
    }

    #[test]
    fn plain_text_is_pasted_as_a_text() {
        for words in
            ["good morning", "[1, 2]", "{name} is here", "< 3", "<3", "data:image/png, they say"]
        {
            let mut state = opened();
            let requests = paste_text(&mut state, words);
            assert!(!requests.is_empty(), "{words}: {}", last_notice(&state));
            let editor = editor(&state);
            let pasted = editor.document().get(editor.selection().only().unwrap()).unwrap();
            assert_eq!(pasted.text().map(|text| text.characters.as_str()), Some(words));
            assert_eq!(pasted.name, words);
        }
        let mut state = State::default();
        paste_text(&mut state, "good morning");
        assert_eq!(last_notice(&state), "Not done: no design is open.");
    }

    #[test]
    fn pictures_go_along_in_the_text_to_a_design_that_has_not_got_them() {
        let mut from = opened();
        let picture = Pixels::filled(4, 4, [9, 9, 9, 255]).unwrap();
        let place = PastePlace::Beside;
        let paste = ClipboardCommand::PastePicture { picture, place, visible: None };
        clipboard(&mut from, paste);
        clipboard(&mut from, ClipboardCommand::Copy);
        let Some((_, CopiedForm::Text(text))) = &from.assist.clipboard.outgoing else {
            panic!("nothing goes out");
        };
        let mut to = opened();
        paste_text(&mut to, text);
        assert_eq!(editor(&to).document().images().len(), 1);
        // The layer itself does not keep what went along.
        let pasted = editor(&to).copied().unwrap();
        let root = pasted.document().iter_depth_first().next().unwrap();
        assert!(root.source.keys().all(|key| key != "pentimentoPictures"), "{:?}", root.source);
        // Torn on its way: pasted without it, and said.
        let start = text.find("\"pentimentoPictures\"").unwrap();
        let colon = start + text[start..].rfind(":\"").unwrap() + 2;
        let mut torn = opened();
        paste_text(&mut torn, &format!("{}%{}", &text[..colon], &text[colon..]));
        assert!(last_notice(&torn).contains("which cannot be used"), "{}", last_notice(&torn));
        assert_eq!(
            (editor(&torn).document().len(), editor(&torn).document().images().len()),
            (3, 0)
        );
    }

    #[test]
    fn the_data_url_of_a_picture_is_pasted_as_that_picture() {
        let mut state = opened();
        let png = Pixels::filled(6, 4, [1, 2, 3, 255]).unwrap().to_png().unwrap();
        let png = base64::engine::general_purpose::STANDARD.encode(png);
        let url = format!(" data:image/PNG;base64,{png}\n");
        paste_text(&mut state, &url);
        let editor = editor(&state);
        let pasted = editor.document().get(editor.selection().only().unwrap()).unwrap();
        assert_eq!((pasted.size.width, pasted.size.height), (6.0, 4.0));
        assert_eq!(editor.document().images().len(), 1);
    }

    #[test]
    fn too_much_text_is_not_read() {
        let mut state = opened();
        let children = "{},".repeat(MOST_PASTED);
        paste_text(&mut state, &format!(r#"{{"type":"FRAME","children":[{children}{{}}]}}"#));
        assert!(last_notice(&state).contains("has 20001 layers"), "{}", last_notice(&state));
        paste_text(&mut state, &" ".repeat(MOST_BYTES + 1));
        assert!(last_notice(&state).contains("16777216 at most"), "{}", last_notice(&state));
    }

    #[test]
    fn without_a_design_or_a_selection_it_is_said() {
        let mut state = State::default();
        clipboard(&mut state, ClipboardCommand::Copy);
        assert_eq!(last_notice(&state), "Not done: no design is open.");
        let mut state = opened();
        clipboard(&mut state, ClipboardCommand::Copy);
        assert_eq!(last_notice(&state), "Not done: nothing is selected.");
        clipboard(&mut state, ClipboardCommand::PasteProperties);
        assert_eq!(last_notice(&state), "Not done: no properties were copied yet.");
    }

    #[test]
    fn what_was_written_for_a_desk_that_was_left_is_dropped() {
        let mut state = opened();
        select(&mut state, "1:2");
        let form = CopyForm::Svg;
        let requests = clipboard(&mut state, ClipboardCommand::CopyAs(form));
        assert!(matches!(requests.as_slice(), [Request::Hands(HandsOrder::Copy(order))]
            if order.form == form && order.document.len() == 1));
        for (desk, is_taken) in [(7, false), (1, true)] {
            let result = Ok(CopiedForm::Text("<svg/>".into()));
            copied(&mut state, CopyNews { desk, result, left_out: 2 });
            assert_eq!(state.assist.clipboard.outgoing.is_some(), is_taken);
        }
        assert!(last_notice(&state).ends_with("2 pictures of it are too large, and only named."));
    }

    proptest! {
        /// Whatever is on the clipboard, it is pasted and can be taken back, or nothing changes.
        #[test]
        fn anything_is_pasted_whole_or_not_at_all(
            cut in 0..400_usize,
            with in "[ -~]{0,12}",
            wide in prop_oneof![Just("10".to_owned()), Just("1e9".to_owned()), Just("-3".to_owned())],
        ) {
            let mut state = opened();
            let before = editor(&state).document().clone();
            let place = format!(r#"{{"x":1,"y":2,"width":{wide},"height":5}}"#);
            let mut text = format!(
                r#"{{"id":"1:2","type":"FRAME","absoluteBoundingBox":{place},"children":
                [{{"id":"1:2","type":"RECTANGLE","opacity":7,"absoluteBoundingBox":{place}}}]}}"#
            );
            if cut < text.len() {
                text.insert_str(cut, &with);
            }
            paste_text(&mut state, &text);
            if editor(&state).undoable().0 > 0 {
                act_on_desk(&mut state, Act::Undo);
            }
            prop_assert_eq!(editor(&state).document(), &before);
        }
    }
}
