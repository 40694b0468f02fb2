//! What makes a text more than lines: decoration, small capitals, paragraphs, lists, scripts read
//! from the right, truncation, and texts that mean harm.

use pentimento::base::{Rect, Size};
use pentimento::design::{
    AutoResize, LineHeight, LineType, NodeKind, StyleOverride, TextAlign, TextCase, TextContent,
    TextDecoration, TextStyle,
};
use pentimento::render::{Line, TextLayout};
use proptest::prelude::*;

use super::picture::assert_golden;
use super::sketch::{draw, filled, inter, layout, measure, messages, node, page, text, within};

const WIDE: Size = Size { width: 400.0, height: 400.0 };

fn content(characters: &str, style: TextStyle) -> TextContent {
    TextContent { characters: characters.to_owned(), style, ..TextContent::default() }
}

/// The text with one override over the UTF-16 units `from..to`.
fn overridden(mut text: TextContent, from: usize, to: usize, over: StyleOverride) -> TextContent {
    text.override_ids = (0..to).map(|unit| u32::from(unit >= from)).collect();
    text.overrides.insert(1, over);
    text
}

fn underlined() -> StyleOverride {
    StyleOverride { decoration: Some(TextDecoration::Underline), ..StyleOverride::default() }
}

fn first(layout: &TextLayout) -> &Line {
    &layout.lines[0]
}

fn decoration(text: &TextContent) -> Rect {
    let laid_out = layout(text, WIDE);
    let lines = &first(&laid_out).decorations;
    assert_eq!(lines.len(), 1, "{lines:?}");
    lines[0].area
}

#[test]
fn an_underline_runs_below_the_baseline_over_the_spaces_between_words() {
    let style = TextStyle { decoration: TextDecoration::Underline, ..inter(20.0, 400.0) };
    let text = content("two words  ", style);
    let (area, laid_out) = (decoration(&text), layout(&text, WIDE));
    let line = first(&laid_out);
    assert!(area.y > line.baseline_y && area.y + area.height < line.top + line.height);
    assert_eq!((area.x, area.x + area.width), (line.x0, line.x1));
    // 140 of Inter's 2048 units.
    assert!((area.height - 20.0 * 140.0 / 2048.0).abs() < 0.01, "{area:?}");
}

#[test]
fn a_strikethrough_runs_through_the_small_letters_of_its_characters_alone() {
    let over = StyleOverride {
        decoration: Some(TextDecoration::Strikethrough),
        ..StyleOverride::default()
    };
    let text = overridden(content("was 20 now 10", inter(20.0, 400.0)), 4, 6, over);
    let (area, laid_out) = (decoration(&text), layout(&text, WIDE));
    let line = first(&laid_out);
    assert!(area.y < line.baseline_y && area.y > line.baseline_y - 20.0 * 0.546);
    assert!(area.x > line.x0 && area.x + area.width < line.x1);
}

#[test]
fn a_decoration_is_within_the_render_bounds_and_of_the_fill() {
    let style = TextStyle { decoration: TextDecoration::Underline, ..inter(20.0, 400.0) };
    let label = filled(text("a", [0.0, 0.0, 60.0, 24.0], "no", style), 0xFF_0000);
    let plain = filled(text("a", [0.0, 0.0, 60.0, 24.0], "no", inter(20.0, 400.0)), 0xFF_0000);
    let (with, without) = (draw(&page([label]), "a"), draw(&page([plain]), "a"));
    assert!(with.page_box.height > without.page_box.height);
    assert_eq!(with.diagnostics, []);
}

#[test]
fn small_capitals_are_narrower_than_capitals_and_as_high_a_line() {
    let in_case = |case| {
        let style = TextStyle { case, ..inter(20.0, 400.0) };
        measure(&content("small", style), None)
    };
    let (small, upper) = (in_case(TextCase::SmallCaps), in_case(TextCase::Upper));
    let ratio = small.lines[0].width / upper.lines[0].width;
    assert!((ratio - 0.8).abs() < 0.01, "{ratio}");
    assert_eq!(small.size.height, upper.size.height);
    assert_eq!(in_case(TextCase::SmallCapsForced).lines, small.lines);
}

#[test]
fn features_of_the_font_are_switched_by_their_tags() {
    let width = |characters: &str, tags: &[(&str, u32)]| {
        let opentype = tags.iter().map(|(tag, value)| ((*tag).to_owned(), *value)).collect();
        let style = TextStyle { opentype, ..inter(20.0, 400.0) };
        measure(&content(characters, style), None).lines[0].width
    };
    assert!((width("111", &[]) - width("888", &[])).abs() > 1.0);
    assert_eq!(width("111", &[("TNUM", 1)]), width("888", &[("TNUM", 1)]));
    assert_eq!(width("111", &[("TNUM", 0), ("no tag", 1)]), width("111", &[]));
}

