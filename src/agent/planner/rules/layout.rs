//! Where everything goes.

use crate::base::{Rect, Size};
use crate::environment::suite::GivenPicture;
use crate::graphictown::{DesignType, Query, WantedSize, WantedText, WantedVisual};

use super::reading::{Extent, Position, Relation, Third, read_color};

/// Room at the edges of the page, as a share of its sides.
const MARGIN: f64 = 0.06;
/// The height of a line, in font sizes.
const LINE: f64 = 1.25;
/// The width of a letter, in font sizes: wider than most are, so that lines are not longer than
/// thought.
const LETTER: f64 = 0.56;
/// Room between texts, in font sizes of the lower one.
const GAP: f64 = 0.5;
/// The width of an outline, in font sizes: enough to part the letters from what is under them, and
/// no more.
const OUTLINE: f64 = 0.022;
/// The thinnest and the thickest outline there is, in points.
const OUTLINE_POINTS: [f64; 2] = [0.5, 5.0];
/// A text lies on a picture that covers this share of it.
const ON_PICTURE: f64 = 0.3;
/// The least contrast of a text, and of one of [`LARGE_POINTS`] and more (WCAG 2.2, 1.4.3).
const LEAST_CONTRAST: [f64; 2] = [4.5, 3.0];
const LARGE_POINTS: f64 = 18.0;
/// A picture of this share of the page covers all of it.
const WHOLE_PAGE: f64 = 0.85;
const BLACK: [u8; 3] = [0; 3];
const WHITE: [u8; 3] = [255; 3];
/// How many pieces stand for something that is all over a part of the page.
const PIECES: [(f64, f64); 6] =
    [(0.14, 0.25), (0.5, 0.2), (0.86, 0.3), (0.2, 0.75), (0.56, 0.8), (0.88, 0.72)];

/// Which side the lines of a text keep to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineAlignment {
    Left,
    Center,
    Right,
}

/// A text with its place, in points from the page's left top corner.
#[derive(Clone, Debug)]
pub(super) struct PlacedText {
    pub(super) role: String,
    pub(super) content: String,
    pub(super) points: f64,
    /// As it is asked for, whatever lies under it.
    pub(super) color: [u8; 3],
    /// What makes it readable where its colour does not.
    pub(super) outline: Option<TextOutline>,
    pub(super) side: LineAlignment,
    /// From the left edge of its frame to the page's, and on the right likewise.
    pub(super) margin: f64,
    pub(super) place: Rect,
}

/// The outline of a text's letters.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextOutline {
    /// In points.
    pub(super) width: f64,
    /// Black or white.
    pub(super) color: [u8; 3],
}

/// A picture with the places of its pieces.
#[derive(Clone, Debug)]
pub(super) struct PlacedPicture {
    pub(super) name: String,
    pub(super) places: Vec<Rect>,
}

impl PlacedPicture {
    /// The area of its largest piece.
    fn largest(&self) -> f64 {
        self.places.iter().map(|place| place.area()).fold(0.0, f64::max)
    }
}

/// All that is to be on the page.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) page: Size,
    /// The type whose page it is; `None`: its size is its own.
    pub(super) design: Option<DesignType>,
    pub(super) background: [u8; 3],
    pub(super) texts: Vec<PlacedText>,
    /// In the order in which they are drawn.
    pub(super) pictures: Vec<PlacedPicture>,
    /// What no rule was for.
    pub(super) notes: Vec<String>,
}

impl Layout {
    /// The layout of a query with the pictures that come with it.
    pub(super) fn of(query: &Query, given: &[GivenPicture]) -> Self {
        let of_type = query.design.unwrap_or(DesignType::Poster);
        let page = query.page.unwrap_or(of_type.page_size());
        let design = query.page.is_none().then_some(of_type);
        let mut notes = Vec::new();
        let background = color(query.background.as_deref(), [255; 3], "background", &mut notes);
        let (texts, pictures) = (Vec::new(), Vec::new());
        let mut layout = Self { page, design, background, texts, pictures, notes };
        // Texts first: pictures may stand to them, and which text lies on a picture is known only then.
        layout.place_texts(&query.texts);
        layout.place_pictures(&query.visuals, given);
        layout.outline_texts();
        layout
    }

