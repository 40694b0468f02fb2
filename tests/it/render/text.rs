//! Text: widths, lines, alignment, styles, and an independent judge.

use std::fmt::Write as _;

use pentimento::base::{Pixels, Size};
use pentimento::design::{
    AutoResize, LineHeight, Node, NodeKind, StyleOverride, TextAlign, TextCase, TextContent,
    TextStyle, VerticalAlign,
};
use resvg::{tiny_skia, usvg};

use super::picture::{difference, save_triptych};
use super::sketch::{
    coverage, draw, filled, inter, layout, measure, messages, node, page, solid, text, within,
};

fn content(characters: &str, style: TextStyle) -> TextContent {
    TextContent { characters: characters.to_owned(), style, ..TextContent::default() }
}

fn width(characters: &str, style: TextStyle) -> f64 {
    layout(&content(characters, wrapping(style, AutoResize::WidthAndHeight)), Size::default())
        .natural_size()
        .width
}

fn wrapping(style: TextStyle, auto_resize: AutoResize) -> TextStyle {
    TextStyle { auto_resize, ..style }
}

fn lines(characters: &str, style: TextStyle, size: Size) -> Vec<String> {
    let laid_out = layout(&content(characters, style), size);
    let line = |range: &std::ops::Range<usize>| characters[range.clone()].trim_end().to_owned();
    laid_out.lines.iter().map(|placed| line(&placed.text_range)).collect()
}

#[test]
fn advances_are_those_of_the_font() {
    // From the hmtx table of Inter 4.001 at its default place, in 2048 units an em.
    for (letter, units) in [("H", 1522.0), ("n", 1210.0), ("i", 496.0), ("0", 1292.0)] {
        let expected = units / 2048.0 * 100.0;
        let got = width(letter, inter(100.0, 400.0));
        assert!((got - expected).abs() < 0.05, "{letter}: {got} instead of {expected}");
    }
}

#[test]
fn heavier_text_is_wider() {
    let widths = [100.0, 400.0, 600.0, 900.0].map(|w| width("Handgloves", inter(20.0, w)));
    assert!(widths.windows(2).all(|pair| pair[0] < pair[1]), "{widths:?}");
}

#[test]
fn italics_come_from_the_italic_file() {
    let style = TextStyle { italic: true, ..inter(20.0, 400.0) };
    let laid_out = layout(&content("a", style), Size::new(100.0, 30.0));
    assert!(laid_out.faces[0].is_italic);
}

#[test]
fn letter_spacing_follows_every_character() {
    let plain = width("spaced", inter(16.0, 400.0));
    let style = TextStyle { letter_spacing: 2.0, ..inter(16.0, 400.0) };
    // Kerning between letters that stand apart is kept, as in Figma.
    assert!((width("spaced", style) - plain - 12.0).abs() < 0.05);
}

#[test]
fn automatic_lines_of_inter_are_1_21_em_high() {
    let measured = measure(&content("one\ntwo", inter(16.0, 400.0)), None);
    assert!((measured.lines[0].height - 19.36).abs() < 0.01, "{:?}", measured.lines);
    assert_eq!(measured.size.height, 39.0);
    assert_eq!(measure(&content("one", inter(16.0, 400.0)), None).size.height, 19.0);
}

#[test]
fn a_fixed_line_height_is_shared_above_and_below() {
    let style = TextStyle { line_height: LineHeight::Pixels(24.0), ..inter(16.0, 400.0) };
    let laid_out = layout(&content("one\ntwo", style), Size::new(100.0, 48.0));
    // Figma writes y = 17.8182 for this in its SVG.
    assert!((laid_out.lines[0].baseline_y - 17.818).abs() < 0.02, "{:?}", laid_out.lines[0]);
    assert!((laid_out.lines[1].baseline_y - 41.818).abs() < 0.02);
}

#[test]
fn a_line_height_in_per_cent_is_of_the_font_size() {
    let style = TextStyle { line_height: LineHeight::Percent(150.0), ..inter(16.0, 400.0) };
    assert_eq!(measure(&content("one\ntwo\nthree", style), None).size.height, 72.0);
}

#[test]
fn lines_break_at_spaces_and_long_words_anywhere() {
    let style = inter(16.0, 400.0);
    let broken = lines("The quick brown fox", style.clone(), Size::new(90.0, 100.0));
    assert_eq!(broken, ["The quick", "brown fox"]);
    let long = lines("Donaudampfschifffahrt", style, Size::new(60.0, 100.0));
    assert!(long.len() >= 3 && long.concat() == "Donaudampfschifffahrt", "{long:?}");
}