#[test]
fn a_line_is_as_high_as_its_highest_style_asks() {
    let over = StyleOverride {
        line_height: Some(LineHeight::Pixels(40.0)),
        font_size: Some(10.0),
        ..StyleOverride::default()
    };
    let style = TextStyle { line_height: LineHeight::Pixels(20.0), ..inter(10.0, 400.0) };
    let text = overridden(content("a b\nc", style), 2, 3, over);
    let laid_out = layout(&text, WIDE);
    assert_eq!(laid_out.lines.iter().map(|line| line.height).collect::<Vec<_>>(), [40.0, 20.0]);
}

#[test]
fn a_character_of_another_font_leaves_a_fixed_line_height_alone() {
    let style = TextStyle { line_height: LineHeight::Pixels(20.0), ..inter(14.0, 400.0) };
    let plain = layout(&content("abc", style.clone()), WIDE);
    let mixed = layout(&content("a漢ש😀", style), WIDE);
    assert_eq!(first(&plain).height, first(&mixed).height);
    assert_eq!(first(&plain).baseline_y, first(&mixed).baseline_y);
}

#[test]
fn paragraphs_stand_apart_and_begin_further_in() {
    let style = TextStyle {
        paragraph_spacing: 10.0,
        paragraph_indent: 30.0,
        line_height: LineHeight::Pixels(20.0),
        ..inter(14.0, 400.0)
    };
    let text = content("one\u{2028}two\nthree", style);
    let laid_out = layout(&text, WIDE);
    let tops: Vec<_> = laid_out.lines.iter().map(|line| (line.top, line.x0)).collect();
    assert_eq!(tops, [(0.0, 30.0), (20.0, 0.0), (50.0, 30.0)]);
    let measured = measure(&text, None);
    assert_eq!(measured.size.height, 70.0);
    let widest = measure(&content("three", inter(14.0, 400.0)), None).lines[0].width;
    assert_eq!(measured.size.width, (widest + 30.0).ceil());
}

#[test]
fn a_newline_at_the_end_makes_an_empty_line() {
    let style = TextStyle { line_height: LineHeight::Pixels(20.0), ..inter(14.0, 400.0) };
    assert_eq!(measure(&content("one\n", style.clone()), None).size.height, 40.0);
    assert_eq!(measure(&content("\n", style.clone()), None).size.height, 40.0);
    assert_eq!(measure(&content("\n\n\n", style), None).lines.len(), 4);
}

fn list(lines: &[(&str, LineType, u32)]) -> TextContent {
    let characters = lines.iter().map(|line| line.0).collect::<Vec<_>>().join("\n");
    let style = TextStyle {
        list_spacing: 4.0,
        paragraph_spacing: 10.0,
        line_height: LineHeight::Pixels(20.0),
        ..inter(20.0, 400.0)
    };
    TextContent {
        line_types: lines.iter().map(|line| line.1).collect(),
        line_indents: lines.iter().map(|line| line.2).collect(),
        ..content(&characters, style)
    }
}

#[test]
fn items_of_a_list_stand_further_in_by_their_level_with_their_marker_before_them() {
    use LineType::{None, Ordered, Unordered};
    let text = list(&[("a", Ordered, 1), ("b", Unordered, 2), ("c", None, 0)]);
    let laid_out = layout(&text, WIDE);
    let places: Vec<_> = laid_out.lines.iter().map(|line| (line.x0, line.top)).collect();
    assert_eq!(places, [(30.0, 0.0), (60.0, 24.0), (0.0, 54.0)]);
    let glyphs: Vec<_> = laid_out.lines.iter().map(|line| line.glyphs.len()).collect();
    assert_eq!(glyphs, [3, 2, 1]);
    for line in &laid_out.lines[..2] {
        let marker = &line.glyphs[1..];
        assert!(marker.iter().all(|glyph| glyph.x >= 0.0 && glyph.x + glyph.advance < line.x0));
    }
}

#[test]
fn lines_of_an_item_break_within_its_own_width() {
    let mut text = list(&[("one two three four five six", LineType::Unordered, 1)]);
    text.style.auto_resize = AutoResize::Height;
    let laid_out = layout(&text, Size::new(150.0, 20.0));
    assert!(laid_out.lines.len() > 1);
    assert!(laid_out.lines.iter().all(|line| line.x0 == 30.0 && line.x1 <= 150.05));
}

