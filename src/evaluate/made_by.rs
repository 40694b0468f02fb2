//! What exported files say of where they come from: tables, figures, pages and pictures, from the window and from the
//! command line alike.

/// Which program writes files, and its version.
pub const PROGRAM: &str = concat!("Pentimento ", env!("CARGO_PKG_VERSION"));

/// In one line: the program, and the command that makes the file again.
pub fn made_by(command: &str) -> String {
    format!("{PROGRAM}: {command}")
}

/// Where a file comes from. What is empty is not said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MadeBy {
    /// The command that makes it again.
    pub command: String,
    /// Of how many runs it is, such as `3 of 12 that are open`.
    pub runs: String,
    /// What else was chosen, with what it is called, such as the filter.
    pub choices: Vec<(&'static str, String)>,
    /// By the ids of which variants its scores are.
    pub variants: Vec<String>,
    /// What was left out, and why.
    pub left_out: Vec<String>,
}

impl MadeBy {
    /// By names, for formats that have a place for each: `program`, `command`, `runs`, the choices, `metrics`,
    /// `left out`.
    pub fn entries(&self) -> Vec<(String, String)> {
        let mut entries = vec![("program", PROGRAM.to_owned()), ("command", self.command.clone())];
        entries.extend((!self.runs.is_empty()).then(|| ("runs", self.runs.clone())));
        entries.extend(self.choices.iter().cloned());
        entries.extend((!self.variants.is_empty()).then(|| ("metrics", self.variants.join(", "))));
        entries.extend((!self.left_out.is_empty()).then(|| ("left out", self.left_out.join("; "))));
        entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// As lines for people, that of program and command first.
    pub fn lines(&self) -> Vec<String> {
        let others = self.entries().into_iter().skip(2);
        let others = others.map(|(name, value)| format!("{name}: {value}"));
        std::iter::once(made_by(&self.command)).chain(others).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_said_by_name_and_in_lines_and_what_is_not_is_left_out() {
        let all = MadeBy {
            command: "pentimento report runs".to_owned(),
            runs: "2".to_owned(),
            choices: vec![("filter", "ssim>0".to_owned())],
            variants: ["ssim/uniform7", "psnr/skimage"].map(str::to_owned).to_vec(),
            left_out: vec!["a: it is torn".to_owned()],
        };
        let names: Vec<String> = all.entries().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["program", "command", "runs", "filter", "metrics", "left out"]);
        let lines = all.lines();
        assert!(
            lines[0].starts_with("Pentimento ") && lines[0].ends_with(": pentimento report runs")
        );
        let others = ["runs: 2", "filter: ssim>0", "metrics: ssim/uniform7, psnr/skimage"];
        assert_eq!(lines[1..4], others);
        assert_eq!(lines[4], "left out: a: it is torn");
        let little = MadeBy { command: "x".to_owned(), ..MadeBy::default() };
        assert_eq!(little.lines(), [made_by("x")]);
    }
}