#[test]
fn paragraphs_and_line_separators_begin_lines() {
    let style = wrapping(inter(16.0, 400.0), AutoResize::WidthAndHeight);
    assert_eq!(lines("a\nb\u{2028}c\n\nd", style, Size::default()), ["a", "b", "c", "", "d"]);
}

#[test]
fn a_text_fits_the_width_it_was_measured_for() {
    for characters in ["Sign in", "Continue with e-mail", "Wi-Fi & Bluetooth", "€ 1.234,56"] {
        let style = wrapping(inter(13.0, 500.0), AutoResize::Height);
        let natural = width(characters, style.clone());
        let broken = lines(characters, style, Size::new(natural, 20.0));
        assert_eq!(broken.len(), 1, "{characters}");
    }
}

#[test]
fn alignment_is_within_the_box_even_where_text_leaves_it() {
    for (align, share) in
        [(TextAlign::Left, 0.0), (TextAlign::Center, 0.5), (TextAlign::Right, 1.0)]
    {
        let style = TextStyle { align, ..wrapping(inter(16.0, 400.0), AutoResize::WidthAndHeight) };
        let natural = width("Overflowing", style.clone());
        for box_width in [200.0, 40.0] {
            let laid_out =
                layout(&content("Overflowing", style.clone()), Size::new(box_width, 19.0));
            let expected = (box_width - natural) * share;
            assert!((laid_out.lines[0].x0 - expected).abs() < 0.01, "{align:?} in {box_width}");
        }
    }
}

#[test]
fn trailing_space_does_not_move_centred_text() {
    let style = TextStyle { align: TextAlign::Center, ..inter(16.0, 400.0) };
    let at = |characters: &str| {
        layout(&content(characters, style.clone()), Size::new(200.0, 19.0)).lines[0].x0
    };
    assert!((at("centre") - at("centre  ")).abs() < 0.01);
}

#[test]
fn text_sits_at_the_top_the_middle_or_the_bottom() {
    let tops =
        [VerticalAlign::Top, VerticalAlign::Center, VerticalAlign::Bottom].map(|vertical_align| {
            let style = TextStyle {
                vertical_align,
                line_height: LineHeight::Pixels(20.0),
                ..inter(14.0, 400.0)
            };
            layout(&content("x", style), Size::new(100.0, 100.0)).lines[0].top
        });
    assert_eq!(tops, [0.0, 40.0, 80.0]);
}

#[test]
fn justified_lines_reach_both_edges_but_the_last() {
    let style = TextStyle { align: TextAlign::Justified, ..inter(14.0, 400.0) };
    let laid_out = layout(&content("one two three four five six", style), Size::new(110.0, 100.0));
    let (last, full) = laid_out.lines.split_last().unwrap();
    assert!(full.iter().all(|line| (line.x1 - 110.0).abs() < 0.05), "{full:?}");
    assert!(last.x1 < 100.0);
}

#[test]
fn truncated_text_ends_with_an_ellipsis_within_its_box() {
    let style = wrapping(inter(14.0, 400.0), AutoResize::Truncate);
    let size = Size::new(120.0, 34.0);
    let cut = layout(
        &content("A long text that needs more than the two lines it has", style.clone()),
        size,
    );
    assert_eq!(cut.lines.len(), 2);
    assert!(cut.lines.iter().all(|line| line.x1 <= 120.05), "{:?}", cut.lines);
    assert!(cut.lines[1].x1 > 90.0, "the last line is filled: {:?}", cut.lines[1]);
    let whole = layout(&content("Short", style), size);
    assert_eq!(whole.lines[0].glyphs.len(), 5);
}

#[test]
fn overrides_change_size_weight_and_colour_of_their_characters() {
    let mut label = text("a", [4.0, 4.0, 200.0, 40.0], "Total €42", inter(16.0, 400.0));
    label = filled(label, 0x00_0000);
    let style = StyleOverride {
        font_size: Some(32.0),
        font_weight: Some(800.0),
        fills: Some(vec![solid(0xFF_0000)]),
        ..StyleOverride::default()
    };
    if let Some(content) = label.text_mut() {
        content.override_ids = vec![0, 0, 0, 0, 0, 0, 3, 3, 3];
        content.overrides.insert(3, style);
    }
    let laid_out = layout(label.text().unwrap(), label.size);
    assert_eq!(laid_out.faces.len(), 2);
    let rendered = draw(&page([label]), "a");
    let is_red = |pixel: &&[u8]| pixel[0] > 250 && pixel[1] < 5;
    assert!(rendered.pixels.rgba().chunks(4).filter(is_red).count() > 50);
}

