//! Glyphs with colours of their own, in the fonts that `tests/data/fonts/make.py` makes. Each place
//! asked for lies well within an area of one colour.

use std::sync::LazyLock;

use pentimento::base::{Pixels, Size};
use pentimento::design::{Document, NodeKind, TextContent, TextStyle};
use pentimento::render::svg::{SvgOptions, export_node};
use pentimento::render::{
    Fonts, RenderContext, RenderOptions, layout_text, render_node, text_coverage,
};
use resvg::{tiny_skia, usvg};

use super::picture::save_triptych;
use super::sketch::{filled, node, page};

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];
const NOTHING: [u8; 4] = [0; 4];

/// How far a channel may be from what is expected.
const TOLERANCE: i32 = 3;

/// With the fonts of the glyphs.
fn context() -> RenderContext {
    static CONTEXT: LazyLock<RenderContext> = LazyLock::new(|| {
        let files: [&[u8]; 3] = [
            include_bytes!("../../data/fonts/gradients.ttf"),
            include_bytes!("../../data/fonts/pictures-cbdt.ttf"),
            include_bytes!("../../data/fonts/pictures-sbix.ttf"),
        ];
        let mut fonts = Fonts::default();
        for file in files {
            assert_eq!(fonts.add(file.to_vec()).len(), 1);
        }
        RenderContext::new(fonts)
    });
    CONTEXT.clone()
}

fn content(family: &str, characters: &str) -> TextContent {
    let style =
        TextStyle { font_family: family.to_owned(), font_size: 100.0, ..TextStyle::default() };
    TextContent { characters: characters.to_owned(), style, ..TextContent::default() }
}

/// A text at 100 pixels an em whose baseline is at 90, with a box to spare.
fn text(family: &str, characters: &str, rgb: u32) -> Document {
    let kind = NodeKind::Text(Box::new(content(family, characters)));
    page([filled(node("text", kind, [0.0, 0.0, 600.0, 100.0]), rgb)])
}

fn drawn(document: &Document) -> Pixels {
    let rendered =
        render_node(&context(), document, &"text".into(), RenderOptions::default()).unwrap();
    let told = rendered.diagnostics.iter().any(|told| told.message.contains("set in Pentimento"));
    assert!(told, "{:?}", rendered.diagnostics);
    // The picture is as large as what is painted: it begins at its render bounds.
    let page_box = rendered.page_box;
    let mut sheet = Pixels::filled(600, 100, NOTHING).unwrap();
    for y in 0..100 {
        for x in 0..600 {
            let at = (f64::from(x) - page_box.x, f64::from(y) - page_box.y);
            if at.0 >= 0.0
                && at.1 >= 0.0
                && let Some(pixel) = rendered.pixels.get(at.0 as u32, at.1 as u32)
            {
                sheet.put(x, y, 1, &pixel);
            }
        }
    }
    sheet
}

fn assert_at(picture: &Pixels, (x, y): (u32, u32), expected: [u8; 4]) {
    let got = picture.get(x, y).unwrap();
    let is_near = |(a, b): (&u8, &u8)| (i32::from(*a) - i32::from(*b)).abs() <= TOLERANCE;
    assert!(got.iter().zip(&expected).all(is_near), "{got:?} at {x}, {y}, not {expected:?}");
}

/// A picture of eight by eight pixels, ten an em, one to the right of the origin and two of them
/// below the baseline at 90.
fn assert_is_picture(family: &str) {
    let picture = drawn(&text(family, "AA", 0x00_00_00));
    for left in [0, 100] {
        assert_at(&picture, (left + 30, 50), RED);
        assert_at(&picture, (left + 70, 50), GREEN);
        assert_at(&picture, (left + 30, 95), BLUE);
        assert_at(&picture, (left + 70, 95), [0, 0, 0, 128]);
        assert_at(&picture, (left + 7, 60), NOTHING);
        assert_at(&picture, (left + 93, 60), NOTHING);
    }
}

#[test]
fn pictures_of_a_cbdt_table_stand_on_the_baseline() {
    assert_is_picture("Pentimento Pictures CBDT");
}

#[test]
fn pictures_of_an_sbix_table_stand_on_the_baseline() {
    assert_is_picture("Pentimento Pictures sbix");
}