#[test]
fn words_of_another_direction_stand_where_reading_puts_them() {
    let at = |characters: &str, from, to| {
        let text = overridden(content(characters, inter(20.0, 400.0)), from, to, underlined());
        let laid_out = layout(&text, WIDE);
        let line = first(&laid_out);
        let area = line.decorations[0].area;
        (area.x + area.width / 2.0 - line.x0) / (line.x1 - line.x0)
    };
    // Hebrew in an English line: its first letter is at its right end.
    assert!(at("abc אבג", 4, 5) > at("abc אבג", 6, 7));
    assert!(at("abc אבג", 0, 1) < 0.3);
    // English in a Hebrew line: the first word is on the right.
    assert!(at("אבג abc", 0, 3) > 0.5 && at("אבג abc", 4, 7) < 0.5);
    assert!(at("אבג abc", 4, 5) < at("אבג abc", 6, 7));
}

#[test]
fn left_and_right_are_those_of_the_page_in_every_script() {
    let style = |align| TextStyle { align, ..inter(16.0, 400.0) };
    let line = |align| first(&layout(&content("שלום  ", style(align)), WIDE)).clone();
    assert_eq!(line(TextAlign::Left).x0, 0.0);
    assert!((line(TextAlign::Right).x1 - 400.0).abs() < 1e-9);
    // What is justified and not full begins where reading does.
    assert!((line(TextAlign::Justified).x1 - 400.0).abs() < 1e-9);
}

#[test]
fn a_text_has_no_more_lines_than_it_may() {
    let words = "one two three four five six seven eight nine ten";
    let style = TextStyle {
        truncates: true,
        max_lines: Some(2),
        auto_resize: AutoResize::Height,
        line_height: LineHeight::Pixels(20.0),
        ..inter(16.0, 400.0)
    };
    let text = content(words, style.clone());
    assert_eq!(measure(&text, Some(100.0)).size.height, 40.0);
    let laid_out = layout(&text, Size::new(100.0, 20.0));
    assert_eq!(laid_out.lines.len(), 2);
    assert!(laid_out.lines[1].x1 > 70.0 && laid_out.lines[1].x1 <= 100.05);
    let paragraphs = content("one\n\nthree\nfour", style);
    let cut = layout(&paragraphs, Size::new(100.0, 20.0));
    assert_eq!((cut.lines.len(), cut.lines[1].glyphs.len()), (2, 1));
}

#[test]
fn a_box_that_does_not_follow_its_text_cuts_it_at_its_height() {
    let style =
        TextStyle { truncates: true, line_height: LineHeight::Pixels(20.0), ..inter(16.0, 400.0) };
    let text = content("one\ntwo\nthree", style);
    assert_eq!(layout(&text, Size::new(100.0, 45.0)).lines.len(), 2);
    assert_eq!(layout(&text, Size::new(100.0, 60.0)).lines.len(), 3);
    assert_eq!(layout(&text, Size::new(100.0, 1.0)).lines.len(), 1);
}

#[test]
fn inter_alone_sets_the_scripts_it_has() {
    let text = content("Grüße — Ελλάδα — Привет — 1 234,50 €", inter(16.0, 400.0));
    let laid_out = layout(&text, WIDE);
    assert_eq!((laid_out.machine_families, laid_out.missing), (vec![], vec![]));
    assert_eq!(laid_out.faces.len(), 1);
}

#[test]
fn a_character_that_inter_lacks_is_from_a_font_of_the_machine_or_missing_and_said() {
    let label = filled(text("a", [0.0, 0.0, 100.0, 24.0], "a ש", inter(16.0, 400.0)), 0);
    let laid_out = layout(label.text().unwrap(), label.size);
    assert_eq!(laid_out.machine_families.len() + laid_out.missing.len(), 1, "{laid_out:?}");
    assert_eq!(messages(&draw(&page([label]), "a")).len(), 1);
}

