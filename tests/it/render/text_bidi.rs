//! Lines of Hebrew and Arabic among Latin letters and numbers beside a browser's, an engine
//! independent of ours; see `tests/chromium/README.md`.

use std::ops::Range;

use pentimento::base::{Size, parse_json};
use pentimento::design::{AutoResize, NodeKind, TextAlign, TextContent, TextStyle};
use pentimento::render::{
    Fonts, Line, RenderContext, RenderOptions, TextLayout, layout_text, render_page,
};
use serde_json::Value;

use super::sketch::{filled, node, page, text, within};

const PARAGRAPHS: &str = include_str!("../../data/chromium/bidi.json");

/// How far, in pixels, a letter may stand from where the browser has it.
const TOLERANCE: f64 = 1.0;

/// With the two fonts of the paragraphs.
fn context() -> RenderContext {
    let files: [(&[u8], &str); 2] = [
        (include_bytes!("../../data/fonts/hebrew.ttf"), "Pentimento Hebrew"),
        (include_bytes!("../../data/fonts/arabic.ttf"), "Pentimento Arabic"),
    ];
    let mut fonts = Fonts::default();
    for (file, family) in files {
        assert_eq!(fonts.add(file.to_vec()), [family]);
    }
    RenderContext::new(fonts)
}

fn paragraphs() -> Vec<Value> {
    let all: Value = parse_json(PARAGRAPHS.as_bytes()).unwrap();
    let all = all.as_array().unwrap().clone();
    assert_eq!(all.len(), 20);
    all
}

fn set(paragraph: &Value) -> TextLayout {
    let width = paragraph["width"].as_f64();
    let style = TextStyle {
        font_family: paragraph["family"].as_str().unwrap().to_owned(),
        font_size: paragraph["size"].as_f64().unwrap(),
        auto_resize: if width.is_some() { AutoResize::Height } else { AutoResize::WidthAndHeight },
        ..TextStyle::default()
    };
    let characters = paragraph["characters"].as_str().unwrap().to_owned();
    let content = TextContent { characters, style, ..TextContent::default() };
    let set = layout_text(&context(), &content, Size::new(width.unwrap_or(0.0), 0.0));
    assert_eq!((set.replaced_families.len(), set.missing.len()), (0, 0), "{}", paragraph["name"]);
    set
}

/// A character of a line, and its ends in the browser.
struct Letter {
    at: usize,
    ends: Range<f64>,
}

fn letters(line: &Line, expected: &Value) -> Vec<Letter> {
    let text = expected["text"].as_str().unwrap();
    let ends = expected["ends"].as_array().unwrap();
    let end = |index: usize, side: usize| ends[index][side].as_f64().unwrap();
    let starts = text.char_indices().enumerate();
    starts
        .map(|(index, (at, _))| Letter {
            at: line.text_range.start + at,
            ends: end(index, 0)..end(index, 1),
        })
        .collect()
}

fn lines(paragraph: &Value) -> Vec<(TextLayout, Line, Value)> {
    let set = set(paragraph);
    let expected = paragraph["lines"].as_array().unwrap().clone();
    assert_eq!(set.lines.len(), expected.len(), "{}", paragraph["name"]);
    let pairs = set.lines.clone().into_iter().zip(expected);
    pairs.map(|(line, expected)| (set.clone(), line, expected)).collect()
}

#[test]
fn lines_in_two_directions_break_where_a_browser_breaks_them() {
    for paragraph in paragraphs() {
        for (set, line, expected) in lines(&paragraph) {
            let text = set.text[line.text_range.clone()].trim_end_matches('\n');
            assert_eq!(text, expected["text"].as_str().unwrap(), "{}", paragraph["name"]);
        }
    }
}

#[test]
fn letters_stand_in_the_order_in_which_a_browser_shows_them() {
    for paragraph in paragraphs() {
        for (_, line, expected) in lines(&paragraph) {
            let letters = letters(&line, &expected);
            let shown: Vec<&Letter> = line
                .glyphs
                .iter()
                .filter_map(|glyph| letters.iter().find(|letter| letter.at == glyph.text_start))
                .collect();
            assert!(shown.len() > 2, "{}", paragraph["name"]);
            let is_in_order = shown.is_sorted_by(|a, b| a.ends.start <= b.ends.start + 0.02);
            assert!(is_in_order, "{}: {}", paragraph["name"], expected["text"]);
        }
    }
}

#[test]
fn letters_stand_where_a_browser_puts_them() {
    for paragraph in paragraphs() {
        for (_, line, expected) in lines(&paragraph) {
            for letter in letters(&line, &expected) {
                let own = line.glyphs.iter().filter(|glyph| glyph.text_start == letter.at);
                let left = own.clone().map(|glyph| glyph.x).reduce(f64::min);
                // Marks hang over their letter, and a ligature is wider than one of its letters.
                let width: f64 = own.map(|glyph| glyph.advance).sum();
                let is_whole = (width - (letter.ends.end - letter.ends.start)).abs() < 0.05;
                let Some(left) = left.filter(|_| is_whole) else { continue };
                assert!(
                    (left - letter.ends.start).abs() < TOLERANCE,
                    "{}: letter {} of {} at {left} instead of {}",
                    paragraph["name"],
                    letter.at,
                    expected["text"],
                    letter.ends.start,
                );
            }
        }
    }
}

#[test]
fn words_from_the_right_are_drawn_at_the_side_that_they_are_aligned_to() {
    for (words, family) in [("שלום", "Pentimento Hebrew"), ("مرحبا", "Pentimento Arabic")]
    {
        for (align, side) in [(TextAlign::Left, 0..150), (TextAlign::Right, 250..420)] {
            let style = TextStyle {
                font_family: family.to_owned(),
                font_size: 24.0,
                align,
                auto_resize: AutoResize::None,
                ..TextStyle::default()
            };
            let ground = node("ground", NodeKind::Frame, [0.0, 0.0, 400.0, 60.0]);
            let words = text("words", [0.0, 0.0, 400.0, 60.0], words, style);
            let document = page([filled(ground, 0xFF_FFFF), within("ground", filled(words, 0))]);
            let drawn = render_page(&context(), &document, RenderOptions::default()).unwrap();
            // The two fonts are added as if they were found, which is all that is said.
            let said = drawn.diagnostics.iter().map(|it| it.message.as_str());
            assert!(said.clone().all(|it| it.ends_with("found on this machine")), "{said:?}");
            let places = (0..drawn.pixels.width())
                .flat_map(|x| (0..drawn.pixels.height()).map(move |y| (x, y)));
            let ink = places.filter(|(x, y)| drawn.pixels.get(*x, *y).is_some_and(|it| it[0] < 99));
            let ink: Vec<u32> = ink.map(|(x, _)| x).collect();
            assert!(!ink.is_empty(), "{family}");
            assert!(ink.iter().all(|x| side.contains(x)), "{family} {align:?}: {ink:?}");
        }
    }
}
