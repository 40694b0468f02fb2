use super::*;
use crate::base::{Affine, Size};
use crate::design::{
    Document, NodeKind, SquareLetters, StyleOverride, TextContent, TextDecoration,
};
use crate::editor::{Act, EditorContext, SelectAct};

const CONTEXT: EditorContext<'static> = EditorContext { measure: &SquareLetters };

fn editor() -> Editor {
    let mut screen = Node::new("s".into(), "Screen", NodeKind::Frame);
    screen.size = Size::new(400.0, 300.0);
    let bold = StyleOverride { font_weight: Some(700.0), ..StyleOverride::default() };
    let text = TextContent {
        characters: "one two".to_owned(),
        override_ids: vec![0, 0, 0, 0, 1, 1, 1],
        overrides: [(1, bold)].into(),
        ..TextContent::default()
    };
    let mut title = Node::new("t".into(), "Title", NodeKind::Text(Box::new(text)));
    title.parent = Some("s".into());
    title.transform = Affine::translate(20.0, 20.0);
    title.size = Size::new(84.0, 12.0);
    let document = Document::from_nodes([screen, title]).unwrap();
    let mut editor = Editor::new(document);
    editor.act(Act::Select(SelectAct::Only(vec!["t".into()])), &CONTEXT).unwrap();
    editor
}

fn typed(editor: &mut Editor, act: TypingAct) {
    editor.act(Act::Typing(act), &CONTEXT).unwrap();
}

fn text(editor: &Editor) -> &TextContent {
    editor.document().get(&"t".into()).unwrap().text().unwrap()
}

#[test]
fn typing_is_one_step_and_keeps_the_styles_of_its_letters() {
    let mut editor = editor();
    let start = editor.document().clone();
    typed(&mut editor, TypingAct::Begin("t".into()));
    for words in ["one xtwo", "one xytwo", "one xyztwo"] {
        typed(&mut editor, TypingAct::Write(words.to_owned()));
    }
    assert_eq!(text(&editor).characters, "one xyztwo");
    assert_eq!(text(&editor).override_ids, [0, 0, 0, 0, 0, 0, 0, 1, 1, 1]);
    typed(&mut editor, TypingAct::Replace { from: 0, to: 3, words: "1".to_owned() });
    assert_eq!(text(&editor).characters, "1 xyztwo");
    typed(&mut editor, TypingAct::End);
    assert_eq!(editor.undoable(), (1, 0));
    editor.act(Act::Undo, &CONTEXT).unwrap();
    assert_eq!(editor.document(), &start);
}

#[test]
fn escape_commits_and_keeps_the_text_selected() {
    let mut editor = editor();
    // Enter begins.
    editor.act(Act::Select(SelectAct::Children), &CONTEXT).unwrap();
    assert_eq!(editor.in_place().typed(), Some(&"t".into()));
    typed(&mut editor, TypingAct::Write("new".to_owned()));
    editor.act(Act::Select(SelectAct::None), &CONTEXT).unwrap();
    assert_eq!(editor.in_place(), &InPlace::Nothing);
    assert_eq!(editor.selection().only(), Some(&"t".into()));
    assert_eq!(text(&editor).characters, "new");
    // Two times in the text are two steps.
    typed(&mut editor, TypingAct::Begin("t".into()));
    typed(&mut editor, TypingAct::Write("newer".to_owned()));
    typed(&mut editor, TypingAct::End);
    assert_eq!(editor.undoable(), (2, 0));
}

#[test]
fn what_is_refused_changes_nothing() {
    let mut editor = editor();
    let start = editor.document().clone();
    let write = Act::Typing(TypingAct::Write("x".to_owned()));
    assert!(editor.act(write.clone(), &CONTEXT).is_err(), "nothing is typed into");
    let begin = Act::Typing(TypingAct::Begin("s".into()));
    assert!(editor.act(begin, &CONTEXT).unwrap_err().to_string().contains("Screen is no text"));
    typed(&mut editor, TypingAct::Begin("t".into()));
    let behind = TypingAct::Replace { from: 5, to: 99, words: "x".to_owned() };
    assert!(editor.act(Act::Typing(behind), &CONTEXT).is_err());
    let long = TypingAct::Write("x".repeat(MOST_CHARACTERS + 1));
    assert!(editor.act(Act::Typing(long), &CONTEXT).is_err());
    assert_eq!(editor.document(), &start);
}

