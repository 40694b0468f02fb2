//! The pictures that a query hands out.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::base::{Limits, Pixels, Size, read_file_limited};
use crate::environment::graphic::Graphic;

use super::file_name;

/// Size of the placeholder that is drawn where a picture has no file, in points.
const PLACEHOLDER: Size = Size::new(400.0, 400.0);

/// A picture that a query hands out, before it is read: a PNG, a JPEG or an SVG.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenPicture {
    /// What the query calls it, such as `dreamy_moon`.
    pub name: String,
    /// Its other names: a title, an address.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Where it lies; `None`: nowhere, so that a placeholder is drawn.
    #[serde(default)]
    pub file: Option<PathBuf>,
    /// What there was of it when it was handed out before: the bytes of its file, or why there were
    /// none. Counts instead of the file.
    #[serde(skip)]
    pub recorded: Option<Result<Arc<[u8]>, String>>,
}

/// The pictures that a recorded state was given, each with its bytes or why there were none; those that
/// it names and does not hold are left out.
pub fn recorded_pictures(state: &Value) -> Vec<GivenPicture> {
    let list = state.get("given").and_then(Value::as_array).into_iter().flatten();
    let pictures = list.filter_map(|given| {
        let held = state.get("pictures")?.get(given.get("picture")?.as_str()?)?;
        // The reason as it was given then, as outcomes repeat it.
        let recorded = match held.get("data").and_then(Value::as_str) {
            Some(data) => Ok(Arc::from(STANDARD.decode(data).ok()?)),
            None => {
                Err(held.get("missing").and_then(Value::as_str).map_or_else(no_file, str::to_owned))
            }
        };
        let aliases = given.get("aliases").and_then(Value::as_array).into_iter().flatten();
        let aliases = aliases.filter_map(|alias| alias.as_str().map(str::to_owned)).collect();
        let name = given.get("name")?.as_str()?.to_owned();
        Some(GivenPicture { name, aliases, file: None, recorded: Some(recorded) })
    });
    pictures.collect()
}

impl GivenPicture {
    /// Reads its file and draws it: a picture as it is, an SVG at its own size, a pixel a point. Or why
    /// that cannot be done, to follow the name: `there is no file of it`.
    pub fn load(&self) -> Result<Arc<Pixels>, String> {
        GivenContent::read(self).pixels()
    }

    /// The size of what [`Self::load`] gives, in points; `None` if it gives nothing.
    pub fn size(&self) -> Option<Size> {
        let content = GivenContent::read(self);
        content.look.is_ok().then(|| content.size())
    }
}

/// The pictures that a query hands out, each read when it is first imported. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(super) struct GivenPictures(Arc<Vec<Given>>);

#[derive(Debug)]
struct Given {
    picture: GivenPicture,
    content: OnceLock<Arc<GivenContent>>,
}

/// What there is of a given picture.
#[derive(Clone, Debug)]
pub(super) struct GivenContent {
    /// What the query calls it.
    pub(super) name: String,
    /// What it shows, or why it shows nothing.
    pub(super) look: Result<GivenLook, String>,
    /// The bytes of its file; empty if there is none.
    bytes: Vec<u8>,
    /// A hash of the bytes, or of the name where there are none.
    pub(super) key: String,
}

/// What a given picture shows.
#[derive(Clone, Debug)]
pub(super) enum GivenLook {
    /// Pixels, as they are in its file.
    Pixels(Arc<Pixels>),
    /// A drawing, sharp at any size.
    Graphic(Arc<Graphic>),
}

impl GivenLook {
    fn of(bytes: &[u8]) -> Result<Self, String> {
        // By what is in it: files of pictures are often named wrongly.
        if Graphic::is_meant(bytes) {
            let graphic =
                Graphic::read(bytes).map_err(|error| format!("its SVG cannot be used: {error}"))?;
            return Ok(Self::Graphic(Arc::new(graphic)));
        }
        Pixels::decode(bytes)
            .map(|pixels| Self::Pixels(Arc::new(pixels)))
            .map_err(|e| e.to_string())
    }
}

impl PartialEq for GivenContent {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.key) == (&other.name, &other.key)
    }
}

impl GivenContent {
    /// The picture of this name in these bytes.
    pub(super) fn of_bytes(name: &str, bytes: Vec<u8>) -> Self {
        match GivenLook::of(&bytes) {
            Ok(look) => {
                // By content, so that the same picture under two names is kept once.
                let key = short_hash(&bytes);
                Self { name: name.to_owned(), look: Ok(look), bytes, key }
            }
            Err(why) => Self::nothing(name, why),
        }
    }

    /// The picture of this name, of which there is nothing because of `why`.
    pub(super) fn nothing(name: &str, why: String) -> Self {
        let key = short_hash(name.as_bytes());
        Self { name: name.to_owned(), look: Err(why), bytes: Vec::new(), key }
    }

