//! The tracer over screens that did not shape it: they are made here, of cards, rows, tiles, buttons and
//! paragraphs in sizes, places, words and colours that follow from a seed.
//!
//! They are simpler than a designer's: set in Inter, without pictures and icons, so the figures say how it
//! does what it can, and not how it does on designs at large.

use pentimento::base::{CancelToken, Size};
use pentimento::design::figma;
use pentimento::environment::{
    Environment, EnvironmentKind, FontSource, PictureRequest, StartState, ToolCall,
    open_environment,
};
use pentimento::metric::ssim::SsimUniform7;
use pentimento::metric::{Comparison, Registry};
use serde_json::{Value, json};

use super::{check, draw};
use crate::dice::Dice;

const SIZE: Size = Size { width: 390.0, height: 844.0 };
/// Screens that are drawn; the figures in docs/metrics.md are of `TRACER_SCREENS=12`.
const SCREENS: u64 = 2;

const WORDS: [&str; 96] = [
    "account", "again", "almost", "amount", "answer", "arrive", "balance", "before", "begin",
    "better", "board", "bridge", "bring", "carry", "change", "choose", "clear", "close", "coffee",
    "corner", "cover", "daily", "deliver", "detail", "direct", "early", "empty", "evening",
    "every", "family", "field", "figure", "final", "follow", "forest", "friend", "garden",
    "gather", "gentle", "green", "ground", "happen", "harbour", "history", "house", "inside",
    "invite", "island", "journey", "kitchen", "large", "later", "learn", "letter", "light",
    "listen", "little", "market", "measure", "meeting", "member", "middle", "minute", "moment",
    "morning", "mountain", "music", "narrow", "nearby", "notice", "number", "offer", "office",
    "orange", "order", "outside", "paper", "people", "picture", "place", "planet", "please",
    "pocket", "quiet", "reach", "ready", "record", "river", "season", "second", "simple",
    "station", "summer", "table", "travel", "window",
];

/// Light and dark grounds, each with cards on it, words, quiet words, and a colour.
#[expect(clippy::unreadable_literal, reason = "RRGGBB, as designers write colours")]
const PALETTES: [[u32; 5]; 5] = [
    [0xFFFFFF, 0xF3F4F6, 0x111827, 0x6B7280, 0x2563EB],
    [0xF7F5F0, 0xFFFFFF, 0x2B2118, 0x857A6D, 0xC2410C],
    [0x0F1115, 0x1C1F26, 0xF5F6F8, 0x9AA1AC, 0x22C55E],
    [0xEEF6F2, 0xFFFFFF, 0x0B3B2E, 0x5B7F73, 0x0F766E],
    [0x1B1030, 0x2A1B48, 0xF4EEFF, 0xB3A3D6, 0xF472B6],
];

/// So many words, the first one with a capital.
fn words(dice: &mut Dice, count: usize) -> String {
    let words: Vec<&str> = (0..count).map(|_| dice.pick(&WORDS)).collect();
    let text = words.join(" ");
    text[..1].to_uppercase() + &text[1..]
}

/// A screen while it is made.
struct Screen {
    environment: Box<dyn Environment>,
    dice: Dice,
    palette: [u32; 5],
    calls: usize,
}

/// How a text is set.
#[derive(Clone, Copy)]
struct Set {
    size: f64,
    weight: u32,
    color: u32,
}

fn color(rgb: u32) -> Value {
    let [_, r, g, b] = rgb.to_be_bytes().map(|channel| f64::from(channel) / 255.0);
    json!({"r": r, "g": g, "b": b, "a": 1})
}

impl Screen {
    fn new(seed: u64) -> Self {
        let start = StartState {
            environment: EnvironmentKind::Canvas,
            canvas_size: SIZE,
            document: None,
            pictures: None,
            given: Vec::new(),
            compat: None,
            hands: pentimento::environment::canvas::HandTools::default(),
            fonts: FontSource::default(),
        };
        let mut dice = Dice(seed);
        let palette = dice.pick(&PALETTES);
        let environment = open_environment(&start).unwrap();
        Self { environment, dice, palette, calls: 0 }
    }

