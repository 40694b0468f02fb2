//! Pictures that queries name by URL, found in a folder of one's own: they cannot be fetched.
//!
//! A file is known by its name, an SVG by its title and keywords too (`svg_words`). A name finds a file
//! by the first of these rules that finds any:
//!
//! 1. the file's name or its title is the visual's name (`dreamy_moon` finds `Dreamy moon.png`);
//! 2. the file's name is the last part of the URL, or holds its number as a word of its own
//!    (`https://openclipart.org/image/800px/169345` finds `169345.png` and `moon-169345.png`);
//! 3. the file's name or its title holds all the words of the visual's name (`world_map` finds
//!    `world_map_01.png`);
//! 4. the file's name, title and keywords together do;
//! 5. the file's name or its title holds what the visual's name is about, its last word before any
//!    `with`, `of`, `in` or the like (`glowing_mushrooms` finds `mushroom.png`); those that share more
//!    words first;
//! 6. one of the keywords is that word.
//!
//! Words are compared without case and plural, and what only says that it is a picture
//! (`illustration`, `icon`, `background` …) does not count. Of several files that one wins whose name,
//! or title if that is nearer, has the fewest other words, then PNG and JPEG before SVG, then the first
//! by its path. So a picture found by the last four rules is a stand-in of the same kind, and not the
//! published one. Of the 1,233 names in the published test set, the 8,121 pictures of Debian's
//! `openclipart-png` 0.18, whose file names are their titles, have 10 by the first rule, 2 by the second,
//! 195 by the third, 568 by the fifth and nothing for 458; those of `openclipart-svg` 0.18, the same
//! pictures with their keywords, have 34 by the first
//! rule, 2, 178, 28, 563 and 53 by the others, and nothing for 375.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::base::{CancelToken, Cancelled};
use crate::metric::constraint::{Query, singular};

use super::error::TaskError;
use super::listing::Listing;
use super::svg_words::SvgWords;

/// Deepest folder below the opened one that is looked at.
const DEPTH: usize = 10;
/// Most folders that are looked at.
const FOLDERS: usize = 100_000;
/// Most pictures of a folder.
const FILES: usize = 500_000;
/// The endings of pictures, those that are used first before.
const ENDINGS: [&str; 4] = ["png", "jpg", "jpeg", "svg"];
/// Words that only say that something is a picture.
const PICTURE_WORDS: [&str; 17] = [
    "background",
    "design",
    "drawing",
    "graphic",
    "icon",
    "illustration",
    "image",
    "logo",
    "motif",
    "outline",
    "pattern",
    "photo",
    "picture",
    "silhouette",
    "symbol",
    "visual",
    "art",
];
/// Words after which a name says what is beside its subject.
const JOINTS: [&str; 17] = [
    "with", "of", "in", "on", "at", "for", "from", "under", "over", "behind", "beside", "inside",
    "around", "holding", "reading", "and", "to",
];

/// The pictures in a folder and below it, by their names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PictureFolder {
    dir: PathBuf,
    files: Vec<PictureFile>,
}

#[derive(Clone, Debug, PartialEq)]
struct PictureFile {
    path: PathBuf,
    /// The file's name without its ending.
    name: Name,
    /// What it says that it shows; empty but for an SVG.
    title: Name,
    /// Its keywords, each once; empty but for an SVG.
    keywords: BTreeSet<String>,
    /// The place of its ending in [`ENDINGS`].
    ending: usize,
}

/// Which rule found a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FoundBy {
    /// Its name or title is the name of the visual.
    Name,
    /// The URL.
    Url,
    /// Its name or title has all words of the visual's name.
    AllWords,
    /// With its keywords it has them all.
    Keywords,
    /// Its name or title has what the visual's name is about.
    MainWord,
    /// One of its keywords is that.
    MainKeyword,
}

/// A name as words.
#[derive(Clone, Debug, Default, PartialEq)]
struct Name {
    /// In order, singular, lower case; numbers are words too.
    words: Vec<String>,
    /// Those that are no numbers, each once.
    letters: BTreeSet<String>,
}

