//! Queries with candidate pictures, read from a folder or a table: what a project ranks.
//!
//! The pictures are taken into the project, encoded anew: nothing of a file but its pixels, and no name, reaches
//! whoever ranks. A candidate's id is the hash of its picture.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use crate::base::{JsonLimitError, Pixels, PixelsError, read_file_limited};
use crate::label::{Item, ItemKind, MOST_NOTE_CHARACTERS};

use super::answer_rows::{Cells, RowsError, rows, take_text};
use super::label_items::item_id;

/// What holds the words of a query in its folder.
const WORDS_FILE: &str = "query.txt";
/// How many candidates a query may have: each has a digit as its key.
pub(super) const CANDIDATES: std::ops::RangeInclusive<usize> = 2..=9;
/// Most queries of a project.
const MOST_QUERIES: usize = 20_000;
/// Longest side of a candidate, in pixels: what lies in a packet is looked at on a screen.
const MOST_SIDE: u32 = 4096;
/// Most bytes of all pictures, encoded.
const MOST_BYTES: usize = 1 << 30;
/// Files that are pictures, by what they end in.
const ENDINGS: [&str; 3] = ["png", "jpg", "jpeg"];

/// Queries as items, with their pictures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QueryItems {
    /// The items, in the order of the folder or table.
    pub items: Vec<Item>,
    /// The candidates as PNG without anything else in the file, by their id.
    pub pictures: BTreeMap<String, Vec<u8>>,
    /// Queries that were there twice, with the same words and pictures.
    pub copies: usize,
}

/// Why queries cannot be taken into a project.
#[derive(Debug, thiserror::Error)]
pub enum QueriesError {
    /// The table cannot be read.
    #[error("{0}")]
    Table(String),
    /// A folder cannot be listed.
    #[error("cannot be listed: {source}: {}", path.display())]
    Folder {
        /// The cause.
        source: io::Error,
        /// Which folder.
        path: PathBuf,
    },
    /// The words of a query cannot be read.
    #[error("the words of a query: {0}")]
    Read(#[from] JsonLimitError),
    /// A picture cannot be read, or is no PNG or JPEG.
    #[error("a candidate cannot be taken in: {source}: {}", path.display())]
    Picture {
        /// Why.
        source: PixelsError,
        /// Which file.
        path: PathBuf,
    },
    /// Something else is wrong with a query.
    #[error("{query}: {why}")]
    Query {
        /// Which: its folder, or its line in the table.
        query: String,
        /// What is wrong.
        why: String,
    },
    /// There are none.
    #[error(
        "there is no query: a table with the columns query and folder or pictures is one, or a folder of folders, each \
         with a {WORDS_FILE} and pictures: {}",
        path.display()
    )]
    Empty {
        /// Which file or folder.
        path: PathBuf,
    },
    /// There are too many, or they are too large.
    #[error(
        "more than {MOST_QUERIES} queries, or more than {} MB of pictures: {}",
        MOST_BYTES >> 20,
        path.display()
    )]
    TooMany {
        /// Which file or folder.
        path: PathBuf,
    },
}

/// A query before its pictures are read.
struct Query {
    /// What errors call it.
    name: String,
    words: String,
    /// Who made each candidate, and where its picture is.
    candidates: Vec<(String, PathBuf)>,
    strata: BTreeMap<String, String>,
}

impl Query {
    fn wrong(&self, why: impl Into<String>) -> QueriesError {
        QueriesError::Query { query: self.name.clone(), why: why.into() }
    }
}

impl QueryItems {
    /// Reads queries: a folder with a folder for each, or a table with a row for each.
    ///
    /// # Errors
    ///
    /// [`QueriesError`]; queries are taken in all together or not at all.
    pub fn open(path: &Path) -> Result<Self, QueriesError> {
        let queries = if path.is_dir() { of_folder(path)? } else { of_table(path)? };
        if queries.is_empty() {
            return Err(QueriesError::Empty { path: path.into() });
        }
        let (mut found, mut seen, mut bytes) = (Self::default(), BTreeSet::new(), 0);
        let is_too_many = queries.len() > MOST_QUERIES;
        for query in queries.into_iter().take_while(|_| !is_too_many) {
            let item = found.take_in(query, &mut bytes)?;
            if bytes > MOST_BYTES {
                return Err(QueriesError::TooMany { path: path.into() });
            }
            // By what is in it: the same query under two names is asked once.
            if seen.insert(item.id.clone()) {
                found.items.push(item);
            } else {
                found.copies += 1;
            }
        }
        if is_too_many { Err(QueriesError::TooMany { path: path.into() }) } else { Ok(found) }
    }

