//! Which tools people used for CANVAS's modification tasks: `human-tool-path.csv`.

use std::collections::BTreeMap;
use std::path::Path;

use crate::base::read_file_limited;

use super::csv;

/// The file's name in the published dataset, beside the folders of tasks.
const FILE: &str = "human-tool-path.csv";
/// Largest file read, in bytes.
const BYTES: u64 = 16 << 20;

/// Tool names by the id of the task, as the file has it.
#[derive(Debug, Default)]
pub(super) struct ReferenceTools(BTreeMap<String, Vec<String>>);

impl ReferenceTools {
    /// Reads the file in `dir`, if there is one.
    pub(super) fn read(dir: &Path) -> Result<Self, String> {
        let path = dir.join(FILE);
        if !path.exists() {
            return Ok(Self::default());
        }
        let bytes = read_file_limited(&path, BYTES)
            .map_err(|error| format!("The reference tools are not read: {error}."))?;
        Self::parse(&String::from_utf8_lossy(&bytes))
            .ok_or_else(|| format!("{FILE} is not used: its first line must name id and tools."))
    }

    /// Columns `id` and `tools`; tools are divided by commas, quoted or not.
    fn parse(text: &str) -> Option<Self> {
        let rows = csv::rows(text);
        let (head, rows) = rows.split_first()?;
        let column = |name| head.iter().position(|field| field.trim() == name);
        let (id, tools) = (column("id")?, column("tools")?);
        let tools_of = |row: &[String]| -> Vec<String> {
            let fields = row.iter().skip(tools).flat_map(|field| field.split(','));
            fields.map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
        };
        let entry = |row: &Vec<String>| Some((row.get(id)?.trim().to_owned(), tools_of(row)));
        Some(Self(rows.iter().filter_map(entry).collect()))
    }

    /// The tools of a task of a folder such as `task-1`: by its id, or by both joined as the
    /// published runner names results.
    pub(super) fn of(&self, folder: &str, id: &str) -> Vec<String> {
        let by = |key: &str| self.0.get(key);
        by(id).or_else(|| by(&format!("{folder}-{id}"))).cloned().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_are_found_by_id_and_by_folder_and_id() {
        let file = "id,tools\ngid1,\"move_node, set_opacity\"\ntask-1-gid2,rename_node,move_node\n";
        let tools = ReferenceTools::parse(file).unwrap();
        assert_eq!(tools.of("task-1", "gid1"), ["move_node", "set_opacity"]);
        assert_eq!(tools.of("task-1", "gid2"), ["rename_node", "move_node"]);
        assert!(tools.of("task-1", "gid3").is_empty());
        assert!(ReferenceTools::parse("a,b\n").is_none());
    }
}