    /// Gives an outline to texts that could hardly be read: the colour stays the one asked for.
    fn outline_texts(&mut self) {
        for at in 0..self.texts.len() {
            let Some(text) = self.texts.get(at) else { continue };
            let outline = self.outline_of(text);
            // Said in the run, as nobody asked for an outline.
            if let (Some(_), what) = (outline, &text.role) {
                self.notes.push(format!(
                    "The text {what:?} could hardly be read in its colour: it has an outline."
                ));
            }
            if let Some(text) = self.texts.get_mut(at) {
                text.outline = outline;
            }
        }
    }

    /// On the background black or white, whichever shows on it; on a picture, of which nobody knows
    /// what is under the letters, whichever shows on the letters.
    fn outline_of(&self, text: &PlacedText) -> Option<TextOutline> {
        let is_on_picture = self.pictures.iter().flat_map(|it| &it.places).any(|place| {
            let both = place.intersection(text.place).map_or(0.0, Rect::area);
            both >= ON_PICTURE * text.place.area()
        });
        let [usual, large] = LEAST_CONTRAST;
        let least = if text.points >= LARGE_POINTS { large } else { usual };
        if !is_on_picture && contrast_ratio(text.color, self.background) >= least {
            return None;
        }
        let color = readable_on(if is_on_picture { text.color } else { self.background });
        let [thin, thick] = OUTLINE_POINTS;
        let width = ((text.points * OUTLINE * 10.0).ceil() / 10.0).clamp(thin, thick);
        Some(TextOutline { width, color })
    }

    /// What is planned, in words.
    pub(super) fn outline(&self, query: &Query) -> String {
        let Size { width, height } = self.page;
        let [r, g, b] = self.background;
        let named = query.background.as_deref().unwrap_or("not said");
        let mut lines = vec![
            format!("A page of {width} × {height} points."),
            format!("The background is rgb({r}, {g}, {b}) ({named})."),
        ];
        for picture in &self.pictures {
            let count = picture.places.len();
            let times = if count == 1 { String::new() } else { format!(", {count} times") };
            lines.push(format!("The picture {}{times}.", picture.name));
        }
        for PlacedText { role, content, points, .. } in &self.texts {
            lines.push(format!("The {role} {content:?}, {points:.0} points."));
        }
        lines.join("\n")
    }

    fn place_texts(&mut self, wanted: &[WantedText]) {
        // A text goes after those that its position names.
        let mut waiting: Vec<&WantedText> = wanted.iter().collect();
        // One scale for all, so that the larger text stays the larger.
        let scale = self.scale(wanted);
        while !waiting.is_empty() {
            let free = waiting.iter().position(|text| {
                let named = related(text.position.as_deref());
                !waiting
                    .iter()
                    .any(|it| it.role != text.role && named.iter().any(|n| is_named(n, &it.role)))
            });
            // Texts that name each other are taken in their order.
            let at = free.unwrap_or(0);
            let text = waiting.remove(at);
            self.place_text(text, scale);
        }
    }

    /// By how much all texts shrink, so that they have room above one another.
    fn scale(&self, wanted: &[WantedText]) -> f64 {
        let height: f64 = wanted.iter().map(|text| self.text_size(text, 1.0).1.height).sum();
        let room = self.page.height * (1.0 - 2.0 * MARGIN) * 0.8;
        (room / height.max(1.0)).clamp(0.3, 1.0)
    }

    /// The points of a text, and the size of its block.
    fn text_size(&self, text: &WantedText, scale: f64) -> (f64, Size) {
        let points = (points_of(text.size.as_ref(), self.page) * scale).round().max(6.0);
        let content = text.content.as_deref().unwrap_or_default();
        let most = self.page.width * (1.0 - 2.0 * MARGIN);
        // Lines are broken by the program that draws; how many there will be is guessed from the mean
        // width of letters.
        let mut lines = 0.0;
        let mut widest: f64 = 0.0;
        for line in content.lines() {
            let width = line.chars().count() as f64 * LETTER * points;
            lines += (width / most).ceil().max(1.0);
            widest = widest.max(width.min(most));
        }
        (points, Size::new(widest.max(points), lines.max(1.0) * LINE * points))
    }