impl PictureFolder {
    /// Lists the pictures in a folder and below it, and reads what SVG files say that they show;
    /// folders below that cannot be read are left out.
    pub fn open(dir: &Path) -> Result<Self, TaskError> {
        Self::open_unless(dir, &CancelToken::new())
    }

    /// The same, until it is stopped.
    pub fn open_unless(dir: &Path, cancel: &CancelToken) -> Result<Self, TaskError> {
        let mut found = Self { dir: dir.to_path_buf(), files: Vec::new() };
        // Where folders really are, as links may lead back up.
        let mut seen = BTreeSet::from([dir.canonicalize().map_err(TaskError::read(dir))?]);
        let listing = Listing::read(dir).map_err(TaskError::read(dir))?;
        let mut waiting = vec![(dir.to_path_buf(), listing, 0)];
        while let Some((dir, listing, depth)) = waiting.pop() {
            cancel.check()?;
            found.files.extend(listing.files.iter().filter_map(|name| PictureFile::of(&dir, name)));
            if depth >= DEPTH || found.files.len() >= FILES || seen.len() >= FOLDERS {
                continue;
            }
            // Taken from the end, so the first folder goes in last.
            for folder in listing.folders.iter().rev().map(|name| dir.join(name)) {
                let is_new = folder.canonicalize().is_ok_and(|real| seen.insert(real));
                let Some(listing) = Listing::read(&folder).ok().filter(|_| is_new) else {
                    continue;
                };
                waiting.push((folder, listing, depth + 1));
            }
        }
        found.files.truncate(FILES);
        found.files.sort_by(|a, b| a.path.cmp(&b.path));
        // Only SVG files are opened, and of those only the head, but there may be thousands.
        found.files.par_iter_mut().try_for_each(|file| {
            cancel.check()?;
            file.read_words();
            Ok::<_, Cancelled>(())
        })?;
        Ok(found)
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// How many pictures there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The picture for a visual of this name and URL, with the rule that found it: see the module's
    /// docs. The URL may be empty.
    pub fn find(&self, name: &str, url: &str) -> Option<(&Path, FoundBy)> {
        let wanted = SoughtVisual::of(name, url);
        // From the surest rule to the loosest: a later one is asked only where all files failed.
        [
            FoundBy::Name,
            FoundBy::Url,
            FoundBy::AllWords,
            FoundBy::Keywords,
            FoundBy::MainWord,
            FoundBy::MainKeyword,
        ]
        .into_iter()
        .find_map(|by| Some((self.best(&wanted, by)?, by)))
    }

    /// The one that shares the most words, has the fewest others, the better ending, the first path.
    fn best(&self, wanted: &SoughtVisual<'_>, by: FoundBy) -> Option<&Path> {
        let found = self.files.iter().filter(|file| wanted.finds(file, by));
        // Files are in the order of their paths, and the first of several least ones is taken.
        let best = found.min_by_key(|file| {
            let shared = wanted.core.iter().filter(|word| file.says(word)).count();
            // A file without a title has no other words in it, which is no reason to prefer it.
            let title = Some(&file.title).filter(|title| !title.letters.is_empty());
            let names = std::iter::once(&file.name).chain(title);
            let others = names.map(|name| name.letters.difference(&wanted.core).count()).min();
            (std::cmp::Reverse(shared), others, file.ending)
        })?;
        Some(&best.path)
    }
}

/// A visual that is looked for.
struct SoughtVisual<'a> {
    name: Name,
    /// The words of its name that say what it shows.
    core: BTreeSet<String>,
    /// What it is about.
    main: Option<String>,
    /// The last part of its URL; empty without one.
    last: &'a str,
    /// That part, if it is a number.
    number: Option<&'a str>,
}

impl<'a> SoughtVisual<'a> {
    fn of(name: &str, url: &'a str) -> Self {
        let name = Name::of(name);
        let (core, main) = (name.core(), name.main_word().map(str::to_owned));
        let last = last_part(url);
        Self { name, core, main, last, number: last.parse::<u64>().is_ok().then_some(last) }
    }