#[test]
fn what_inter_cannot_set_is_shown_and_said() {
    // A family and a character (for private use) that no machine has.
    let style = TextStyle { font_family: "No Such Sans".to_owned(), ..inter(16.0, 400.0) };
    let label = filled(text("a", [0.0, 0.0, 100.0, 20.0], "ok \u{10FFFD}", style), 0);
    let rendered = draw(&page([label]), "a");
    assert_eq!(
        messages(&rendered),
        [
            "a: the font No Such Sans is not available: set in Inter",
            "a: no font has a glyph for \u{10FFFD} (U+10FFFD): drawn as a box"
        ]
    );
}

#[test]
fn the_case_of_letters_is_figmas() {
    let mut label = filled(text("a", [0.0, 0.0, 100.0, 20.0], "menu", inter(16.0, 400.0)), 0);
    let capitals = filled(text("a", [0.0, 0.0, 100.0, 20.0], "MENU", inter(16.0, 400.0)), 0);
    label.text_mut().unwrap().style.case = TextCase::Upper;
    assert_eq!(draw(&page([label]), "a").pixels, draw(&page([capitals]), "a").pixels);
}

#[test]
fn coverage_is_that_of_black_text_on_white() {
    let label = filled(text("a", [0.0, 0.0, 60.0, 20.0], "gay", inter(16.0, 500.0)), 0);
    let covered = coverage(label.text().unwrap(), label.size).unwrap();
    let frame = filled(node("f", NodeKind::Frame, [0.0, 0.0, 60.0, 20.0]), 0xFF_FFFF);
    let drawn = draw(&page([frame, within("f", label)]), "f").pixels;
    for (pixel, value) in drawn.rgba().chunks(4).zip(&covered.values) {
        assert!((255 - value).abs_diff(pixel[0]) <= 1, "{pixel:?} {value}");
    }
}

/// Text by resvg with the same font file, at its default weight.
fn judge(lines: &[(&str, f64, f64)], size: f64, (width, height): (u32, u32)) -> Pixels {
    let mut options =
        usvg::Options { font_family: "Inter Variable".to_owned(), ..Default::default() };
    let font = include_bytes!("../../../assets/fonts/InterVariable.ttf");
    options.fontdb_mut().load_font_data(font.to_vec());
    let mut texts = String::new();
    for (line, x, y) in lines {
        write!(texts, r#"<text x="{x}" y="{y}" font-size="{size}">{line}</text>"#).unwrap();
    }
    let svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"><rect width="100%" height="100%" fill="white"/>{texts}</svg>"#
    );
    let tree = usvg::Tree::from_str(&svg, &options).unwrap();
    let mut pixmap = tiny_skia::Pixmap::new(width, height).unwrap();
    resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixmap.as_mut());
    Pixels::from_rgba(width, height, pixmap.take_demultiplied()).unwrap()
}

fn page_of_text(label: Node, width: f64, height: f64) -> Pixels {
    let frame = filled(node("f", NodeKind::Frame, [0.0, 0.0, width, height]), 0xFF_FFFF);
    draw(&page([frame, within("f", filled(label, 0))]), "f").pixels
}

#[test]
fn text_looks_as_resvg_draws_it_with_the_same_font() {
    // Above 14 px resvg takes Inter's optical sizes, which Figma leaves alone.
    for size in [9.0, 11.0, 14.0] {
        let style = TextStyle {
            line_height: LineHeight::Pixels(size * 1.5),
            ..wrapping(inter(size, 400.0), AutoResize::WidthAndHeight)
        };
        let words = ["Hamburgefonstiv AVATAR", "quick 1234567890 (Wj)"];
        let label = text("t", [6.0, 4.0, 400.0, size * 3.0], &words.join("\n"), style);
        let baselines: Vec<f64> =
            layout(label.text().unwrap(), label.size).lines.iter().map(|l| l.baseline_y).collect();
        let ours = page_of_text(label, 360.0, 80.0);
        let lines = [(words[0], 6.0, 4.0 + baselines[0]), (words[1], 6.0, 4.0 + baselines[1])];
        let theirs = judge(&lines, size, (360, 80));
        let difference = difference(&ours, &theirs);
        if difference.mean > 0.4 || difference.far > 0.01 {
            let report = save_triptych(&format!("text-{size}"), &theirs, &ours);
            panic!("{size}: {difference:?}, see {}", report.display());
        }
    }
}