    fn take_in(&mut self, mut query: Query, bytes: &mut usize) -> Result<Item, QueriesError> {
        let words = query.words.trim().to_owned();
        query.words = words;
        if query.words.is_empty() {
            return Err(query.wrong("it has no words"));
        }
        if query.words.chars().count() > MOST_NOTE_CHARACTERS
            || query.words.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\t'))
        {
            let why = format!(
                "its words are more than {MOST_NOTE_CHARACTERS}, or hold control characters"
            );
            return Err(query.wrong(why));
        }
        if !CANDIDATES.contains(&query.candidates.len()) {
            let (least, most) = (CANDIDATES.start(), CANDIDATES.end());
            let found = query.candidates.len();
            return Err(
                query.wrong(format!("it has {found} pictures, and {least} to {most} are ranked"))
            );
        }
        // Whatever order they were listed in: a query is the same in every copy of a study.
        query.candidates.sort();
        let mut candidates: Vec<String> = Vec::with_capacity(query.candidates.len());
        for (source, path) in &query.candidates {
            if source.trim().is_empty() {
                return Err(query.wrong(format!("nothing says who made {}", path.display())));
            }
            let pixels = Pixels::open(path)
                .map_err(|source| QueriesError::Picture { source, path: path.clone() })?;
            if pixels.width().max(pixels.height()) > MOST_SIDE {
                let why = format!("more than {MOST_SIDE} pixels a side: {}", path.display());
                return Err(query.wrong(why));
            }
            // Encoded anew: the same pixels have the same id, whichever program wrote the file.
            let encoded = pixels.to_png();
            let encoded =
                encoded.map_err(|source| QueriesError::Picture { source, path: path.clone() })?;
            let id = blake3::hash(&encoded).to_hex()[..16].to_owned();
            if candidates.contains(&id) {
                let why = format!("two of its pictures are the same: {}", path.display());
                return Err(query.wrong(why));
            }
            // A picture that several queries share is packed once, and counts once.
            if !self.pictures.contains_key(&id) {
                *bytes += encoded.len();
                self.pictures.insert(id.clone(), encoded);
            }
            candidates.push(id);
        }
        // A zero byte ends each part, or two lists of parts could be the same bytes.
        let mut hasher = blake3::Hasher::new();
        let kind = ItemKind::Query.name();
        for part in [kind, &query.words].into_iter().chain(candidates.iter().map(String::as_str)) {
            hasher.update(part.as_bytes());
            hasher.update(b"\0");
        }
        Ok(Item {
            sources: query.candidates.into_iter().map(|(source, _)| source).collect(),
            candidates,
            text: Some(query.words),
            strata: query.strata,
            ..Item::bare(item_id(&hasher), ItemKind::Query)
        })
    }
}

/// A query a folder in the folder, in the order of their names.
fn of_folder(path: &Path) -> Result<Vec<Query>, QueriesError> {
    let mut queries = Vec::new();
    for folder in listed(path)?.into_iter().filter(|it| it.is_dir()) {
        let bytes = read_file_limited(&folder.join(WORDS_FILE), 4 * MOST_NOTE_CHARACTERS as u64)?;
        let name = folder.display().to_string();
        let Ok(words) = String::from_utf8(bytes) else {
            let why = format!("{WORDS_FILE} is not UTF-8");
            return Err(QueriesError::Query { query: name, why });
        };
        let words = words.trim_start_matches('\u{feff}').to_owned();
        let candidates = pictures_in(&folder)?;
        queries.push(Query { name, words, candidates, strata: BTreeMap::new() });
    }
    Ok(queries)
}

/// The files of a folder that are pictures, each called after who made it.
fn pictures_in(folder: &Path) -> Result<Vec<(String, PathBuf)>, QueriesError> {
    let files = listed(folder)?.into_iter().filter(|path| {
        let ending = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
        path.is_file() && ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
    });
    Ok(files.map(|path| (stem(&path), path)).collect())
}

fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

fn listed(folder: &Path) -> Result<Vec<PathBuf>, QueriesError> {
    let paths = fs::read_dir(folder).and_then(|entries| {
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()
    });
    let mut paths = paths.map_err(|source| QueriesError::Folder { source, path: folder.into() })?;
    paths.sort();
    Ok(paths)
}