    /// Whether a rule finds a file. An empty name has no words, which all files have.
    fn finds(&self, file: &PictureFile, by: FoundBy) -> bool {
        let names = [&file.name, &file.title];
        match by {
            FoundBy::Name => {
                !self.name.words.is_empty()
                    && names.iter().any(|name| name.words == self.name.words)
            }
            FoundBy::Url => {
                let is_number = self
                    .number
                    .is_some_and(|number| file.name.words.iter().any(|word| word == number));
                !self.last.is_empty() && (file.stem() == self.last || is_number)
            }
            FoundBy::AllWords => {
                !self.core.is_empty() && names.iter().any(|name| self.core.is_subset(&name.letters))
            }
            FoundBy::Keywords => {
                !self.core.is_empty() && self.core.iter().all(|word| file.says(word))
            }
            FoundBy::MainWord => self.main.as_deref().is_some_and(|main| file.is_named(main)),
            FoundBy::MainKeyword => self.main.as_deref().is_some_and(|main| file.says(main)),
        }
    }
}

/// The picture for a visual of this name and URL, if the folder has one.
pub fn resolve(name: &str, url: &str, folder: &PictureFolder) -> Option<PathBuf> {
    folder.find(name, url).map(|(path, _)| path.to_path_buf())
}

/// The pictures that a query gives an agent, by the names of its visuals: those that come with it,
/// in their order, then visuals without one. What the folder does not hold has no file.
pub fn given_pictures(
    query: &Query,
    folder: Option<&PictureFolder>,
) -> Vec<(String, Option<PathBuf>)> {
    let images = query.images.iter().map(|image| (image.name.as_str(), image.url.as_str()));
    let others = query.visuals.iter().map(|visual| visual.name.as_str());
    let others = others.filter(|name| query.image_of(name).is_none()).map(|name| (name, ""));
    images
        .chain(others)
        .map(|(name, url)| (name.to_owned(), folder.and_then(|it| resolve(name, url, it))))
        .collect()
}

impl PictureFile {
    fn of(dir: &Path, file: &str) -> Option<Self> {
        let (stem, ending) = file.rsplit_once('.')?;
        let ending = ENDINGS.iter().position(|known| ending.eq_ignore_ascii_case(known))?;
        let name = Name::of(stem);
        let (title, keywords) = (Name::default(), BTreeSet::new());
        Some(Self { path: dir.join(file), name, title, keywords, ending })
    }

    /// Reads what an SVG says that it shows.
    fn read_words(&mut self) {
        if ENDINGS.get(self.ending) != Some(&"svg") {
            return;
        }
        let words = SvgWords::of_file(&self.path);
        self.title = Name::of(&words.title);
        self.keywords = words.keywords.iter().flat_map(|word| Name::of(word).letters).collect();
    }

    /// Whether its name or title has this word.
    fn is_named(&self, word: &str) -> bool {
        self.name.letters.contains(word) || self.title.letters.contains(word)
    }

    /// Whether its name, title or keywords have this word.
    fn says(&self, word: &str) -> bool {
        self.is_named(word) || self.keywords.contains(word)
    }

    fn stem(&self) -> &str {
        self.path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default()
    }
}

impl Name {
    fn of(name: &str) -> Self {
        let mut words = Vec::new();
        for part in name.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()) {
            // stars5 is a word and a number.
            let mut rest = part;
            while let Some(first) = rest.chars().next() {
                let is_number = first.is_ascii_digit();
                let end = rest.find(|c: char| c.is_ascii_digit() != is_number);
                let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
                words.push(singular(word));
                rest = after;
            }
        }
        let letters = words
            .iter()
            .filter(|word| !word.bytes().all(|byte| byte.is_ascii_digit()))
            .cloned()
            .collect();
        Self { words, letters }
    }

    /// The words that say what it shows; all of them if none does.
    fn core(&self) -> BTreeSet<String> {
        let says = self.letters.iter();
        let says = says.filter(|it| !is_among(it, &PICTURE_WORDS) && !is_among(it, &JOINTS));
        let core: BTreeSet<String> = says.cloned().collect();
        if core.is_empty() { self.letters.clone() } else { core }
    }

    /// The last word before anything that is beside its subject.
    fn main_word(&self) -> Option<&str> {
        let subject = self.words.iter().skip_while(|word| is_among(word, &JOINTS));
        let subject = subject.take_while(|word| !is_among(word, &JOINTS));
        subject
            .filter(|word| self.letters.contains(*word) && !is_among(word, &PICTURE_WORDS))
            .last()
            .map(String::as_str)
    }
}