    fn call(&mut self, name: &str, arguments: Value) -> String {
        self.calls += 1;
        let call = ToolCall { id: format!("c{}", self.calls), name: name.to_owned(), arguments };
        let outcome = self.environment.call(&call, &CancelToken::new());
        assert!(!outcome.is_error(), "{name}: {}", outcome.text);
        let made = outcome.structured.as_ref().and_then(|it| it.get("id")?.as_str());
        made.unwrap_or_default().to_owned()
    }

    fn area(&mut self, tool: &str, [x, y, width, height]: [f64; 4], fill: u32, radius: f64) {
        let frame = self.main_frame();
        let mut arguments = json!({"x": x, "y": y, "width": width, "height": height, "name": "Area",
            "parentId": frame, "fillColor": color(fill)});
        if radius > 0.0 {
            arguments["cornerRadius"] = json!(radius);
        }
        self.call(tool, arguments);
    }

    /// A text in a box of this width; gives how high it is.
    fn text(&mut self, words: &str, [x, y, width]: [f64; 3], set: Set, leading: f64) -> f64 {
        let frame = self.main_frame();
        // As wide as words of this face are in the mean, and rather a line too high.
        let lines = (words.len() as f64 * set.size * 0.54 / width).ceil().max(1.0);
        let height = lines * leading;
        let arguments = json!({"x": x, "y": y, "width": width, "height": height, "text": words,
            "name": words, "fontSize": set.size, "fontWeight": set.weight,
            "fontColor": color(set.color), "parentId": frame});
        let id = self.call("create_text", arguments);
        self.call("set_text_properties", json!({"nodeId": id, "lineHeight": leading}));
        height
    }

    fn main_frame(&self) -> String {
        self.environment.main_frame().unwrap().as_str().to_owned()
    }

    fn fill(&mut self) {
        let [ground, card, ink, quiet, accent] = self.palette;
        let frame = self.main_frame();
        let mut arguments = color(ground);
        arguments["nodeId"] = json!(frame);
        self.call("set_fill_color", arguments);
        let margin = self.dice.pick(&[16.0, 20.0, 24.0]);
        let width = SIZE.width - 2.0 * margin;
        let size = self.dice.pick(&[24.0, 28.0, 32.0]);
        let title = words(&mut self.dice, 2);
        let heading = Set { size, weight: 700, color: ink };
        let mut y = 48.0 + self.text(&title, [margin, 48.0, width], heading, size * 1.25) + 16.0;
        while y < 700.0 {
            y += match self.dice.below(5) {
                0 => self.paragraph([margin, y, width], quiet),
                1 => {
                    let height = self.dice.pick(&[120.0, 136.0]);
                    let radius = self.dice.pick(&[8.0, 12.0, 16.0]);
                    self.area("create_rectangle", [margin, y, width, height], card, radius);
                    let name = words(&mut self.dice, 2);
                    let set = Set { size: 17.0, weight: 600, color: ink };
                    self.text(&name, [margin + 16.0, y + 16.0, width - 32.0], set, 24.0);
                    self.paragraph([margin + 16.0, y + 46.0, width - 32.0], quiet);
                    height
                }
                2 => {
                    for at in 0..2 {
                        let top = y + 60.0 * f64::from(at);
                        self.area("create_ellipse", [margin, top, 40.0, 40.0], accent, 0.0);
                        let name = words(&mut self.dice, 2);
                        let set = Set { size: 15.0, weight: 600, color: ink };
                        self.text(&name, [margin + 52.0, top, width - 132.0], set, 20.0);
                        let detail = words(&mut self.dice, 3);
                        let set = Set { size: 13.0, weight: 400, color: quiet };
                        self.text(&detail, [margin + 52.0, top + 21.0, width - 132.0], set, 18.0);
                        let amount =
                            format!("{}.{:02}", self.dice.below(900), self.dice.below(100));
                        let set = Set { size: 15.0, weight: 500, color: ink };
                        self.text(&amount, [margin + width - 64.0, top + 10.0, 64.0], set, 20.0);
                    }
                    112.0
                }
                3 => {
                    let half = (width - 12.0) / 2.0;
                    for at in 0..2 {
                        let left = margin + f64::from(at) * (half + 12.0);
                        self.area("create_rectangle", [left, y, half, 84.0], card, 12.0);
                        let number = self.dice.below(9000).to_string();
                        let set = Set { size: 22.0, weight: 700, color: ink };
                        self.text(&number, [left + 14.0, y + 14.0, half - 28.0], set, 28.0);
                        let name = words(&mut self.dice, 1);
                        let set = Set { size: 13.0, weight: 400, color: quiet };
                        self.text(&name, [left + 14.0, y + 48.0, half - 28.0], set, 18.0);
                    }
                    84.0
                }
                _ => {
                    self.area("create_rectangle", [margin, y, width, 48.0], accent, 12.0);
                    let name = words(&mut self.dice, 2);
                    let set = Set { size: 16.0, weight: 600, color: ground };
                    self.text(&name, [margin + 20.0, y + 14.0, width - 40.0], set, 20.0);
                    48.0
                }
            };
            y += self.dice.pick(&[16.0, 20.0, 28.0]);
        }
    }

