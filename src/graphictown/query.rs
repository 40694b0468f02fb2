//! What a design query asks for, component by component.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::base::{Limits, Size};

/// A design query of GraphicBench: what it wants on the page, in its own words.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Query {
    /// What is to be designed, if it is one of the four.
    pub design: Option<DesignType>,
    /// The size of its page in whole points, where that is not the page of its type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<Size>,
    /// The colour or look of the background, such as `deep purple`.
    pub background: Option<String>,
    /// Texts in their order.
    pub texts: Vec<WantedText>,
    /// Visuals in their order.
    pub visuals: Vec<WantedVisual>,
    /// The pictures that come with it.
    pub images: Vec<QueryImage>,
}

/// The field of the design components that says the size of a page that is of no type's; no published row has it.
pub const PAGE_FIELD: &str = "page_size_in_points";

/// What is to be designed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DesignType {
    /// The cover of a book.
    BookCover,
    /// A business card.
    BusinessCard,
    /// A postcard.
    Postcard,
    /// A poster.
    Poster,
}

/// A text that a query wants.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WantedText {
    /// Its name, such as `title` or `author`.
    pub role: String,
    /// The words.
    pub content: Option<String>,
    /// How large.
    pub size: Option<WantedSize>,
    /// Its colour, such as `light green`.
    pub color: Option<String>,
    /// Where, such as `top center, below the title`.
    pub position: Option<String>,
    /// The font, which only the queries with reference plans name.
    pub font: Option<String>,
}

/// A picture, drawing or shape that a query wants.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WantedVisual {
    /// Its name, such as `dreamy_moon`.
    pub name: String,
    /// How large.
    pub size: Option<WantedSize>,
    /// Where.
    pub position: Option<String>,
}

/// How large something shall be.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WantedSize {
    /// In points; finite.
    Points(f64),
    /// In words, such as `huge` or `covering the lower half`.
    Words(String),
}

/// A picture that comes with a query.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct QueryImage {
    /// The name of the visual it is for.
    pub name: String,
    /// Where the data set's authors found it.
    pub url: String,
}

impl DesignType {
    /// All of them, by name.
    pub const ALL: [Self; 4] = [Self::BookCover, Self::BusinessCard, Self::Postcard, Self::Poster];

    /// By the name in the published files, with spaces or without; `None` for any other.
    pub fn named(name: &str) -> Option<Self> {
        // The test set writes `bookcover`, the training set `book cover`.
        let plain: String = name.chars().filter(char::is_ascii_alphabetic).collect();
        Self::ALL.into_iter().find(|design| design.key().eq_ignore_ascii_case(&plain))
    }

    /// The name in the published files, such as `bookcover`.
    pub fn key(self) -> &'static str {
        match self {
            Self::BookCover => "bookcover",
            Self::BusinessCard => "businesscard",
            Self::Postcard => "postcard",
            Self::Poster => "poster",
        }
    }

    /// The name for people, such as `book cover`.
    pub fn words(self) -> &'static str {
        match self {
            Self::BookCover => "book cover",
            Self::BusinessCard => "business card",
            Self::Postcard => "postcard",
            Self::Poster => "poster",
        }
    }

    /// As the papers' tables print it, such as `Book Cover`.
    pub fn title(self) -> &'static str {
        match self {
            Self::BookCover => "Book Cover",
            Self::BusinessCard => "Business Card",
            Self::Postcard => "Postcard",
            Self::Poster => "Poster",
        }
    }

    /// The type of a published query by its task's id, such as `poster-261`.
    pub fn of_task(id: &str) -> Option<Self> {
        Self::named(id.split('-').next().unwrap_or_default())
    }

    /// The size of its page (dayeonki/graphicweaver, `CreateDocument.jsx`).
    pub fn page_size(self) -> Size {
        match self {
            Self::BookCover | Self::Poster => Size::new(1296.0, 1728.0),
            Self::BusinessCard | Self::Postcard => Size::new(1000.0, 640.0),
        }
    }
}

