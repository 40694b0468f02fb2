//! A labelling project is made: of a plan, its texts and tables, and runs. The window and the command line both
//! make it here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::environment::OpenEnvironment;
use crate::label::{Form, Item, ItemRole, PassMark, Proposals, WriterId};
use crate::store::labels::{EvidenceSlot, LabelFile, LabelFileError, PacketPictures};

use super::answer_rows::{AnswerRow, AnswerRowError, Candidates, RowsError, rows};
use super::label_items::ItemRun;
use super::label_plan::{KnownTable, LabelPlan, LabelPlanError, StudyPlan};
use super::label_queries::{QueriesError, QueryItems};
use super::proposals::propose;
use super::study_text::{StudyText, StudyTextError};

/// What comes before the first item, before its files are read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StudySources {
    /// What is agreed to.
    pub consent: TextSource,
    /// Good and bad examples.
    pub examples: TextSource,
    /// What people are asked about themselves.
    pub pre_survey: Option<Form>,
    /// The share of the qualification that is enough.
    pub pass_mark: Option<PassMark>,
}

/// Where a text comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextSource {
    /// It was typed; of nothing but spaces there is no text.
    Typed(String),
    /// It is in a file of Markdown, with the pictures that lie beside it.
    File(PathBuf),
}

impl Default for TextSource {
    fn default() -> Self {
        Self::Typed(String::new())
    }
}

/// Why no project was made.
#[derive(Debug, thiserror::Error)]
pub enum MakeLabelsError {
    /// The plan is none, or nothing is there to be asked about.
    #[error(transparent)]
    Plan(#[from] LabelPlanError),
    /// A text cannot be taken in.
    #[error(transparent)]
    Text(#[from] StudyTextError),
    /// Queries cannot be taken in.
    #[error(transparent)]
    Queries(#[from] QueriesError),
    /// A table of known answers cannot be read, or a row of it is none.
    #[error("{0}")]
    Known(String),
    /// The project cannot be written.
    #[error(transparent)]
    File(#[from] LabelFileError),
}

/// The items of a project, before it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedItems {
    /// All of them, in order.
    pub items: Vec<Item>,
    /// How many were left out, as they are of copied runs, or queries that were there before.
    pub copies: usize,
    /// About how many a program says something.
    pub proposed: usize,
    /// The candidates of queries, encoded, by their id.
    pub pictures: BTreeMap<String, Vec<u8>>,
}

impl StudySources {
    /// Reads the files.
    ///
    /// # Errors
    ///
    /// [`StudyTextError`].
    pub fn read(&self) -> Result<StudyPlan, StudyTextError> {
        Ok(StudyPlan {
            consent: self.consent.read()?,
            examples: self.examples.read()?,
            pre_survey: self.pre_survey.clone(),
            pass_mark: self.pass_mark,
        })
    }
}

impl TextSource {
    fn read(&self) -> Result<StudyText, StudyTextError> {
        match self {
            Self::Typed(text) => StudyText::typed(text),
            Self::File(path) => StudyText::open(path),
        }
    }
}

impl LabelPlan {
    /// All items of these runs: with what is known and proposed of them, and some asked once more. `home` is the
    /// folder of the project's file.
    ///
    /// # Errors
    ///
    /// [`MakeLabelsError`].
    pub fn all_items(
        &self,
        runs: &[ItemRun],
        home: &Path,
        open_environment: &OpenEnvironment,
    ) -> Result<PlannedItems, MakeLabelsError> {
        self.check()?;
        let queries = self.queries.as_deref().map(QueryItems::open).transpose()?;
        let queries = queries.unwrap_or_default();
        let (mut items, copies) = self.items(runs, queries.items)?;
        // Known answers and proposals are of items, and go in before items are asked twice: both copies have them.
        for table in &self.known {
            put_known(&mut items, &self.forms, table).map_err(MakeLabelsError::Known)?;
        }
        let proposed = match self.queue.proposals {
            Proposals::Never => 0,
            Proposals::Before | Proposals::After => {
                propose(&mut items, &self.forms, (runs, home), open_environment)
            }
        };
        self.ask_again(&mut items)?;
        let (pictures, copies) = (queries.pictures, copies + queries.copies);
        Ok(PlannedItems { items, copies, proposed, pictures })
    }

    /// Writes the project, where nothing may be yet. `id` and `writer` were drawn at random.
    ///
    /// # Errors
    ///
    /// [`MakeLabelsError::File`].
    pub fn write(
        &self,
        path: &Path,
        planned: &PlannedItems,
        (id, writer): (String, WriterId),
    ) -> Result<(), MakeLabelsError> {
        let (project, forms) = (self.project(id), self.all_forms());
        let pictures =
            PacketPictures { study: self.study_pictures(), ..planned.candidate_pictures() };
        LabelFile::create_study(path, &project, (&forms, &planned.items), &pictures, writer)?;
        Ok(())
    }
}

impl PlannedItems {
    /// The candidates' pictures as the project's file has them: of drawn queries alone, and each once.
    fn candidate_pictures(&self) -> PacketPictures {
        let mut pictures = PacketPictures::default();
        let mut numbers: BTreeMap<&str, i64> = BTreeMap::new();
        for item in &self.items {
            for (place, id) in (0u8..).zip(&item.candidates) {
                let Some(content) = self.pictures.get(id) else { continue };
                let next = numbers.len() as i64 + 1;
                let number = *numbers.entry(id).or_insert(next);
                pictures.pictures.entry(number).or_insert_with(|| content.clone());
                let slot = EvidenceSlot::Candidate(place);
                pictures.slots.push((item.id.clone(), slot, number));
            }
        }
        pictures
    }
}

/// Gives items the answers of a table.
fn put_known(items: &mut [Item], forms: &[Form], table: &KnownTable) -> Result<(), String> {
    let read = rows(&table.path).map_err(|error: RowsError| error.to_string())?;
    let mut known = 0;
    for (line, row) in read {
        // Borrowed for one row, as the items are changed below.
        let candidates: Candidates<'_> =
            items.iter().map(|item| (&item.id, item.candidates.as_slice())).collect();
        let said = || format!("line {line} of {}", table.path.display());
        let row = AnswerRow::of(forms, &candidates, row)
            .map_err(|error: AnswerRowError| format!("{}: {error}", said()))?;
        // The first rows are asked before all else; the others are known answers among the ordinary items.
        let is_first = table.most.is_none_or(|most| known < most);
        for item in items.iter_mut().filter(|item| item.id == row.item) {
            if item.known.is_some() {
                return Err(format!("{}: {} has an answer already", said(), item.id.0));
            }
            item.known = Some(row.answer.clone());
            item.role = if is_first { table.role } else { ItemRole::KnownAnswer };
            known += 1;
        }
    }
    // Too few are told: a qualification that is shorter than planned would let more people through.
    match table.most {
        Some(most) if known < most => Err(format!(
            "{most} items with a known answer are to be asked first, and the table has {known}: {}",
            table.path.display()
        )),
        _ => Ok(()),
    }
}
