//! Where the runs of a project lie, written anew once they were moved.

use std::collections::BTreeMap;

use rusqlite::{TransactionBehavior, params};

use super::LabelFileError;
use super::file::{LabelFile, to_json};
use crate::label::Project;

impl LabelFile {
    /// Writes down where runs lie, by the hash of what is in them, and where task sets do beside those that are
    /// known; both as seen from the project's file. Gives how many items have a run elsewhere now. An opening of
    /// before still has the places of before.
    ///
    /// # Errors
    ///
    /// [`LabelFileError`]; then nothing was changed.
    pub fn relocate(
        &self,
        places: &BTreeMap<String, String>,
        task_sets: &[String],
    ) -> Result<usize, LabelFileError> {
        let mut moved = Vec::new();
        for mut item in self.items()? {
            let before = item.clone();
            for run in &mut item.runs {
                if let Some(place) = places.get(&run.content) {
                    run.path.clone_from(place);
                }
            }
            if item != before {
                moved.push(item);
            }
        }
        let mut sets = self.project().task_sets.clone();
        sets.extend(
            task_sets.iter().filter(|set| !self.project().task_sets.contains(set)).cloned(),
        );
        let project = Project { task_sets: sets, ..self.project().clone() };
        // Locked at once: one that begins by reading could be refused when it comes to write.
        self.write(|connection| {
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            for item in &moved {
                let content = to_json(item)?;
                let query = "UPDATE item SET content = ?2 WHERE id = ?1";
                transaction.execute(query, params![item.id.0, content])?;
            }
            transaction.execute("UPDATE file SET project = ?1", [to_json(&project)?])?;
            transaction.commit()
        })?;
        Ok(moved.len())
    }
}
