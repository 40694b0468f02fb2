//! The texts before the first item of a study, with the pictures that lie beside them.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use crate::base::{JsonLimitError, Pixels, PixelsError, read_file_limited};
use crate::label::{MarkdownPart, markdown_parts, text_hash};
use crate::store::labels::StudyPictures;

/// Most bytes of a text.
const MOST_BYTES: u64 = 1 << 20;
/// Most pictures of a text.
const MOST_PICTURES: usize = 64;
/// Most bytes of all pictures of a text, encoded: they are in every packet.
const MOST_PICTURE_BYTES: usize = 32 << 20;

/// A text in Markdown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StudyText {
    /// The text; each picture is named as its hash.
    pub text: String,
    /// The pictures, as PNG without anything else in the file.
    pub pictures: StudyPictures,
}

/// Why a text cannot be taken into a project.
#[derive(Debug, thiserror::Error)]
pub enum StudyTextError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] JsonLimitError),
    /// It is no text.
    #[error("not UTF-8: {}", path.display())]
    NotText {
        /// Which file.
        path: PathBuf,
    },
    /// What was typed lies nowhere, and so does no picture beside it.
    #[error("the picture {0:?} can be taken in only with a text in a file, beside which it lies")]
    TypedPicture(String),
    /// Nothing is in it.
    #[error("there is nothing in {}", path.display())]
    Empty {
        /// Which file.
        path: PathBuf,
    },
    /// A picture is not beside the file.
    #[error(
        "the picture {target:?} does not lie beside the text: only files in its folder or below are taken in: {}",
        path.display()
    )]
    Elsewhere {
        /// How the text names it.
        target: String,
        /// Which file.
        path: PathBuf,
    },
    /// A picture cannot be read, or is no PNG or JPEG.
    #[error("the picture {target:?} cannot be taken in: {source}: {}", path.display())]
    Picture {
        /// How the text names it.
        target: String,
        /// Why.
        source: PixelsError,
        /// Which file.
        path: PathBuf,
    },
    /// There are too many, or they are too large.
    #[error(
        "more than {MOST_PICTURES} pictures, or more than {} MB of them: {}",
        MOST_PICTURE_BYTES >> 20,
        path.display()
    )]
    TooMany {
        /// Which file.
        path: PathBuf,
    },
}

impl StudyText {
    /// Reads a text and takes its pictures in, encoded anew.
    ///
    /// # Errors
    ///
    /// [`StudyTextError`].
    pub fn open(path: &Path) -> Result<Self, StudyTextError> {
        let bytes = read_file_limited(path, MOST_BYTES)?;
        let Ok(text) = String::from_utf8(bytes) else {
            return Err(StudyTextError::NotText { path: path.into() });
        };
        // Editors of one system put it first.
        let text = text.trim_start_matches('\u{feff}');
        if text.trim().is_empty() {
            return Err(StudyTextError::Empty { path: path.into() });
        }
        let home = path.parent().unwrap_or_else(|| Path::new(""));
        let mut known: BTreeMap<&str, String> = BTreeMap::new();
        let mut opened = Self::default();
        for part in markdown_parts(text) {
            let (caption, target) = match part {
                MarkdownPart::Words(words) => {
                    opened.text.push_str(words);
                    continue;
                }
                MarkdownPart::Picture { caption, target } => (caption, target),
            };
            // A picture that stands in the text several times is taken in once.
            let name = match known.get(target) {
                Some(name) => name.clone(),
                None => opened.take_in(home, (target, path))?,
            };
            opened.text.extend(["![", caption, "](", name.as_str(), ")"]);
            known.insert(target, name);
            // After each one, so that never much more than the limit is held.
            let bytes: usize = opened.pictures.values().map(Vec::len).sum();
            if known.len() > MOST_PICTURES || bytes > MOST_PICTURE_BYTES {
                return Err(StudyTextError::TooMany { path: path.into() });
            }
        }
        Ok(opened)
    }

    /// A text that was typed; none if it is nothing but spaces.
    ///
    /// # Errors
    ///
    /// [`StudyTextError::TypedPicture`]: a picture lies beside a file.
    pub fn typed(text: &str) -> Result<Self, StudyTextError> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        let picture = markdown_parts(text).into_iter().find_map(|part| match part {
            MarkdownPart::Picture { target, .. } => Some(target.to_owned()),
            MarkdownPart::Words(_) => None,
        });
        match picture {
            Some(target) => Err(StudyTextError::TypedPicture(target)),
            None => Ok(Self { text: text.to_owned(), pictures: StudyPictures::new() }),
        }
    }

    /// Takes a picture in, and gives its name.
    fn take_in(
        &mut self,
        home: &Path,
        (target, path): (&str, &Path),
    ) -> Result<String, StudyTextError> {
        let (name, path) = (target.to_owned(), path.to_path_buf());
        let is_below =
            |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        if target.is_empty()
            || target.contains("://")
            || !Path::new(target).components().all(is_below)
        {
            return Err(StudyTextError::Elsewhere { target: name, path });
        }
        let encoded = Pixels::open(&home.join(target)).and_then(|pixels| pixels.to_png());
        let encoded = encoded.map_err(|source| {
            let target = name.clone();
            StudyTextError::Picture { target, source, path }
        })?;
        // By what it shows: a picture that two texts have lies in the file once.
        let hash = blake3::hash(&encoded).to_hex()[..32].to_owned();
        self.pictures.insert(hash.clone(), encoded);
        Ok(hash)
    }

    /// The hash by which somebody agrees to the text.
    pub fn hash(&self) -> String {
        text_hash(&self.text)
    }
}
