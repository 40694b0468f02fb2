//! The actions of the design suite: facts of the released planner, in `assets/suite/actions.json`.

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value;

/// One of the three experts, each with a program of his own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
pub enum Expert {
    /// Edits photos.
    #[serde(rename = "Photo Editor")]
    PhotoEditor,
    /// Draws vectors.
    #[serde(rename = "Vector Graphic Editor")]
    VectorGraphicEditor,
    /// Lays out pages.
    #[serde(rename = "Layout Designer")]
    LayoutDesigner,
}

impl Expert {
    /// The expert of this name. `Graphic Designer` is the vector graphic editor: the released
    /// planner's own other name for him.
    pub fn from_name(name: &str) -> Option<Self> {
        match name.trim() {
            "Photo Editor" => Some(Self::PhotoEditor),
            "Vector Graphic Editor" | "Graphic Designer" => Some(Self::VectorGraphicEditor),
            "Layout Designer" => Some(Self::LayoutDesigner),
            _ => None,
        }
    }

    /// His name in the papers.
    pub fn name(self) -> &'static str {
        match self {
            Self::PhotoEditor => "Photo Editor",
            Self::VectorGraphicEditor => "Vector Graphic Editor",
            Self::LayoutDesigner => "Layout Designer",
        }
    }
}

/// An action.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Action {
    /// Its name, unique.
    pub name: String,
    /// Who can do it.
    pub experts: Vec<Expert>,
    /// What it takes, in order; all of it is required.
    pub parameters: Vec<Parameter>,
}

/// A parameter of an action.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Other names that the released tables use for it.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// What it is.
    #[serde(rename = "type")]
    pub kind: ParameterKind,
    /// Smallest and largest value of a number, where the documentation gives them.
    pub range: Option<(f64, f64)>,
    /// What a text may be, where it is one of few.
    pub choices: Option<Vec<String>>,
}

/// What a parameter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum ParameterKind {
    /// A whole number; the released executor takes any number.
    #[serde(rename = "int")]
    Integer,
    /// A number.
    #[serde(rename = "float")]
    Number,
    /// A text.
    #[serde(rename = "str")]
    Text,
}

#[derive(Deserialize)]
struct Table {
    actions: Vec<Action>,
}

static TABLE: LazyLock<Vec<Action>> = LazyLock::new(|| {
    let text = include_str!("../../../assets/suite/actions.json");
    // A test reads the file too; should it break all the same, no action is known.
    serde_json::from_str(text).map(|table: Table| table.actions).unwrap_or_default()
});

/// All 48 actions.
pub fn all() -> &'static [Action] {
    &TABLE
}

/// The action of this name.
pub fn find(name: &str) -> Option<&'static Action> {
    TABLE.iter().find(|action| action.name == name)
}

impl Parameter {
    /// Whether this is its name or another of its names.
    pub fn is_named(&self, name: &str) -> bool {
        self.name == name || self.aliases.iter().any(|alias| alias == name)
    }

    /// What is wrong with a value, if anything. A number may be written as a text, as the released
    /// executor reads it.
    pub fn fault_of(&self, value: &Value) -> Option<String> {
        match self.kind {
            ParameterKind::Text => self.fault_of_text(value),
            ParameterKind::Integer | ParameterKind::Number => self.fault_of_number(value),
        }
    }

    fn fault_of_text(&self, value: &Value) -> Option<String> {
        let text = match value {
            Value::String(text) => text.trim().to_lowercase(),
            Value::Number(number) => number.to_string(),
            _ => return Some(format!("{} must be a text, not {value}", self.name)),
        };
        let choices = self.choices.as_deref().unwrap_or_default();
        let fits = choices.is_empty() || choices.contains(&text);
        (!fits).then(|| format!("{} must be one of {}, not {text}", self.name, choices.join(", ")))
    }

    fn fault_of_number(&self, value: &Value) -> Option<String> {
        let number = match value {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        let Some(number) = number.filter(|number: &f64| number.is_finite()) else {
            return Some(format!("{} must be a number, not {value}", self.name));
        };
        let (least, most) = self.range?;
        let fits = (least..=most).contains(&number);
        (!fits).then(|| format!("{} must be within {least} and {most}, not {number}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn there_are_48_actions_of_three_experts() {
        assert_eq!(all().len(), 48);
        let of = |expert| all().iter().filter(|action| action.experts.contains(&expert)).count();
        assert_eq!(
            [Expert::PhotoEditor, Expert::VectorGraphicEditor, Expert::LayoutDesigner].map(of),
            [31, 35, 20]
        );
    }

    #[test]
    fn values_are_checked_by_kind_range_and_choice() {
        let action = find("AdjustBC").unwrap();
        let brightness = &action.parameters[1];
        assert_eq!(brightness.fault_of(&json!(150)), None);
        assert_eq!(brightness.fault_of(&json!("-20")), None);
        for bad in [json!(151), json!("bright"), json!([1]), json!(null), json!("NaN")] {
            assert!(brightness.fault_of(&bad).is_some(), "{bad}");
        }
        let alignment = &find("AlignText").unwrap().parameters[1];
        assert_eq!(alignment.fault_of(&json!("Center")), None);
        assert!(alignment.fault_of(&json!("middle")).is_some());
    }
}