/// A query a row of a table.
fn of_table(path: &Path) -> Result<Vec<Query>, QueriesError> {
    let read = rows(path).map_err(|error: RowsError| QueriesError::Table(error.to_string()))?;
    let home = path.parent().unwrap_or_else(|| Path::new(""));
    let mut queries = Vec::with_capacity(read.len());
    for (line, row) in read {
        queries.push(of_row(format!("line {line} of {}", path.display()), row, home)?);
    }
    Ok(queries)
}

fn of_row(name: String, mut row: Cells, home: &Path) -> Result<Query, QueriesError> {
    let [words, folder] = ["query", "folder"].map(|column| take_text(&mut row, column));
    let strata = ["type", "difficulty"]
        .map(|column| Some((column.to_owned(), take_text(&mut row, column)?)));
    let mut query = Query {
        name,
        words: words.unwrap_or_default(),
        candidates: Vec::new(),
        strata: strata.into_iter().flatten().collect(),
    };
    let [pictures, sources] =
        ["pictures", "sources"].map(|column| words_of(row.shift_remove(column)?));
    // What is left has no reader: a misspelt column is told and not passed over.
    if let Some(unknown) = row.keys().next() {
        return Err(query.wrong(format!(
            "there is no use for a column {unknown:?}: query, folder, pictures, sources, type and difficulty are known"
        )));
    }
    match (folder, pictures) {
        (Some(folder), None) if sources.is_none() => {
            query.candidates = pictures_in(&below(&query, home, folder.trim())?)?;
        }
        (None, Some(pictures)) => {
            let sources = sources.unwrap_or_else(|| {
                pictures.iter().map(|picture| stem(Path::new(picture))).collect()
            });
            if sources.len() != pictures.len() {
                let (makers, all) = (sources.len(), pictures.len());
                return Err(query.wrong(format!("{makers} sources of {all} pictures")));
            }
            for (source, picture) in sources.into_iter().zip(pictures) {
                let path = below(&query, home, &picture)?;
                query.candidates.push((source, path));
            }
        }
        _ => {
            let why = "it has either a folder, or pictures and perhaps their sources, divided by |";
            return Err(query.wrong(why));
        }
    }
    Ok(query)
}

/// The words of a cell: a text divided by `|`, or a list; `None` where there are none.
fn words_of(cell: Value) -> Option<Vec<String>> {
    let words: Vec<String> = match cell {
        Value::String(text) => text.split('|').map(|word| word.trim().to_owned()).collect(),
        Value::Array(list) => {
            let words = list.iter().map(|word| word.as_str().unwrap_or_default().trim().to_owned());
            words.collect()
        }
        Value::Null => Vec::new(),
        other => vec![other.to_string()],
    };
    Some(words).filter(|words| words.iter().any(|word| !word.is_empty()))
}

