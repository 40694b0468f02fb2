//! What a model is told besides the task.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::base::Size;
use crate::model::template::{PromptError, Template};

use super::Mode;
use crate::agent::AgentView;

/// The wording of an agent's prompts: built in, or from a user's folder (`assets/prompts/README.md`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentPrompts {
    /// By name, one for each of [`FILES`].
    texts: BTreeMap<&'static str, String>,
}

/// The prompts by file name without `.md`, with the variables that each may use.
const FILES: [(&str, &[&str]); 16] = [
    ("agent_multi_turn", TASK),
    ("agent_single_turn", TASK),
    ("agent_code", &["width", "height", "instruction"]),
    ("agent_agency", &[]),
    ("agent_tool_basics", FRAME),
    ("agent_go_on", &[]),
    ("agent_unreadable_call", &["problem"]),
    ("agent_no_page", &[]),
    ("plan_outline", PLAN),
    ("plan_recruit", PLAN),
    (
        "plan_workflow",
        &["query", "components", "pictures", "outline", "recruits", "experts", "expert", "task"],
    ),
    (
        "plan_merge",
        &["query", "components", "pictures", "outline", "recruits", "experts", "workflows"],
    ),
    (
        "plan_actions",
        &[
            "query",
            "components",
            "pictures",
            "outline",
            "recruits",
            "experts",
            "expert",
            "workflow",
            "steps",
            "actions",
        ],
    ),
    ("plan_direct", &["query", "components", "pictures", "experts", "actions"]),
    ("plan_experts", &[]),
    ("plan_unreadable", &["problem"]),
];
/// The wording of each, in the same order.
const BUILT_IN: [&str; 16] = [
    include_str!("../../../assets/prompts/agent_multi_turn.md"),
    include_str!("../../../assets/prompts/agent_single_turn.md"),
    include_str!("../../../assets/prompts/agent_code.md"),
    include_str!("../../../assets/prompts/agent_agency.md"),
    include_str!("../../../assets/prompts/agent_tool_basics.md"),
    include_str!("../../../assets/prompts/agent_go_on.md"),
    include_str!("../../../assets/prompts/agent_unreadable_call.md"),
    include_str!("../../../assets/prompts/agent_no_page.md"),
    include_str!("../../../assets/prompts/plan_outline.md"),
    include_str!("../../../assets/prompts/plan_recruit.md"),
    include_str!("../../../assets/prompts/plan_workflow.md"),
    include_str!("../../../assets/prompts/plan_merge.md"),
    include_str!("../../../assets/prompts/plan_actions.md"),
    include_str!("../../../assets/prompts/plan_direct.md"),
    include_str!("../../../assets/prompts/plan_experts.md"),
    include_str!("../../../assets/prompts/plan_unreadable.md"),
];
const PLAN: &[&str] = &["query", "components", "pictures", "outline", "recruits", "experts"];
const FRAME: &[&str] = &["width", "height", "main_frame"];
const TASK: &[&str] = &["width", "height", "main_frame", "instruction", "agency", "tool_basics"];

impl AgentPrompts {
    /// The prompts that come with the program.
    pub fn built_in() -> Self {
        let texts = FILES.map(|(name, _)| name).into_iter().zip(BUILT_IN);
        Self { texts: texts.map(|(name, text)| (name, text.trim().to_owned())).collect() }
    }

    /// The prompts of these names, and for the others those that come with the program.
    pub fn of_texts(mut texts: BTreeMap<String, String>) -> Self {
        let mut prompts = Self::built_in();
        // A run of an older version lacks the prompts that came later: those are the built-in ones.
        for (name, text) in &mut prompts.texts {
            if let Some(own) = texts.remove(*name) {
                *text = own;
            }
        }
        prompts
    }

