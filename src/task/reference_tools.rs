//! Which tools people used for CANVAS's modification tasks: `human-tool-path.csv`.

use std::collections::BTreeMap;
use std::path::Path;

use crate::base::read_file_limited;

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
        // A mark of the byte order would become part of the first column's name. Rows are as long
        // as they have tools, where these are not quoted.
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
        let head = reader.headers().ok()?;
        let id = head.iter().position(|field| field.trim() == "id")?;
        let tools = head.iter().position(|field| field.trim() == "tools")?;
        let mut found = BTreeMap::new();
        for row in reader.records().flatten() {
            let Some(id) = row.get(id) else { continue };
            // A quote after a space is no quote to the reader: `gid1, "move_node, set_opacity"`
            // comes in two fields with a lone quote each. No tool has one in its name.
            let names = row.iter().skip(tools).flat_map(|field| field.split(','));
            let names =
                names.map(|name| name.trim_matches(|c: char| c == '"' || c.is_whitespace()));
            let names = names.filter(|name| !name.is_empty()).map(str::to_owned).collect();
            found.insert(id.trim().to_owned(), names);
        }
        Some(Self(found))
    }

    /// The tools of a task of a folder such as `task-1`: by its id, or by both joined as the
    /// published runner names results.
    pub(super) fn of(&self, folder: &str, id: &str) -> Vec<String> {
        let tools = self.0.get(id).or_else(|| self.0.get(&format!("{folder}-{id}")));
        tools.cloned().unwrap_or_default()
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

    #[test]
    fn what_spreadsheets_write_is_read() {
        let file = "\u{feff}id,note,tools\r\n1,\"a, \"\"b\"\"\nc\",\"d, e\"\r\n\n2,,d,e\n3, \"x\", \"d, e\"\n4";
        let tools = ReferenceTools::parse(file).unwrap();
        for id in ["1", "2", "3"] {
            assert_eq!(tools.of("task-1", id), ["d", "e"], "{id}");
        }
        assert!(tools.of("task-1", "4").is_empty());
        assert!(ReferenceTools::parse("").is_none());
    }
}