    /// Reads the file of a picture.
    fn read(picture: &GivenPicture) -> Self {
        let name = &picture.name;
        // What a run was given then, not what lies under that name today.
        match &picture.recorded {
            Some(Ok(bytes)) => return Self::of_bytes(name, bytes.to_vec()),
            Some(Err(why)) => return Self::nothing(name, why.clone()),
            None => {}
        }
        let Some(file) = &picture.file else { return Self::nothing(name, no_file()) };
        match read_file_limited(file, Limits::IMAGE_BYTES) {
            Ok(bytes) => Self::of_bytes(name, bytes),
            // Without the system's words, which differ from machine to machine and would be recorded.
            Err(_) => Self::nothing(name, "its file cannot be read".to_owned()),
        }
    }

    /// Its own size: a pixel is a point. That of a placeholder if there is no picture.
    pub(super) fn size(&self) -> Size {
        match &self.look {
            Ok(GivenLook::Pixels(pixels)) => {
                Size::new(f64::from(pixels.width()), f64::from(pixels.height()))
            }
            Ok(GivenLook::Graphic(graphic)) => graphic.size(),
            Err(_) => PLACEHOLDER,
        }
    }

    /// As it is in its file; a drawing at its own size, or as large as one is drawn.
    pub(super) fn pixels(&self) -> Result<Arc<Pixels>, String> {
        match &self.look {
            Ok(GivenLook::Pixels(pixels)) => Ok(Arc::clone(pixels)),
            Ok(GivenLook::Graphic(graphic)) => {
                let drawn = graphic.draw(Graphic::pixels_for(graphic.size()));
                drawn.map(Arc::new).map_err(|error| error.to_string())
            }
            Err(why) => Err(why.clone()),
        }
    }

    /// As it is written: with its bytes, so that it needs no file to be read.
    pub(super) fn to_json(&self) -> Value {
        match &self.look {
            Ok(_) => json!({"name": self.name, "data": STANDARD.encode(&self.bytes)}),
            Err(why) => json!({"name": self.name, "missing": why}),
        }
    }

    /// Reads what [`Self::to_json`] wrote.
    pub(super) fn from_json(value: &Value) -> Option<Self> {
        let name = value.get("name")?.as_str()?;
        let why = value.get("missing").and_then(Value::as_str).map(str::to_owned);
        match value.get("data").and_then(Value::as_str) {
            Some(data) => Some(Self::of_bytes(name, STANDARD.decode(data).ok()?)),
            None => Some(Self::nothing(name, why.unwrap_or_else(no_file))),
        }
    }
}

impl GivenPictures {
    /// These pictures; none is read yet.
    pub(super) fn new(pictures: impl IntoIterator<Item = GivenPicture>) -> Self {
        let pictures = pictures.into_iter();
        Self(Arc::new(
            pictures.map(|picture| Given { picture, content: OnceLock::new() }).collect(),
        ))
    }

    /// What they are called, in order.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|given| given.picture.name.as_str())
    }

    /// The picture that a plan means by a file's name: see [`file_name`].
    pub(super) fn find(&self, file: &str) -> Option<Arc<GivenContent>> {
        let names = self.0.iter().map(|given| {
            let own = std::iter::once(given.picture.name.clone());
            own.chain(given.picture.aliases.iter().cloned()).collect()
        });
        let at = file_name::among(file, &names.collect::<Vec<_>>())?;
        self.0.get(at).map(Given::content)
    }

    /// What there is of each, with its other names.
    pub(super) fn contents(&self) -> impl Iterator<Item = (Arc<GivenContent>, &[String])> {
        self.0.iter().map(|given| (given.content(), given.picture.aliases.as_slice()))
    }

    /// These pictures, read already, with their other names.
    pub(super) fn of_contents(
        list: impl IntoIterator<Item = (Arc<GivenContent>, Vec<String>)>,
    ) -> Self {
        let given = list.into_iter().map(|(content, aliases)| Given {
            picture: GivenPicture {
                name: content.name.clone(),
                aliases,
                ..GivenPicture::default()
            },
            content: OnceLock::from(content),
        });
        Self(Arc::new(given.collect()))
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Given {
    fn content(&self) -> Arc<GivenContent> {
        Arc::clone(self.content.get_or_init(|| Arc::new(GivenContent::read(&self.picture))))
    }
}

fn no_file() -> String {
    "there is no file of it".to_owned()
}

fn short_hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().chars().take(32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_given_picture_survives_its_json() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("moon.png");
        Pixels::filled(3, 2, [9, 8, 7, 255]).unwrap().save_png(&file).unwrap();
        let given = GivenPictures::new([
            GivenPicture {
                name: "moon".into(),
                aliases: vec!["Luna".into()],
                file: Some(file),
                recorded: None,
            },
            GivenPicture { name: "stars".into(), ..GivenPicture::default() },
        ]);
        let moon = given.find("luna.jpg").unwrap();
        assert_eq!(moon.size(), Size::new(3.0, 2.0));
        let read = GivenContent::from_json(&moon.to_json()).unwrap();
        assert!(read == *moon && read.pixels() == moon.pixels());
        assert!(given.find("stars").unwrap().pixels().is_err());
        assert!(given.find("sun").is_none());
    }
}