fn is_among(word: &str, words: &[&str]) -> bool {
    words.contains(&word)
}

/// The last part of a URL's path, without an ending.
fn last_part(url: &str) -> &str {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let last = path.rsplit('/').next().unwrap_or_default();
    last.rsplit_once('.').map_or(last, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::constraint::{QueryImage, WantedVisual};

    fn folder(names: &[&str]) -> (tempfile::TempDir, PictureFolder) {
        let dir = tempfile::tempdir().unwrap();
        for name in names {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let opened = PictureFolder::open(dir.path()).unwrap();
        (dir, opened)
    }

    fn found(folder: &PictureFolder, name: &str, url: &str) -> Option<(String, FoundBy)> {
        let (path, by) = folder.find(name, url)?;
        Some((path.file_name().unwrap().to_str().unwrap().to_owned(), by))
    }

    #[test]
    fn the_first_rule_that_finds_a_picture_wins() {
        let (_dir, folder) = folder(&[
            "Dreamy Moon.png",
            "a/moon-169345.png",
            "a/Hmar-x-is.png",
            "b/moon.svg",
            "b/moon_01.jpg",
            "b/full_moon_2.png",
            "world_map_anna_01.png",
            "cup_of_tea.png",
            "readme.txt",
        ]);
        assert_eq!(folder.len(), 8);
        let url = "https://openclipart.org/image/800px/169345";
        for (name, url, file, by) in [
            ("dreamy_moon", url, "Dreamy Moon.png", FoundBy::Name),
            ("stars", url, "moon-169345.png", FoundBy::Url),
            ("stars", "https://a.org/tn_img/Hmar-x-is.webp", "Hmar-x-is.png", FoundBy::Url),
            ("world_maps_illustration", "", "world_map_anna_01.png", FoundBy::AllWords),
            ("moons_icon", "", "moon-169345.png", FoundBy::AllWords),
            ("silver_full_moon_with_cup", "", "full_moon_2.png", FoundBy::MainWord),
            ("steaming_cup_of_coffee", "", "cup_of_tea.png", FoundBy::MainWord),
        ] {
            assert_eq!(found(&folder, name, url), Some((file.to_owned(), by)), "{name}");
        }
        for name in ["sun", "", "___", "icon"] {
            assert_eq!(found(&folder, name, ""), None, "{name}");
        }
    }

    #[test]
    fn reading_a_folder_can_be_stopped() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("moon.svg"), "<svg/>").unwrap();
        let cancel = CancelToken::new();
        assert_eq!(PictureFolder::open_unless(dir.path(), &cancel).unwrap().len(), 1);
        cancel.cancel();
        let stopped = PictureFolder::open_unless(dir.path(), &cancel);
        assert!(matches!(stopped, Err(TaskError::Cancelled(_))), "{stopped:?}");
    }

    #[test]
    fn a_query_gives_its_pictures_and_then_the_visuals_without_one() {
        let (_dir, folder) = folder(&["moon.png"]);
        let visuals = ["box", "moon"]
            .map(|name| WantedVisual { name: name.to_owned(), ..WantedVisual::default() });
        let query = Query {
            visuals: visuals.to_vec(),
            images: vec![QueryImage { name: "moon".to_owned(), url: String::new() }],
            ..Query::default()
        };
        let given = given_pictures(&query, Some(&folder));
        let names: Vec<_> = given.iter().map(|(name, file)| (&name[..], file.is_some())).collect();
        assert_eq!(names, [("moon", true), ("box", false)]);
        assert!(given_pictures(&query, None).iter().all(|(_, file)| file.is_none()));
        assert!(PictureFolder::open(Path::new("/no/such/folder")).is_err());
    }
}