    fn paragraph(&mut self, place: [f64; 3], color: u32) -> f64 {
        let size = self.dice.pick(&[14.0, 15.0, 16.0]);
        let count = 9 + self.dice.below(4);
        let words = words(&mut self.dice, count) + ".";
        let leading = size + self.dice.pick(&[6.0, 7.0, 8.0]);
        self.text(&words, place, Set { size, weight: 400, color }, leading)
    }
}

#[test]
fn screens_that_did_not_shape_it_are_drawn_nearly_as_well_as_those_that_did() {
    let registry = Registry::built_in();
    let ids = ["component_similarity/canvas", "block_match/canvas", "text_coverage_f1/canvas"];
    let screens = std::env::var("TRACER_SCREENS").map_or(SCREENS, |count| count.parse().unwrap());
    let mut sums = [0.0; 4];
    for seed in 0..screens {
        let mut screen = Screen::new(seed);
        screen.fill();
        let target = screen.environment.picture(&PictureRequest::default()).unwrap().pixels;
        let truth = figma::from_json(screen.environment.document_json()).unwrap().document;
        let drawn = draw(&target, SIZE);
        check(&drawn, &format!("screen {seed}"));
        if let Some(out) = std::env::var_os("TRACER_PICTURES") {
            let file = |name: &str| std::path::Path::new(&out).join(format!("{seed}-{name}.png"));
            target.save_png(&file("target")).unwrap();
            drawn.picture.save_png(&file("drawn")).unwrap();
        }
        let made = figma::from_json(drawn.document.clone()).unwrap().document;
        let never = CancelToken::new();
        let ssim = SsimUniform7::score(&target, &drawn.picture, &never).value().unwrap();
        let comparison = Comparison::of_designs(&truth, &made);
        let measured = ids.map(|id| {
            let measured = registry.measure_one(id, &comparison, &never).unwrap();
            measured.unwrap().score.value().unwrap()
        });
        println!("screen {seed:2}: SSIM {ssim:.4}, components, blocks, texts {measured:.3?}");
        for (sum, value) in sums.iter_mut().zip([ssim].into_iter().chain(measured)) {
            *sum += value;
        }
    }
    let [ssim, components, blocks, texts] = sums.map(|sum| sum / screens as f64);
    println!(
        "mean: SSIM {ssim:.4}, components {components:.3}, blocks {blocks:.3}, texts {texts:.3}"
    );
    assert!(ssim > 0.95, "SSIM {ssim:.4}");
    assert!(components > 0.8, "components {components:.3}");
}
