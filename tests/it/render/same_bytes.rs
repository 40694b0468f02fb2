//! The same document gives the same bytes, whatever was drawn before, in whatever order, on however
//! many threads, and whatever fonts other drawing has at hand.

use std::collections::BTreeMap;
use std::sync::Mutex;

use pentimento::base::Size;
use pentimento::design::{Document, NodeId, NodeKind, TextContent, TextStyle, figma};
use pentimento::render::svg::{SvgOptions, TextForm, export_node};
use pentimento::render::{
    FontSource, Fonts, RenderContext, RenderOptions, all_render_bounds, layout_text, render_node,
};

use super::random_design::{ROOT, random_design};
use super::sketch::{filled, node, page};
use crate::shared;

const DOCUMENTS: u64 = 500;

/// Texts in fonts that are there and that are not, in several scripts.
const WORDS: [(&str, &str); 8] = [
    ("Inter", "Quick brown fox, 0123"),
    ("Inter Display", "Grüße, Привет"),
    ("No Such Family", "Set in another font that is wider"),
    ("Pentimento Hebrew", "שלום abc"),
    ("Pentimento Arabic", "مرحبا 12"),
    ("Inter", "漢字かな 한국 😀👍🏽"),
    ("Noto Sans", "ไทย ქართული देवनागरी"),
    ("Pentimento Pictures CBDT", "A A"),
];

struct Drawn {
    document: Document,
    id: NodeId,
}

impl Drawn {
    fn has_text(&self) -> bool {
        self.document.subtree(&self.id).any(|node| node.text().is_some())
    }
}

/// A design from a seed: shapes, or a text in one of the fonts.
fn documents() -> Vec<Drawn> {
    let mut all: Vec<Drawn> = (0..DOCUMENTS)
        .map(|seed| {
            if seed % 3 != 0 {
                return Drawn { document: random_design(seed), id: ROOT.into() };
            }
            let (family, characters) = WORDS[(seed / 3) as usize % WORDS.len()];
            let style = TextStyle {
                font_family: family.to_owned(),
                font_size: 9.0 + (seed % 23) as f64,
                font_weight: 100.0 * (1 + seed % 9) as f64,
                italic: seed % 2 == 0,
                ..TextStyle::default()
            };
            let content =
                TextContent { characters: characters.to_owned(), style, ..TextContent::default() };
            let text = node("t", NodeKind::Text(Box::new(content)), [8.0, 8.0, 120.0, 60.0]);
            Drawn { document: page([filled(text, 0x33_55_77)]), id: "t".into() }
        })
        .collect();
    let files = ["button", "cookie-banner", "header", "tag"];
    for path in files.iter().filter_map(|name| shared::path(&format!("data/figma/{name}.json"))) {
        let json = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let document = figma::from_json(json).unwrap().document;
        let id = document.roots()[0].clone();
        all.push(Drawn { document, id });
    }
    all
}

/// A hash of all that drawing gives.
fn bytes(context: &RenderContext, drawn: &Drawn) -> String {
    let Drawn { document, id } = drawn;
    let mut hash = blake3::Hasher::new();
    match render_node(context, document, id, RenderOptions::default()) {
        Ok(rendered) => {
            hash.update(rendered.pixels.rgba());
            hash.update(format!("{:?}", rendered.diagnostics).as_bytes());
        }
        Err(error) => drop(hash.update(error.to_string().as_bytes())),
    }
    for text in [TextForm::Outlines, TextForm::Text] {
        let options = SvgOptions { text, ..SvgOptions::default() };
        if let Ok(exported) = export_node(context, document, id, options) {
            hash.update(exported.svg.as_bytes());
        }
    }
    hash.update(format!("{:?}", all_render_bounds(context, document)).as_bytes());
    for content in document.subtree(id).filter_map(|node| node.text()) {
        let layout = layout_text(context, content, Size::new(90.0, 40.0));
        hash.update(format!("{:?}", layout.lines).as_bytes());
    }
    hash.finalize().to_hex().to_string()
}