    /// The wording by name.
    pub fn texts(&self) -> &BTreeMap<&'static str, String> {
        &self.texts
    }

    /// The prompts that come with the program, but those that the folder has a file for. A file
    /// may use the variables of its row and no other; it need not use them.
    ///
    /// # Errors
    ///
    /// [`PromptError`]: the folder is not there or has a file for none of them, or a file cannot be used.
    pub fn from_folder(folder: &Path) -> Result<Self, PromptError> {
        let path = folder.to_path_buf();
        if !folder.is_dir() {
            return Err(PromptError::NoFolder { path });
        }
        // A slip in a name would compare the program's own prompts with themselves, by another name.
        if Self::count_in(folder) == 0 {
            return Err(PromptError::NoPrompt { example: file_name(FILES[0].0), path });
        }
        let mut prompts = Self::built_in();
        for (name, variables, path) in files_in(folder) {
            // Checked now, as a variable that is never filled would be sent to the model as it stands.
            prompts.texts.insert(name, Template::read(&path, &[], variables)?.text());
        }
        Ok(prompts)
    }

    /// How many prompts the folder has a file for.
    pub fn count_in(folder: &Path) -> usize {
        files_in(folder).count()
    }

    fn template(&self, name: &str) -> Template {
        Template::parse(self.texts.get(name).map(String::as_str).unwrap_or_default())
    }

    /// A prompt with these values; a variable without one stays empty.
    pub(in crate::agent) fn fill(&self, name: &str, values: &[(&str, &str)]) -> String {
        self.template(name).fill(|wanted| {
            let found = values.iter().find(|(name, _)| *name == wanted);
            Some(found.map(|(_, value)| *value).unwrap_or_default())
        })
    }

    /// The words that a conversation opens with.
    pub(super) fn opening(&self, mode: Mode, view: &AgentView<'_>) -> String {
        let template = self.template(match mode {
            Mode::MultiTurn => "agent_multi_turn",
            Mode::SingleTurn => "agent_single_turn",
            Mode::Code => "agent_code",
            // Planners have words of their own for each stage.
            Mode::Agentic | Mode::AgenticVision => "plan_outline",
            Mode::DirectPlan | Mode::DirectPlanVision => "plan_direct",
        });
        // The blocks are filled before the opening: what a task says is never read as a variable.
        let frame = MainFrameWords::of(view.canvas_size, view.main_frame);
        let agency = self.template("agent_agency").fill(|_| None);
        let tool_basics = self.template("agent_tool_basics").fill(|name| frame.value(name));
        template.fill(|name| match name {
            "instruction" => Some(view.instruction),
            "agency" => Some(&agency),
            "tool_basics" => Some(&tool_basics),
            name => frame.value(name),
        })
    }

    /// What is said when an answer was cut off before it made a call.
    pub(super) fn go_on(&self) -> String {
        self.template("agent_go_on").fill(|_| None)
    }

    /// What is said when an answer that should be a page has none.
    pub(super) fn no_page(&self) -> String {
        self.template("agent_no_page").fill(|_| None)
    }

    /// What is said when a call could not be read.
    pub(super) fn unreadable_call(&self, problem: &str) -> String {
        let template = self.template("agent_unreadable_call");
        template.fill(|name| (name == "problem").then_some(problem))
    }
}

/// The prompts that the folder has a file for: name, variables, file.
fn files_in(
    folder: &Path,
) -> impl Iterator<Item = (&'static str, &'static [&'static str], PathBuf)> {
    let files = FILES.into_iter();
    let files = files.map(move |(name, variables)| (name, variables, folder.join(file_name(name))));
    files.filter(|(.., path)| path.exists())
}

fn file_name(prompt: &str) -> String {
    format!("{prompt}.md")
}

/// The main frame in words.
struct MainFrameWords<'a> {
    width: String,
    height: String,
    id: &'a str,
}

impl<'a> MainFrameWords<'a> {
    fn of(size: Size, id: &'a str) -> Self {
        Self { width: size.width.to_string(), height: size.height.to_string(), id }
    }

    fn value(&self, variable: &str) -> Option<&str> {
        match variable {
            "width" => Some(&self.width),
            "height" => Some(&self.height),
            "main_frame" => Some(self.id),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::TaskRef;

    #[test]
    fn the_built_in_prompts_use_the_variables_they_may_and_no_other() {
        let prompts = AgentPrompts::built_in();
        for (name, variables) in FILES {
            for used in prompts.template(name).variables() {
                assert!(variables.contains(&used), "{name} uses {used}");
            }
        }
    }

    #[test]
    fn the_opening_holds_the_task_and_leaves_no_variable() {
        let task = TaskRef { set: "s".into(), id: "t".into() };
        let view = AgentView {
            task: &task,
            turn: 1,
            instruction: "Build {{it}}.",
            ground_truth: None,
            canvas_size: Size::new(393.0, 852.0),
            query: None,
            input_pictures: &[],
            main_frame: "1:1",
            tools: &[],
            last_turn: &[],
        };
        for mode in [Mode::MultiTurn, Mode::SingleTurn, Mode::Code] {
            let words = AgentPrompts::built_in().opening(mode, &view);
            let frame = (mode != Mode::Code).then_some("1:1");
            for part in ["Build {{it}}.", "393", "852"].into_iter().chain(frame) {
                assert!(words.contains(part), "{mode}: no {part} in {words}");
            }
            assert_eq!(words.matches("{{").count(), 1, "{words}");
        }
    }

    #[test]
    fn a_users_wording_replaces_one_block_and_an_unknown_variable_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("agent_goon.md"), "Continue.").unwrap();
        let error = AgentPrompts::from_folder(folder.path()).unwrap_err().to_string();
        assert!(error.contains("such as agent_multi_turn.md"), "{error}");
        std::fs::write(folder.path().join("agent_go_on.md"), "Continue.").unwrap();
        assert_eq!(AgentPrompts::count_in(folder.path()), 1);
        let prompts = AgentPrompts::from_folder(folder.path()).unwrap();
        assert_eq!(prompts.go_on(), "Continue.");
        assert_eq!(prompts.texts["agent_agency"], AgentPrompts::built_in().texts["agent_agency"]);
        std::fs::write(folder.path().join("agent_agency.md"), "{{secret}}").unwrap();
        let error = AgentPrompts::from_folder(folder.path()).unwrap_err().to_string();
        assert!(error.contains("{{secret}}"), "{error}");
    }

    #[test]
    fn recorded_wording_comes_back_as_it_was() {
        let own = ("agent_agency".to_owned(), "Slowly, {{ width }}.".to_owned());
        let prompts = AgentPrompts::of_texts([own].into());
        let texts = serde_json::to_value(prompts.texts()).unwrap();
        assert_eq!(AgentPrompts::of_texts(serde_json::from_value(texts).unwrap()), prompts);
    }
}
