//! What a model is told.

use std::fmt::Write as _;
use std::iter::once;
use std::sync::Arc;

use crate::agent::chat::{Message, Part};
use crate::design::{Document, Node, NodeId};
use crate::environment::{ToolCategory, ToolSpec};
use crate::model::template::Template;

/// Most layers that are listed.
const MOST_NODES: usize = 300;
/// Most letters of a name or a text that are listed.
const MOST_LETTERS: usize = 48;
/// Most lines of what was done, and of what was proposed before: the newest.
const MOST_LINES: usize = 20;

/// What somebody asks a model, and all that it is shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelQuestion {
    /// What is to come of the design, in words.
    pub instruction: Option<String>,
    /// What the person says; `None` asks for the next step.
    pub asked: Option<String>,
    /// The design as it is.
    pub design: Document,
    /// What is selected.
    pub selected: Vec<NodeId>,
    /// What was done, the newest last, in one line each.
    pub done: Vec<String>,
    /// What was proposed before and what became of it, the newest last, in one line each.
    pub earlier: Vec<String>,
    /// The goal, drawn.
    pub goal_shown: Option<ShownDesign>,
    /// The design, drawn.
    pub design_shown: Option<ShownDesign>,
}

/// A design drawn for a model.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownDesign {
    /// As PNG.
    pub png: Arc<[u8]>,
    /// Pixels a unit of the page: 1, or fewer of a page that is very large.
    pub scale: f64,
}

impl ShownDesign {
    /// The picture, with how much smaller it is than what is said of the layers.
    fn parts(&self) -> impl Iterator<Item = Part> + use<> {
        let scale = Some(self.scale).filter(|scale| *scale < 1.0);
        let words = scale.map(|scale| {
            Part::Text(format!(
                "This picture is smaller: {scale:.3} pixels for a unit of the page."
            ))
        });
        once(Part::Picture(self.png.clone())).chain(words)
    }
}

impl ModelQuestion {
    /// The first message: the pictures, then the words.
    pub(super) fn message(&self, tools: &[ToolSpec]) -> Message {
        let pictures =
            self.goal_shown.iter().chain(&self.design_shown).flat_map(ShownDesign::parts);
        let words = Part::Text(self.words(tools));
        Message::User(pictures.chain([words]).collect())
    }

    fn words(&self, tools: &[ToolSpec]) -> String {
        let template = Template::parse(include_str!("../../../../assets/prompts/assist_step.md"));
        let (nodes, tools) = (nodes_text(&self.design), tools_text(tools));
        let selected: Vec<&str> = self.selected.iter().map(NodeId::as_str).collect();
        let selected = or_nothing(selected.join(", "));
        let [done, earlier] = [&self.done, &self.earlier].map(|lines| or_nothing(newest(lines)));
        let asked = self.asked.as_deref().unwrap_or("What is the next step?");
        let instruction = self.instruction.as_deref().unwrap_or("not told in words");
        template.fill(|name| match name {
            "instruction" => Some(instruction),
            "nodes" => Some(&nodes),
            "selected" => Some(&selected),
            "done" => Some(&done),
            "earlier" => Some(&earlier),
            "asked" => Some(asked),
            "tools" => Some(&tools),
            _ => None,
        })
    }
}

/// What is said of an answer that cannot be used.
pub(super) fn again(problem: &str) -> Message {
    let template = Template::parse(include_str!("../../../../assets/prompts/assist_again.md"));
    let words = template.fill(|name| (name == "problem").then_some(problem));
    Message::User(vec![Part::Text(words)])
}

/// Whether a model may use a tool: those that make and change, none that only look or take over whole designs.
pub(super) fn is_offered(tool: &ToolSpec) -> bool {
    matches!(
        tool.category,
        ToolCategory::Creation
            | ToolCategory::Layout
            | ToolCategory::Operation
            | ToolCategory::Style
            | ToolCategory::Text
    )
}

fn or_nothing(text: String) -> String {
    if text.is_empty() { "nothing".to_owned() } else { text }
}

fn newest(lines: &[String]) -> String {
    let skipped = lines.len().saturating_sub(MOST_LINES);
    let lines: Vec<String> = lines.iter().skip(skipped).map(|line| format!("- {line}")).collect();
    lines.join("\n")
}

fn tools_text(tools: &[ToolSpec]) -> String {
    let mut text = String::new();
    for tool in tools.iter().filter(|tool| is_offered(tool)) {
        writeln!(text, "- {}: {} {}", tool.name, tool.description, tool.schema).ok();
    }
    text
}

/// The layers of the screen, a line each.
fn nodes_text(design: &Document) -> String {
    let Some(screen) = design.main_frame() else { return "nothing".to_owned() };
    let corner = design.absolute_box(&screen.id).unwrap_or_default().origin();
    let depth = design.depth(&screen.id);
    let mut text = String::new();
    for (at, node) in design.subtree(&screen.id).enumerate() {
        // A question that does not fit is refused whole; what is cut is said, so that the model does not take it for
        // all.
        if at == MOST_NODES {
            writeln!(text, "… and more layers that are not listed").ok();
            break;
        }
        let indent = "  ".repeat(design.depth(&node.id).saturating_sub(depth));
        let place = design.absolute_box(&node.id).unwrap_or_default();
        // From the corner of the screen, as the picture that goes with it has them.
        let (x, y) = (place.x - corner.x, place.y - corner.y);
        let size = format!("{:.0} × {:.0}", place.width, place.height);
        let (kind, name) = (node.kind.type_name(), short(&node.name));
        let (locked, hidden) = (
            if node.locked { " · locked" } else { "" },
            if node.visible { "" } else { " · hidden" },
        );
        let words = said_by(node);
        writeln!(
            text,
            "{indent}{} · {kind} · {name} · {x:.0}, {y:.0}, {size}{locked}{hidden}{words}",
            node.id
        )
        .ok();
    }
    text
}

fn said_by(node: &Node) -> String {
    node.text().map(|text| format!(" · {:?}", short(&text.characters))).unwrap_or_default()
}

/// In one line, and not too long.
fn short(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= MOST_LETTERS {
        return line;
    }
    line.chars().take(MOST_LETTERS).chain(['…']).collect()
}