    fn place_text(&mut self, text: &WantedText, scale: f64) {
        // Some published queries escape apostrophes.
        let content = text.content.as_deref().map(|words| words.replace("\\'", "'"));
        let Some(content) = content.filter(|words| !words.trim().is_empty()) else {
            self.notes.push(format!("The text {:?} has no words and is left out.", text.role));
            return;
        };
        let what = format!("text {:?}", text.role);
        // Nobody said a colour: any that can be read will do.
        let otherwise = readable_on(self.background);
        let color = color(text.color.as_deref(), otherwise, &what, &mut self.notes);
        let (points, size) = self.text_size(text, scale);
        let wish = self.wish(text.position.as_deref(), &what);
        let margin = self.page.width * MARGIN;
        let (side, x) = match wish.across {
            Some(Third::First) => (LineAlignment::Left, margin),
            Some(Third::Last) => (LineAlignment::Right, self.page.width - margin - size.width),
            Some(Third::Middle) | None => {
                (LineAlignment::Center, (self.page.width - size.width) / 2.0)
            }
        };
        let y =
            self.free(x, size, wish.start(self.page.height, size.height, points), wish.upwards());
        let place = Rect::new(x, y, size.width, size.height);
        let role = text.role.clone();
        let outline = None;
        self.texts.push(PlacedText { role, content, points, color, outline, side, margin, place });
    }

    /// The place from `y` on, down or up, at which a block of this size is on no other text.
    fn free(&self, x: f64, size: Size, y: f64, upwards: bool) -> f64 {
        let [top, bottom] =
            [self.page.height * MARGIN, self.page.height * (1.0 - MARGIN) - size.height];
        // A block that is higher than the page has its bottom above its top.
        let nearest = y.clamp(top.min(bottom), bottom.max(top));
        for upwards in [upwards, !upwards] {
            let mut block = Rect::new(x, nearest, size.width, size.height);
            // Each step passes one text at least, so that as many steps as texts are enough.
            for _ in 0..=self.texts.len() {
                let Some(other) = self.text_under(block) else { return block.y };
                block.y = if upwards { other.y - size.height - 1.0 } else { other.bottom() + 1.0 };
            }
            if (top..=bottom).contains(&block.y) && self.text_under(block).is_none() {
                return block.y;
            }
        }
        nearest
    }

    /// The place of a text that a block would lie on.
    fn text_under(&self, block: Rect) -> Option<Rect> {
        self.texts.iter().map(|text| text.place).find(|place| overlap(*place, block))
    }

    /// Where a component is to go, as far as there are rules.
    fn wish(&mut self, position: Option<&str>, what: &str) -> Wish {
        let position = position.map(Position::read).unwrap_or_default();
        let mut wish = Wish {
            across: position.across,
            down: position.down,
            covers: position.covers,
            spread: position.scattered,
            ..Wish::default()
        };
        for (relation, name) in &position.relations {
            self.relate(&mut wish, *relation, name);
        }
        // Halfway between the two, as far as both are placed already.
        if let Some([a, b]) = &position.between
            && let (Some(a), Some(b)) = (self.box_of(a), self.box_of(b))
        {
            wish.middle = Some(f64::midpoint(a.center().y, b.center().y));
        }
        for words in position.unread {
            self.notes.push(format!("There is no rule for {words:?} of the {what}."));
        }
        wish
    }

    fn relate(&self, wish: &mut Wish, relation: Relation, name: &str) {
        let Some(other) = self.box_of(name) else { return };
        match relation {
            Relation::Below => wish.below = Some(other.bottom()),
            Relation::Above => wish.above = Some(other.y),
            Relation::LeftOf => wish.left_of = Some(other),
            Relation::RightOf => wish.right_of = Some(other),
            Relation::Around => wish.around = Some(other),
            Relation::On => wish.on = Some(other),
        }
    }

    /// The box of something that is placed already.
    fn box_of(&self, name: &str) -> Option<Rect> {
        if let Some(text) = self.texts.iter().find(|text| is_named(name, &text.role)) {
            return Some(text.place);
        }
        let picture = self.pictures.iter().find(|picture| is_named(name, &picture.name))?;
        picture.places.first().copied()
    }

    fn place_pictures(&mut self, wanted: &[WantedVisual], given: &[GivenPicture]) {
        for visual in wanted {
            let Some(picture) = given.iter().find(|given| is_named(&given.name, &visual.name))
            else {
                let name = &visual.name;
                self.notes
                    .push(format!("No picture comes with the query for {name:?}: it is left out."));
                continue;
            };
            let places = self.picture_places(visual, picture);
            // At once, as the next one may stand to it.
            self.pictures.push(PlacedPicture { name: picture.name.clone(), places });
        }
        // The large ones lie behind.
        self.pictures.sort_by(|a, b| b.largest().total_cmp(&a.largest()));
    }

