//! Pictures that go along with copied layers, in the JSON itself: Figma's has only their names.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::base::one_line;
use crate::design::{Document, picture_of_text, pictures_as_text, shown_pictures};

/// The field beside the layers, which other programs pass over: PNG in base64, by the names that paints say.
const FIELD: &str = "pentimentoPictures";
/// Most pixels of pictures that are read, all together.
const MOST_READ: u64 = 64 << 20;
/// Most letters of a name that are told.
const TOLD: usize = 40;

/// How much of pictures goes along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CarryLimits {
    /// Pixels, all together: what takes time.
    pixels: u64,
    /// Bytes of PNG, all together.
    bytes: usize,
}

impl CarryLimits {
    /// What a key may take that is answered at once.
    pub const AT_ONCE: Self = Self { pixels: 2 << 20, bytes: 4 << 20 };
    /// What text of the clipboard may be read again.
    pub const ALL: Self = Self { pixels: 32 << 20, bytes: 8 << 20 };
}

/// Puts the pictures that the layers of a design show into its JSON; gives how many there was no room for.
pub fn carry_pictures(json: &mut Value, document: &Document, limits: CarryLimits) -> usize {
    let Value::Object(fields) = json else { return 0 };
    let (mut seen, mut names) = (BTreeSet::new(), Vec::new());
    let (mut pixels, mut too_many) = (0, 0);
    for name in document.iter_depth_first().flat_map(|node| shown_pictures(node)) {
        let Some(picture) = document.images().get(name).filter(|_| seen.insert(name)) else {
            continue;
        };
        let own = u64::from(picture.width()) * u64::from(picture.height());
        if pixels + own > limits.pixels {
            too_many += 1;
            continue;
        }
        pixels += own;
        names.push(name);
    }
    let (texts, left_out) = pictures_as_text(document.images(), names, limits.bytes);
    if !texts.is_empty() {
        let texts = texts.into_iter().map(|(name, text)| (name, Value::from(text)));
        fields.insert(FIELD.to_owned(), Value::Object(texts.collect()));
    }
    too_many + left_out
}

/// Takes the pictures out of JSON that was copied; without them it is the layers alone.
pub fn take_carried(json: &mut Value) -> Map<String, Value> {
    match json.as_object_mut().and_then(|fields| fields.shift_remove(FIELD)) {
        Some(Value::Object(pictures)) => pictures,
        _ => Map::new(),
    }
}

/// Adds those of the pictures to a design that its layers show; gives which of them cannot be used.
pub fn add_carried(document: &mut Document, pictures: &Map<String, Value>) -> Vec<String> {
    let (mut left_out, mut pixels) = (Vec::new(), 0);
    let shown = document.iter_depth_first().flat_map(|node| shown_pictures(node));
    let shown = shown.filter(|name| pictures.contains_key(*name)).map(str::to_owned);
    let names: BTreeSet<String> = shown.collect();
    for name in names {
        let text = pictures.get(&name).and_then(Value::as_str).unwrap_or_default();
        // Small files may be large pictures.
        let has_room = pixels <= MOST_READ;
        let picture = has_room.then(|| picture_of_text(text).ok()).flatten();
        let Some(picture) = picture else {
            let told: String = one_line(&name).chars().take(TOLD).collect();
            left_out.push(format!("the picture {told:?}, which cannot be used"));
            continue;
        };
        pixels += u64::from(picture.width()) * u64::from(picture.height());
        document.add_image(name, Arc::new(picture));
    }
    left_out
}