impl Query {
    /// Reads the design components and images of a published row, with what was odd about them.
    /// Nothing that is odd is an error: what cannot be used is named, and the rest stays.
    ///
    /// `components` is `{background_color, text: {role: {content, size, color, position, font}},
    /// visual: {name: {size, position}}}`, where `placement` stands for `position` too, a size may be
    /// a number, and what differs between the sides of a card is an object by side; `images` is
    /// `[{content, url}]`. Beside these, [`PAGE_FIELD`] may be `{width, height}`.
    pub fn read(design: &str, components: &Value, images: &Value) -> (Self, Vec<String>) {
        let mut reader = QueryReader::default();
        let design_type = DesignType::named(design);
        if design_type.is_none() {
            reader.odd(format!("its type is {}, which is none of the four", quoted(design)));
        }
        let empty = Map::new();
        let fields = components.as_object().unwrap_or_else(|| {
            reader.odd("it has no design components".to_owned());
            &empty
        });
        // The format of the file is asked for in the training set; every design is saved all the
        // same, so nothing checks it and it is not odd either.
        let known = ["background_color", "text", "visual", "file_format", PAGE_FIELD];
        reader.odd_fields("", fields, &known);
        let query = Self {
            design: design_type,
            page: reader.page(fields.get(PAGE_FIELD)),
            background: reader.words("background_color", fields.get("background_color")),
            texts: reader.named(fields.get("text"), "text", QueryReader::text),
            visuals: reader.named(fields.get("visual"), "visual", QueryReader::visual),
            images: reader.images(images),
        };
        (query, reader.odd)
    }

    /// The size of the page: its own, or that of its type; `None` where neither is said.
    pub fn page_size(&self) -> Option<Size> {
        self.page.or(self.design.map(DesignType::page_size))
    }

    /// The URL of the picture for a visual, if one comes with the query.
    pub fn image_of(&self, visual: &str) -> Option<&QueryImage> {
        self.images.iter().find(|image| image.name == visual)
    }
}

/// Reads components and gathers what was odd.
#[derive(Default)]
struct QueryReader {
    odd: Vec<String>,
}

impl QueryReader {
    fn odd(&mut self, what: String) {
        self.odd.push(what);
    }

    /// The size of a page, of a whole number of points each way.
    fn page(&mut self, value: Option<&Value>) -> Option<Size> {
        let value = value.filter(|value| !value.is_null())?;
        let [width, height] = ["width", "height"].map(|side| value.get(side)?.as_f64());
        let sides = width.zip(height).map(|(width, height)| (width.round(), height.round()));
        let most = 1.0..=f64::from(Limits::IMAGE_SIDE);
        let sides = sides.filter(|(width, height)| most.contains(width) && most.contains(height));
        if sides.is_none() {
            self.odd(format!("its {PAGE_FIELD} is no width and height"));
        }
        sides.map(|(width, height)| Size::new(width, height))
    }

    /// The components of a kind, by name, in their order.
    fn named<T>(
        &mut self,
        value: Option<&Value>,
        what: &str,
        read: impl Fn(&mut Self, &str, &Map<String, Value>) -> T,
    ) -> Vec<T> {
        let components = match value {
            Some(Value::Object(components)) => components,
            // A page without words, or without pictures, is no mistake.
            None | Some(Value::Null) => return Vec::new(),
            Some(_) => {
                self.odd(format!("its {what} is not a list of components by name"));
                return Vec::new();
            }
        };
        let mut found = Vec::with_capacity(components.len());
        for (name, value) in components {
            if let Some(fields) = value.as_object() {
                found.push(read(self, name, fields));
            } else {
                self.odd(format!("{what} {} is not a component", quoted(name)));
            }
        }
        found
    }

    fn text(&mut self, role: &str, fields: &Map<String, Value>) -> WantedText {
        let known = ["content", "size", "color", "position", "placement", "font"];
        self.odd_fields(role, fields, &known);
        WantedText {
            role: role.to_owned(),
            content: self.words(role, fields.get("content")),
            size: self.size(role, fields.get("size")),
            color: self.words(role, fields.get("color")),
            position: self.position(role, fields),
            font: self.words(role, fields.get("font")),
        }
    }

    fn visual(&mut self, name: &str, fields: &Map<String, Value>) -> WantedVisual {
        self.odd_fields(name, fields, &["size", "position", "placement"]);
        WantedVisual {
            name: name.to_owned(),
            size: self.size(name, fields.get("size")),
            position: self.position(name, fields),
        }
    }

    fn position(&mut self, name: &str, fields: &Map<String, Value>) -> Option<String> {
        // The test set says `position`, the training set and the stored results say `placement`.
        self.words(name, fields.get("position").or_else(|| fields.get("placement")))
    }

