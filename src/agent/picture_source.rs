//! Where the pictures of a query come from: a folder, or the run that is made again.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use crate::environment::own_document;
use crate::environment::suite::{GivenPicture, recorded_pictures};
use crate::run::Manifest;
use crate::run::reader::{self, RunError};
use crate::task::{PictureFolder, Task, given_pictures};

/// The setting that names the folder with the pictures of design queries.
pub const PICTURES_SETTING: &str = "pictures";

/// Where the pictures of design queries come from.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum PictureSource {
    /// From nowhere: what comes with no file is a placeholder.
    #[default]
    Nowhere,
    /// They are looked for in a folder.
    Folder(Arc<PictureFolder>),
    /// From a run, as it had them, whatever became of their files.
    Recorded {
        /// The folder they were looked for in then.
        dir: Option<String>,
        /// All it was given.
        pictures: Vec<GivenPicture>,
    },
}

impl PictureSource {
    /// The pictures in a folder, if one is named.
    pub fn in_folder(folder: Option<PictureFolder>) -> Self {
        folder.map_or(Self::Nowhere, |folder| Self::Folder(Arc::new(folder)))
    }

    /// What the recorded run in a folder was given: the bytes are in the run.
    ///
    /// # Errors
    ///
    /// What the run began with cannot be read.
    pub fn of_run(dir: &Path, manifest: &Manifest) -> Result<Self, RunError> {
        let start = reader::read_start(dir, manifest)?;
        let own = start.as_ref().and_then(own_document);
        let mut pictures = own.map(recorded_pictures).unwrap_or_default();
        for picture in &mut pictures {
            // The start state holds bytes and names; which files they were stands in the manifest.
            let told = manifest.given.iter().find(|told| told.name == picture.name);
            picture.file = told.and_then(|told| told.file.as_ref()).map(PathBuf::from);
        }
        // A run that looked in a folder and found nothing says so, and is made again as one.
        let dir = manifest.settings.get(PICTURES_SETTING).and_then(Value::as_str);
        if dir.is_none() && pictures.is_empty() {
            return Ok(Self::Nowhere);
        }
        Ok(Self::Recorded { dir: dir.map(str::to_owned), pictures })
    }

    /// The folder, for a manifest; `None`: there was none.
    pub fn folder(&self) -> Option<String> {
        match self {
            Self::Nowhere => None,
            Self::Folder(folder) => Some(folder.dir().display().to_string()),
            Self::Recorded { dir, .. } => dir.clone(),
        }
    }

    /// What a task hands out, with the files or bytes of its pictures as far as there are any.
    pub(super) fn input_pictures(&self, task: &Task) -> Vec<GivenPicture> {
        let mut pictures = task.given.clone();
        match self {
            Self::Nowhere => {}
            Self::Folder(folder) => {
                let Some(brief) = &task.brief else { return pictures };
                let found = given_pictures(&brief.query, Some(&**folder));
                // What the task brings itself is what it means.
                for picture in pictures.iter_mut().filter(|picture| picture.file.is_none()) {
                    let file = found.iter().find(|(name, _)| *name == picture.name);
                    picture.file = file.and_then(|(_, file)| file.clone());
                }
            }
            Self::Recorded { pictures: recorded, .. } => {
                for picture in &mut pictures {
                    let before = recorded.iter().find(|before| before.name == picture.name);
                    if let Some(before) = before {
                        picture.file.clone_from(&before.file);
                        picture.recorded.clone_from(&before.recorded);
                    }
                }
            }
        }
        pictures
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::run::{AgentRef, GivenFile, TaskRef, folder};

    #[test]
    fn what_a_run_was_given_is_read_from_the_run_alone() {
        let dir = tempfile::tempdir().unwrap();
        let task = TaskRef { set: "s".to_owned(), id: "t".to_owned() };
        let agent = AgentRef { kind: "rules".to_owned(), name: "rules".to_owned(), version: None };
        let mut manifest = Manifest::new(task, agent, "2026-01-01T00:00:00Z");
        let source = PictureSource::of_run(dir.path(), &manifest).unwrap();
        assert_eq!((&source, source.folder()), (&PictureSource::Nowhere, None));
        let start = json!({
            "given": [
                {"name": "moon", "aliases": ["Luna"], "picture": "a"},
                {"name": "sun", "picture": "b"},
                {"name": "star", "picture": "not there"},
            ],
            "pictures": {
                "a": {"name": "moon", "data": "AQID"},
                "b": {"name": "sun", "missing": "its file cannot be read"},
            },
        });
        std::fs::write(dir.path().join(folder::START_FILE), start.to_string()).unwrap();
        manifest.start = Some(folder::START_FILE.to_owned());
        manifest.settings.insert(PICTURES_SETTING.to_owned(), json!("/gone"));
        manifest.given = vec![GivenFile {
            name: "moon".to_owned(),
            file: Some("/gone/moon.png".to_owned()),
            ..GivenFile::default()
        }];
        let source = PictureSource::of_run(dir.path(), &manifest).unwrap();
        assert_eq!(source.folder().as_deref(), Some("/gone"));
        let PictureSource::Recorded { pictures, .. } = source else { panic!("{source:?}") };
        let [moon, sun] = &pictures[..] else { panic!("{pictures:?}") };
        assert_eq!(moon.file.as_deref(), Some(Path::new("/gone/moon.png")));
        assert_eq!(
            (&moon.aliases[..], &moon.recorded),
            (&["Luna".to_owned()][..], &Some(Ok(Arc::from([1, 2, 3]))))
        );
        let why = "its file cannot be read".to_owned();
        assert_eq!((&sun.file, &sun.recorded), (&None, &Some(Err(why))));
        std::fs::write(dir.path().join(folder::START_FILE), "{").unwrap();
        assert!(PictureSource::of_run(dir.path(), &manifest).is_err());
    }
}