    fn picture_places(&mut self, visual: &WantedVisual, picture: &GivenPicture) -> Vec<Rect> {
        let what = format!("picture {:?}", visual.name);
        let wish = self.wish(visual.position.as_deref(), &what);
        let Size { width, height } = self.page;
        let whole = Rect::new(0.0, 0.0, width, height);
        let share = self.share_of(visual, &what);
        // Its size says more than its place: what is as large as the page can only be all of it.
        if share >= WHOLE_PAGE {
            return vec![whole];
        }
        if let Some(part) = wish.covers {
            return vec![scaled(part, self.page)];
        }
        // Pictures keep their shape but where they are to cover something.
        // What cannot be looked at counts as a square.
        let aspect = picture.size().map_or(1.0, |size| size.width / size.height);
        // What is around something else is scattered over the page: nothing is known of its frame.
        let spread = wish.spread.map(|part| scaled(part, self.page));
        if let Some(part) = spread.or(wish.around.map(|_| whole)) {
            let size = fitted(share.min(0.05) * width * height, aspect, part);
            let mut pieces = Vec::with_capacity(PIECES.len());
            for (x, y) in PIECES {
                let (x, y) = (part.x + x * part.width, part.y + y * part.height);
                let corner = (x - size.width / 2.0, y - size.height / 2.0);
                pieces.push(inside(Rect::new(corner.0, corner.1, size.width, size.height), whole));
            }
            return pieces;
        }
        let size = fitted(share * width * height, aspect, whole);
        let x = wish.x(width, size.width);
        // Beside something or on it is at its height.
        let y = match wish.on.or(wish.left_of).or(wish.right_of) {
            Some(other) => other.center().y - size.height / 2.0,
            None => wish.start(height, size.height, 0.03 * height),
        };
        vec![inside(Rect::new(x, y, size.width, size.height), whole)]
    }

    /// The share of the page that a picture is to cover.
    fn share_of(&mut self, visual: &WantedVisual, what: &str) -> f64 {
        let words = match &visual.size {
            Some(WantedSize::Words(words)) => words.as_str(),
            Some(WantedSize::Points(_)) | None => "medium",
        };
        Extent::read(words).map_or_else(
            || {
                self.notes.push(format!("There is no rule for the size {words:?} of the {what}."));
                Extent::Medium.share_of_page()
            },
            Extent::share_of_page,
        )
    }
}