/// A file or folder that a table names: in the table's folder or below.
fn below(query: &Query, home: &Path, named: &str) -> Result<PathBuf, QueriesError> {
    let mut parts = Path::new(named).components();
    if named.is_empty()
        || !parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
    {
        return Err(query.wrong(format!(
            "{named:?} does not lie beside the table: only what is in its folder or below is taken in"
        )));
    }
    Ok(home.join(named))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(path: &Path, color: [u8; 4]) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        Pixels::filled(6, 4, color).unwrap().save_png(path).unwrap();
    }

    /// Two queries as folders, each with three pictures.
    fn folder() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (at, query) in ["a poster for jazz", "a card | for two"].into_iter().enumerate() {
            let folder = dir.path().join(format!("q{at}"));
            for (of, source) in ["beta", "alpha", "gold"].into_iter().enumerate() {
                picture(&folder.join(format!("{source}.png")), [10 * of as u8, 90, at as u8, 255]);
            }
            fs::write(folder.join(WORDS_FILE), format!("\u{feff}{query}\n")).unwrap();
            fs::write(folder.join("notes.txt"), "not a picture").unwrap();
        }
        dir
    }

    #[test]
    fn a_folder_and_a_table_of_it_are_the_same_queries() {
        let dir = folder();
        let found = QueryItems::open(dir.path()).unwrap();
        assert_eq!((found.items.len(), found.pictures.len(), found.copies), (2, 6, 0));
        let [first, second] = found.items.as_slice() else { panic!("two") };
        assert_eq!(first.text.as_deref(), Some("a poster for jazz"));
        assert_eq!(first.sources, ["alpha", "beta", "gold"]);
        assert_ne!(first.candidates, second.candidates);
        assert!(first.candidates.iter().all(|id| found.pictures.contains_key(id)));
        let csv = "query,pictures,sources,type\n\
                   a poster for jazz,q0/gold.png|q0/alpha.png|q0/beta.png,gold|alpha|beta,poster\n\
                   a card | for two,q1/gold.png|q1/alpha.png|q1/beta.png,,\n";
        let lines = "{\"query\": \"a poster for jazz\", \"folder\": \"q0\"}\n\
                     {\"query\": \"a poster for jazz\", \"folder\": \"q0\"}\n\
                     {\"query\": \"a card | for two\", \"pictures\": [\"q1/gold.png\", \"q1/alpha.png\", \"q1/beta.png\"]}\n";
        fs::write(dir.path().join("queries.csv"), csv).unwrap();
        fs::write(dir.path().join("queries.jsonl"), lines).unwrap();
        let of_csv = QueryItems::open(&dir.path().join("queries.csv")).unwrap();
        assert_eq!(of_csv.items[0].strata["type"], "poster");
        let of_lines = QueryItems::open(&dir.path().join("queries.jsonl")).unwrap();
        assert_eq!((of_lines.items.len(), of_lines.copies), (2, 1));
        for (at, items) in [&of_csv.items, &of_lines.items].into_iter().enumerate() {
            assert_eq!(items[0].id, first.id, "{at}");
            assert_eq!(items[0].candidates, first.candidates);
            assert_eq!(items[1].sources, second.sources);
        }
    }

    #[test]
    fn what_is_no_query_says_what_is_wrong_and_where() {
        let dir = folder();
        let path = dir.path().join("odd.csv");
        let long = "x".repeat(50_001);
        fs::write(dir.path().join("broken.png"), b"\x89PNG\r\n\x1a\nnothing").unwrap();
        picture(&dir.path().join("same/one.png"), [1, 2, 3, 255]);
        picture(&dir.path().join("same/two.png"), [1, 2, 3, 255]);
        Pixels::filled(5000, 2, [9; 4]).unwrap().save_png(&dir.path().join("wide.png")).unwrap();
        for (row, said) in [
            (",q0/alpha.png|q0/beta.png".to_owned(), "line 2 of"),
            (",q0/alpha.png|q0/beta.png".to_owned(), "it has no words"),
            ("a,q0/alpha.png".to_owned(), "it has 1 pictures, and 2 to 9 are ranked"),
            ("a,q0/alpha.png|../up.png".to_owned(), "does not lie beside the table"),
            ("a,/etc/passwd|q0/beta.png".to_owned(), "does not lie beside the table"),
            ("a,q0/alpha.png|none.png".to_owned(), "none.png"),
            ("a,q0/alpha.png|broken.png".to_owned(), "cannot be taken in"),
            ("a,q0/alpha.png|q0/query.txt".to_owned(), "cannot be taken in"),
            ("a,same/one.png|same/two.png".to_owned(), "two of its pictures are the same"),
            ("a,q0/alpha.png|wide.png".to_owned(), "more than 4096 pixels a side"),
            (format!("{long},q0/alpha.png|q0/beta.png"), "more than 50000"),
            ("a\u{7}b,q0/alpha.png|q0/beta.png".to_owned(), "control characters"),
            ("a,".to_owned(), "either a folder, or pictures"),
        ] {
            fs::write(&path, format!("query,pictures\n{row}\n")).unwrap();
            let error = QueryItems::open(&path).unwrap_err().to_string();
            assert!(error.contains(said), "{said}: {error}");
        }
        let of = |text: &str| {
            fs::write(&path, text).unwrap();
            QueryItems::open(&path).unwrap_err().to_string()
        };
        assert!(of("query,folder,colour\na,q0,red\n").contains("no use for a column \"colour\""));
        assert!(
            of("query,pictures,sources\na,q0/alpha.png|q0/beta.png,me\n")
                .contains("1 sources of 2")
        );
        assert!(of("query,folder\n").contains("there is no query"));
        let empty = tempfile::tempdir().unwrap();
        let error = QueryItems::open(empty.path()).unwrap_err().to_string();
        assert!(error.contains("there is no query"), "{error}");
        fs::create_dir(empty.path().join("q")).unwrap();
        let error = QueryItems::open(empty.path()).unwrap_err().to_string();
        assert!(error.contains(WORDS_FILE), "{error}");
    }
}