/// The bytes of all documents by their index, drawn in this order by threads that share a context.
/// Every thread draws what `beside` draws in between.
fn all_bytes(
    documents: &[Drawn],
    context: &RenderContext,
    (order, threads): (&[usize], usize),
    beside: Option<&RenderContext>,
) -> BTreeMap<usize, String> {
    let (next, found) = (Mutex::new(order.iter()), Mutex::new(BTreeMap::new()));
    std::thread::scope(|scope| {
        for number in 0..threads {
            let draw = || {
                loop {
                    let Some(index) = next.lock().unwrap().next().copied() else { return };
                    if let Some(beside) = beside {
                        drop(layout_text(
                            beside,
                            &TextContent {
                                characters: WORDS[index % WORDS.len()].1.to_owned(),
                                ..TextContent::default()
                            },
                            Size::new(90.0, 40.0),
                        ));
                    }
                    let bytes = bytes(context, &documents[index]);
                    found.lock().unwrap().insert(index, bytes);
                }
            };
            std::thread::Builder::new()
                .name(format!("draw-{number}"))
                .spawn_scoped(scope, draw)
                .unwrap();
        }
    });
    found.into_inner().unwrap()
}

/// Fonts as a machine may have them.
fn with_fonts(source: FontSource) -> RenderContext {
    let files: [&[u8]; 3] = [
        include_bytes!("../../data/fonts/hebrew.ttf"),
        include_bytes!("../../data/fonts/arabic.ttf"),
        include_bytes!("../../data/fonts/pictures-cbdt.ttf"),
    ];
    let mut fonts = Fonts::new(source);
    for file in files {
        assert_eq!(fonts.add(file.to_vec()).len(), 1);
    }
    RenderContext::new(fonts)
}

type MakeContext = fn() -> RenderContext;
/// Orders, each with a number of threads.
type Ways<'a> = &'a [(&'a [usize], usize)];

#[test]
fn the_same_document_gives_the_same_bytes_in_any_order_on_any_threads() {
    let documents = documents();
    let forwards: Vec<usize> = (0..documents.len()).collect();
    // 7 has no factor in common with the number of documents unless that is one of its multiples.
    let mut mixed: Vec<usize> = forwards.iter().rev().copied().collect();
    mixed.sort_by_key(|index| (index * 7919) % 503);

    // Fonts change nothing in a document without text: with others, only those with some are drawn.
    let [forwards_of_text, mixed_of_text] = [&forwards, &mixed].map(|order| {
        let order = order.iter().copied().filter(|index| documents[*index].has_text());
        order.collect::<Vec<usize>>()
    });
    let of = |make: fn() -> RenderContext, order: &[usize], threads, beside: Option<_>| {
        all_bytes(&documents, &make(), (order, threads), beside)
    };
    let all: Ways<'_> = &[(&mixed, 1), (&forwards, 4), (&mixed, 4)];
    let of_text: Ways<'_> = &[(&mixed_of_text, 1), (&forwards_of_text, 4), (&mixed_of_text, 4)];
    let makers: [(MakeContext, &[usize], Ways<'_>); 3] = [
        (RenderContext::default, &forwards, all),
        (|| with_fonts(FontSource::Vendored), &forwards_of_text, of_text),
        (|| with_fonts(FontSource::Machine), &forwards_of_text, of_text),
    ];
    let machine = with_fonts(FontSource::Machine);
    let mut alone = Vec::new();
    for (make, order, ways) in makers {
        let first = of(make, order, 1, None);
        assert_eq!(first.len(), order.len());
        for (order, threads) in ways.iter().copied() {
            let again = of(make, order, threads, Some(&machine));
            let differing: Vec<_> =
                first.iter().filter(|(index, bytes)| again[*index] != **bytes).collect();
            assert!(differing.is_empty(), "on {threads} threads: {differing:?}");
        }
        alone.push(first);
    }
    // What is in Inter is the same with and without other fonts; what names them is not.
    let text_in = |word: usize| 3 * word;
    assert_eq!(alone[0][&text_in(0)], alone[1][&text_in(0)]);
    assert_eq!(alone[0][&text_in(0)], alone[2][&text_in(0)]);
    assert_ne!(alone[0][&text_in(3)], alone[1][&text_in(3)]);
}

#[test]
fn a_document_drawn_for_the_first_time_is_as_it_is_ever_after() {
    let context = RenderContext::default();
    for drawn in &documents()[..60] {
        let warm = bytes(&context, drawn);
        assert_eq!(warm, bytes(&context, drawn));
        context.drop_caches();
        assert_eq!(warm, bytes(&context, drawn));
    }
}