/// The contrast of two colours, 1 to 21 (WCAG 2.2, "contrast ratio").
fn contrast_ratio(a: [u8; 3], b: [u8; 3]) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// The relative luminance of an sRGB colour, 0 to 1 (WCAG 2.2).
fn luminance(rgb: [u8; 3]) -> f64 {
    let [r, g, b] = rgb.map(|channel| {
        let channel = f64::from(channel) / 255.0;
        // libm, as the power of the standard library differs from one platform to the next.
        if channel <= 0.04045 { channel / 12.92 } else { libm::pow((channel + 0.055) / 1.055, 2.4) }
    });
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

/// Black or white, whichever can be read on a colour.
fn readable_on(ground: [u8; 3]) -> [u8; 3] {
    if contrast_ratio(BLACK, ground) > contrast_ratio(WHITE, ground) { BLACK } else { WHITE }
}

/// Where a component is to go; ranges are shares of the page, the rest is in points.
#[derive(Clone, Copy, Debug, Default)]
struct Wish {
    across: Option<Third>,
    down: Option<Third>,
    below: Option<f64>,
    above: Option<f64>,
    middle: Option<f64>,
    left_of: Option<Rect>,
    right_of: Option<Rect>,
    on: Option<Rect>,
    around: Option<Rect>,
    covers: Option<Rect>,
    spread: Option<Rect>,
}

impl Wish {
    /// Whether a block that has no room goes up rather than down.
    fn upwards(&self) -> bool {
        self.above.is_some() || self.down == Some(Third::Last)
    }

    /// The top of a block of this height; `gap` is the room it keeps from what it stands to.
    fn start(&self, page: f64, height: f64, gap: f64) -> f64 {
        // A relation says more than a place, as the other component may itself be anywhere.
        if let Some(below) = self.below {
            return below + gap * GAP;
        }
        if let Some(above) = self.above {
            return above - height - gap * GAP;
        }
        if let Some(middle) = self.middle {
            return middle - height / 2.0;
        }
        match self.down {
            Some(Third::First) => page * MARGIN,
            Some(Third::Last) => page * (1.0 - MARGIN) - height,
            Some(Third::Middle) | None => (page - height) / 2.0,
        }
    }

    /// The left edge of a picture of this width.
    fn x(&self, page: f64, width: f64) -> f64 {
        if let Some(other) = self.left_of {
            return other.x - width;
        }
        if let Some(other) = self.right_of {
            return other.right();
        }
        if let Some(other) = self.on {
            return other.center().x - width / 2.0;
        }
        match self.across {
            Some(Third::First) => page * MARGIN,
            Some(Third::Last) => page * (1.0 - MARGIN) - width,
            Some(Third::Middle) | None => (page - width) / 2.0,
        }
    }
}

/// The names that a position stands to.
fn related(position: Option<&str>) -> Vec<String> {
    let Position { relations, between, .. } = position.map(Position::read).unwrap_or_default();
    let names = relations.into_iter().map(|(_, name)| name);
    names.chain(between.into_iter().flatten()).collect()
}

/// Whether a name in a position is this component's: the words of one are all in the other.
fn is_named(name: &str, role: &str) -> bool {
    let [name, role] = [name, role].map(|text| -> Vec<String> {
        let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
        // One or many: `the stars` are the component `star`.
        parts.map(|part| part.to_lowercase().trim_end_matches('s').to_owned()).collect()
    });
    are_within(&name, &role) || are_within(&role, &name)
}

fn are_within(words: &[String], others: &[String]) -> bool {
    !words.is_empty() && words.iter().all(|word| others.contains(word))
}

/// The points of a text's size.
fn points_of(size: Option<&WantedSize>, page: Size) -> f64 {
    let extent = match size {
        Some(WantedSize::Points(points)) => return points.clamp(6.0, 400.0),
        // Some published queries have their numbers as words.
        Some(WantedSize::Words(words)) => match words.trim().parse::<f64>() {
            Ok(points) if points.is_finite() => return points.clamp(6.0, 400.0),
            _ => Extent::read(words).unwrap_or(Extent::Medium),
        },
        None => Extent::Medium,
    };
    let [of_postcard, of_poster] = match extent {
        Extent::Small => [22.0, 26.0],
        Extent::Medium => [34.0, 46.0],
        Extent::Large => [56.0, 84.0],
        Extent::Huge | Extent::Page => [80.0, 124.0],
    };
    // Of a page between the two documented ones between theirs; of one beyond them in proportion to its side.
    let [side, postcard, poster] =
        [page, DesignType::Postcard.page_size(), DesignType::Poster.page_size()]
            .map(|page| (page.width * page.height).sqrt());
    let points = if side < postcard {
        of_postcard * side / postcard
    } else if side > poster {
        of_poster * side / poster
    } else {
        of_postcard + (of_poster - of_postcard) * (side - postcard) / (poster - postcard)
    };
    points.clamp(6.0, 400.0)
}

/// The colour in these words, or else another, with a note.
fn color(words: Option<&str>, otherwise: [u8; 3], what: &str, notes: &mut Vec<String>) -> [u8; 3] {
    let Some(words) = words else { return otherwise };
    read_color(words).unwrap_or_else(|| {
        notes.push(format!("The colour of the {what}: there is no rule for {words:?}."));
        otherwise
    })
}

/// A size of this area and aspect, no larger than the part of the page it is for.
fn fitted(area: f64, aspect: f64, part: Rect) -> Size {
    // From width * height = area and width / height = aspect.
    let width = (area * aspect).sqrt();
    let shrink = (part.width / width).min(part.height / (width / aspect)).min(1.0);
    Size::new(width * shrink, width / aspect * shrink)
}

/// A part of the page that is said in shares of its sides.
fn scaled(part: Rect, page: Size) -> Rect {
    let Size { width, height } = page;
    Rect::new(part.x * width, part.y * height, part.width * width, part.height * height)
}

/// The box moved so that it is on the page.
fn inside(place: Rect, page: Rect) -> Rect {
    let x = place.x.min(page.width - place.width).max(0.0);
    let y = place.y.min(page.height - place.height).max(0.0);
    Rect::new(x, y, place.width, place.height)
}

fn overlap(a: Rect, b: Rect) -> bool {
    a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom()
}