#[test]
fn keys_style_the_letters_that_are_selected_while_a_text_is_typed_into() {
    let mut editor = editor();
    let start = editor.document().clone();
    let bold = || TypingAct::Style(TextStyleAct::Bold);
    typed(&mut editor, TypingAct::Begin("t".into()));
    typed(&mut editor, TypingAct::Select(0..3));
    assert_eq!(editor.inspected().get(&"t".into()).unwrap().text().unwrap().characters, "one");
    typed(&mut editor, bold());
    assert_eq!(text(&editor).style.font_weight, 400.0);
    assert_eq!(text(&editor).override_ids, [1, 1, 1, 0, 1, 1, 1], "as the others that are bold");
    typed(&mut editor, bold());
    assert_eq!(text(&editor), start.get(&"t".into()).unwrap().text().unwrap(), "and not any more");
    typed(&mut editor, TypingAct::Style(TextStyleAct::Size(3.0)));
    let large = &text(&editor).overrides[&text(&editor).override_ids[0]];
    assert_eq!((large.font_size, text(&editor).style.font_size), (Some(15.0), 12.0));
    // All of it, and none of it: every letter.
    for all in [0..7, 2..2, 5..99] {
        typed(&mut editor, TypingAct::Select(all));
        assert_eq!(editor.selected_letters(), None);
    }
    typed(&mut editor, bold());
    assert_eq!(text(&editor).style.font_weight, 700.0);
    // What was selected is not known any more behind other words.
    typed(&mut editor, TypingAct::Select(0..3));
    typed(&mut editor, TypingAct::Write("one".to_owned()));
    assert_eq!(editor.selected_letters(), None);
    typed(&mut editor, TypingAct::End);
    while editor.undoable().0 > 0 {
        editor.act(Act::Undo, &CONTEXT).unwrap();
    }
    assert_eq!(editor.document(), &start);
}

#[test]
fn keys_style_every_letter_and_take_it_away_again() {
    let mut editor = editor();
    let bold = || TypingAct::Style(TextStyleAct::Bold);
    typed(&mut editor, bold());
    assert_eq!(text(&editor).style.font_weight, 700.0);
    assert_eq!(text(&editor).overrides[&1].font_weight, None);
    typed(&mut editor, bold());
    assert_eq!(text(&editor).style.font_weight, 400.0);
    // Where some letters are and others are not, all become bold first.
    let regular = StyleOverride { font_weight: Some(400.0), ..StyleOverride::default() };
    editor
        .edit("Mix", &["t".into()], &CONTEXT, |change| {
            change.update(&"t".into(), |node| {
                let text = node.text_mut().unwrap();
                text.style.font_weight = 700.0;
                text.overrides.insert(1, regular);
            })
        })
        .unwrap();
    typed(&mut editor, bold());
    assert_eq!(text(&editor).style.font_weight, 700.0);
    assert_eq!(text(&editor).overrides[&1].font_weight, None);
    typed(&mut editor, TypingAct::Style(TextStyleAct::Decoration(TextDecoration::Underline)));
    assert_eq!(text(&editor).style.decoration, TextDecoration::Underline);
    typed(&mut editor, TypingAct::Style(TextStyleAct::Size(-40.0)));
    assert_eq!(text(&editor).style.font_size, 1.0, "never nothing");
    editor.act(Act::Select(SelectAct::Only(vec!["s".into()])), &CONTEXT).unwrap();
    let refused = editor.act(Act::Typing(bold()), &CONTEXT);
    assert!(refused.unwrap_err().to_string().contains("no text"));
}