#[test]
fn typography() {
    let mut nodes =
        vec![filled(node("screen", NodeKind::Frame, [0.0, 0.0, 420.0, 250.0]), 0xFF_FFFF)];
    let mut add = |id: &str, at: [f64; 4], content: TextContent| {
        let mut label = text(id, at, "", TextStyle::default());
        if let Some(text) = label.text_mut() {
            *text = content;
        }
        nodes.push(within("screen", filled(label, 0x20_2430)));
    };
    let style = inter(16.0, 400.0);
    let links = content("Underlined by gravity, not by 20 %.", style.clone());
    add("links", [12.0, 10.0, 400.0, 20.0], overridden(links, 0, 21, underlined()));
    let capitals = TextStyle { case: TextCase::SmallCaps, ..style.clone() };
    add("capitals", [12.0, 40.0, 400.0, 20.0], content("Small Capitals of Inter", capitals));
    let struck = TextStyle { decoration: TextDecoration::Strikethrough, ..inter(22.0, 700.0) };
    add("struck", [230.0, 36.0, 180.0, 28.0], content("€ 49,90", struck));
    let items = [
        ("Wash the jars", LineType::Ordered, 1),
        ("hot water", LineType::Unordered, 2),
        ("no soap", LineType::Unordered, 2),
        ("Fill them to the brim and close them at once", LineType::Ordered, 1),
    ];
    let mut steps = list(&items);
    steps.style.font_size = 14.0;
    add("list", [12.0, 72.0, 190.0, 120.0], steps);
    let justified = TextStyle {
        align: TextAlign::Justified,
        paragraph_indent: 16.0,
        paragraph_spacing: 6.0,
        ..inter(12.0, 400.0)
    };
    let words = "Both edges of a justified paragraph are straight but for its last line.\n\
                 The next one begins further in, as this one does.";
    add("justified", [230.0, 76.0, 170.0, 120.0], content(words, justified));
    let tabular = [("TNUM", 1), ("SS01", 1)].map(|(tag, on)| (tag.to_owned(), on));
    let digits = TextStyle { opentype: tabular.into_iter().collect(), ..style };
    add(
        "digits",
        [12.0, 215.0, 400.0, 20.0],
        content("1111 8888 1111 with tabular digits", digits),
    );
    let rendered = draw(&page(nodes), "screen");
    assert_eq!(rendered.diagnostics, []);
    assert_golden("typography", &rendered.pixels);
}

fn style() -> impl Strategy<Value = TextStyle> {
    let number = || prop_oneof![Just(f64::NAN), Just(-1e300), -50.0..500.0, Just(1e300)];
    (
        (number(), number(), number(), number(), number(), number()),
        (0usize..6, 0usize..3, 0usize..4, 0usize..4),
        (any::<bool>(), proptest::option::of(0u32..5)),
    )
        .prop_map(|(numbers, (case, decoration, align, resize), (truncates, max_lines))| {
            use TextCase::{Lower, Original, SmallCaps, SmallCapsForced, Title, Upper};
            TextStyle {
                font_size: numbers.0,
                letter_spacing: numbers.1,
                line_height: LineHeight::Pixels(numbers.2),
                paragraph_spacing: numbers.3,
                paragraph_indent: numbers.4,
                list_spacing: numbers.5,
                case: [Original, Upper, Lower, Title, SmallCaps, SmallCapsForced][case],
                decoration: [
                    TextDecoration::None,
                    TextDecoration::Underline,
                    TextDecoration::Strikethrough,
                ][decoration],
                align: [TextAlign::Left, TextAlign::Center, TextAlign::Right, TextAlign::Justified]
                    [align],
                auto_resize: [
                    AutoResize::None,
                    AutoResize::Height,
                    AutoResize::WidthAndHeight,
                    AutoResize::Truncate,
                ][resize],
                truncates,
                max_lines,
                ..TextStyle::default()
            }
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn no_text_makes_it_panic(
        characters in "(?s).{0,40}",
        style in style(),
        ids in proptest::collection::vec(0u32..3, 0..40),
        kinds in proptest::collection::vec((0usize..3, any::<u32>()), 0..4),
        (width, height) in (-10.0..400.0, -10.0..400.0),
    ) {
        let mut text = overridden(content(&characters, style.clone()), 0, 0, underlined());
        text.override_ids = ids;
        text.style.auto_resize = style.auto_resize;
        let types = [LineType::None, LineType::Ordered, LineType::Unordered];
        text.line_types = kinds.iter().map(|(kind, _)| types[*kind]).collect();
        text.line_indents = kinds.iter().map(|(_, indent)| *indent).collect();
        let laid_out = layout(&text, Size::new(width, height));
        for line in &laid_out.lines {
            prop_assert!(line.x0.is_finite() && line.x1.is_finite() && line.top.is_finite());
        }
        let measured = measure(&text, Some(width));
        prop_assert!(measured.size.height.is_finite());
    }

    #[test]
    fn every_line_of_letters_fits_its_box(words in "[a-z]{1,9}( [a-z]{1,9}){0,12}", width in 60.0..300.0) {
        let style = TextStyle { auto_resize: AutoResize::Height, ..inter(12.0, 400.0) };
        let text = content(&words, style);
        let laid_out = layout(&text, Size::new(width, 10.0));
        prop_assert!(laid_out.lines.iter().all(|line| line.x1 <= width + 0.05));
        let kept: String = laid_out.lines.iter().map(|line| &words[line.text_range.clone()]).collect();
        prop_assert_eq!(kept, words);
    }
}