    fn odd_fields(&mut self, name: &str, fields: &Map<String, Value>, known: &[&str]) {
        for (field, value) in fields.iter().filter(|(field, _)| !known.contains(&field.as_str())) {
            // Anything may stand there, a whole page of it: the remark is for people.
            let value: String = value.to_string().chars().take(80).collect();
            let name = if name.is_empty() { "it".to_owned() } else { quoted(name) };
            self.odd(format!("{name} also has {}, {value}, not checked", quoted(field)));
        }
    }

    /// A text; what an object says for each side of a card is joined.
    fn words(&mut self, name: &str, value: Option<&Value>) -> Option<String> {
        match value? {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            Value::Object(sides) => {
                self.odd(format!("{} differs between sides", quoted(name)));
                let mut words = Vec::with_capacity(sides.len());
                for (side, value) in sides {
                    // A text without its quotes, anything else as JSON.
                    words.push(match value {
                        Value::String(text) => format!("{side}: {text}"),
                        other => format!("{side}: {other}"),
                    });
                }
                Some(words.join("; "))
            }
            other => {
                self.odd(format!("{} is {other} where words should be", quoted(name)));
                Some(other.to_string())
            }
        }
    }

    fn size(&mut self, name: &str, value: Option<&Value>) -> Option<WantedSize> {
        if let Some(points) = value.and_then(Value::as_f64).filter(|points| points.is_finite()) {
            return Some(WantedSize::Points(points));
        }
        // A number in quotes is a size in points too, as the published rows have both.
        let words = self.words(name, value)?;
        let points = words.trim().parse::<f64>().ok().filter(|points| points.is_finite());
        Some(points.map_or(WantedSize::Words(words), WantedSize::Points))
    }

    fn images(&mut self, value: &Value) -> Vec<QueryImage> {
        let empty = Vec::new();
        let list = match value {
            Value::Array(list) => list,
            Value::Null => &empty,
            _ => {
                self.odd("its images are not a list".to_owned());
                &empty
            }
        };
        let mut images = Vec::with_capacity(list.len());
        for (at, image) in list.iter().enumerate() {
            let name = image["content"].as_str().unwrap_or_default().to_owned();
            let url = image["url"].as_str().unwrap_or_default().to_owned();
            // It stays, so that the others keep their numbers; no visual finds it by name.
            if name.is_empty() {
                self.odd(format!("image {} has no name", at + 1));
            }
            images.push(QueryImage { name, url });
        }
        images
    }
}

fn quoted(name: &str) -> String {
    format!("{:?}", name.chars().take(60).collect::<String>())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_shape_of_a_published_component_is_read() {
        let components = json!({
            "background_color": {"front": "maroon", "back": "white"},
            "file_format": "png",
            "text": {
                "title": {"content": "A", "size": "huge", "color": "gold", "position": "top center"},
                "name": {"content": "B", "size": 72, "placement": "below the title", "font": "Didot"},
                "date": {"content": "C", "size": "48"},
                "odd": "text",
            },
            "visual": {"moon": {"size": "large", "placement": "centered", "color": "blue"}},
        });
        let images = json!([{"content": "moon", "url": "https://example.org/1"}, 7]);
        let (query, odd) = Query::read("book cover", &components, &images);
        assert_eq!(query.design, Some(DesignType::BookCover));
        assert_eq!(query.background.as_deref(), Some("front: maroon; back: white"));
        let sizes: Vec<_> = query.texts.iter().map(|text| text.size.clone()).collect();
        assert_eq!(
            sizes,
            [
                Some(WantedSize::Words("huge".to_owned())),
                Some(WantedSize::Points(72.0)),
                Some(WantedSize::Points(48.0))
            ]
        );
        assert_eq!(query.texts[1].position.as_deref(), Some("below the title"));
        assert_eq!(query.image_of("moon").unwrap().url, "https://example.org/1");
        assert_eq!(odd.len(), 4, "{odd:?}");
    }

    #[test]
    fn what_is_no_query_is_odd_and_no_error() {
        for components in [json!(null), json!([]), json!("x"), json!({"text": 3, "visual": []})] {
            let (query, odd) = Query::read("flyer", &components, &json!("none"));
            assert_eq!(query, Query::default());
            assert!(odd.len() >= 3, "{odd:?}");
        }
    }
}