#[test]
fn gradients_run_as_the_font_says() {
    let picture = drawn(&text("Pentimento Gradients", "ABC", 0x00_00_00));
    // A: along the slanted line from red to blue and back, 20 pixels each; 30 up, 15 further.
    assert_at(&picture, (32 + 15, 60), [220, 0, 35, 255]);
    assert_at(&picture, (49 + 15, 60), [3, 0, 252, 255]);
    // B: the inner circle is red, what is outside of the outer one its last colour.
    assert_at(&picture, (100 + 35, 40), RED);
    assert_at(&picture, (100 + 88, 88), [0, 0, 255, 128]);
    // C: counter-clockwise from 45 degrees; green is half way, at 180.
    assert_at(&picture, (200 + 20, 50), [0, 255, 0, 255]);
    assert_at(&picture, (200 + 80, 55), BLUE);
    assert_at(&picture, (200 + 80, 45), RED);
}

#[test]
fn areas_are_cut_and_composed_as_the_font_says() {
    let picture = drawn(&text("Pentimento Gradients", "DE", 0x00_00_00));
    assert_at(&picture, (50, 50), [255, 0, 0, 128]);
    assert_at(&picture, (15, 15), NOTHING);
    assert_at(&picture, (100 + 20, 80), [0, 255, 255, 255]);
    assert_at(&picture, (100 + 80, 20), [255, 255, 0, 255]);
    assert_at(&picture, (100 + 50, 50), GREEN);
}

#[test]
fn the_exported_svg_shows_the_same_colours() {
    for (family, characters) in [
        ("Pentimento Gradients", "ABCDE"),
        ("Pentimento Pictures CBDT", "AA"),
        ("Pentimento Pictures sbix", "AA"),
    ] {
        let document = text(family, characters, 0x00_00_00);
        let own = render_node(&context(), &document, &"text".into(), RenderOptions::default())
            .unwrap()
            .pixels;
        let svg =
            export_node(&context(), &document, &"text".into(), SvgOptions::default()).unwrap().svg;
        let tree = usvg::Tree::from_str(&svg, &usvg::Options::default()).unwrap();
        let mut pixmap = tiny_skia::Pixmap::new(own.width(), own.height()).unwrap();
        resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixmap.as_mut());
        let judge = pixmap.take_demultiplied();
        let differs = |(a, b): &(&u8, &u8)| (i32::from(**a) - i32::from(**b)).abs() > 24;
        let differing = own.rgba().iter().zip(&judge).filter(differs).count();
        let share = differing as f64 / judge.len() as f64;
        if share >= 0.02 {
            let judge = Pixels::from_rgba(own.width(), own.height(), judge).unwrap();
            save_triptych(family, &judge, &own);
        }
        assert!(share < 0.02, "{family}: {share} of the samples differ");
    }
}

#[test]
fn gradients_stay_gradients_in_the_exported_svg() {
    let export = |characters| {
        let document = text("Pentimento Gradients", characters, 0x00_00_00);
        export_node(&context(), &document, &"text".into(), SvgOptions::default()).unwrap().svg
    };
    let svg = export("AB");
    assert!(svg.contains("spreadMethod=\"reflect\"") && svg.contains("<radialGradient"), "{svg}");
    assert!(!svg.contains("<image"), "{svg}");
    assert!(export("C").contains("<image"));
}

#[test]
fn a_coloured_glyph_takes_the_opacity_of_its_node_and_casts_its_shape() {
    let content = content("Pentimento Pictures CBDT", "A");
    let kind = NodeKind::Text(Box::new(content.clone()));
    let mut faint = filled(node("text", kind, [0.0, 0.0, 600.0, 100.0]), 0x00_00_00);
    faint.opacity = 0.5;
    assert_at(&drawn(&page([faint])), (30, 50), [255, 0, 0, 128]);
    let covered = text_coverage(&context(), &content, Size::new(100.0, 100.0)).unwrap();
    let at = |x: usize, y: usize| covered.values[y * covered.width as usize + x];
    assert_eq!((at(30, 50), at(5, 50)), (255, 0));
    assert!((126..=130).contains(&at(70, 95)));
}

#[test]
fn a_glyph_knows_which_characters_it_shows() {
    let set = layout_text(
        &context(),
        &content("Pentimento Pictures CBDT", "A A\nA"),
        Size::new(600.0, 100.0),
    );
    let starts = set.lines.iter().flat_map(|line| line.glyphs.iter().map(|glyph| glyph.text_start));
    assert_eq!(starts.collect::<Vec<_>>(), [0, 2, 4]);
}

#[test]
fn what_is_no_font_adds_no_family() {
    let mut fonts = Fonts::default();
    assert_eq!(fonts.add(b"no font".to_vec()), Vec::<String>::new());
    assert_eq!(fonts.add(Vec::new()), Vec::<String>::new());
    let file: &[u8] = include_bytes!("../../data/fonts/gradients.ttf");
    assert_eq!(fonts.add(file[..200].to_vec()), Vec::<String>::new());
}
