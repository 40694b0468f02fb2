//! Auto layout as `create_frame` takes it.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::number;

/// The auto-layout arguments. The words have been checked by the schema and are Figma's own, so
/// they are kept as words.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AutoLayout {
    layout_mode: Option<String>,
    layout_wrap: Option<String>,
    padding_top: Option<f64>,
    padding_right: Option<f64>,
    padding_bottom: Option<f64>,
    padding_left: Option<f64>,
    primary_axis_align_items: Option<String>,
    counter_axis_align_items: Option<String>,
    layout_sizing_horizontal: Option<String>,
    layout_sizing_vertical: Option<String>,
    item_spacing: Option<f64>,
}

impl AutoLayout {
    /// The fields of the frame's JSON that the document has no type for yet, with CANVAS's
    /// defaults. Empty without a layout mode: as in the published plugin, the other arguments then
    /// have no effect.
    pub(super) fn source(&self) -> Arc<Map<String, Value>> {
        let mode = self.mode();
        if mode == "NONE" {
            return Arc::default();
        }
        let word = |given: &Option<String>, default: &str| {
            Value::from(given.as_deref().unwrap_or(default))
        };
        let size = |given: Option<f64>, default: f64| number(given.unwrap_or(default));
        let fields = [
            ("layoutMode", Value::from(mode)),
            ("layoutWrap", word(&self.layout_wrap, "NO_WRAP")),
            ("paddingTop", size(self.padding_top, 10.0)),
            ("paddingRight", size(self.padding_right, 10.0)),
            ("paddingBottom", size(self.padding_bottom, 10.0)),
            ("paddingLeft", size(self.padding_left, 10.0)),
            ("primaryAxisAlignItems", word(&self.primary_axis_align_items, "MIN")),
            ("counterAxisAlignItems", word(&self.counter_axis_align_items, "MIN")),
            ("layoutSizingHorizontal", word(&self.layout_sizing_horizontal, "FIXED")),
            ("layoutSizingVertical", word(&self.layout_sizing_vertical, "FIXED")),
            ("itemSpacing", size(self.item_spacing, 0.0)),
        ];
        Arc::new(fields.map(|(key, value)| (key.to_owned(), value)).into_iter().collect())
    }

    /// The fields of the tool's reply.
    pub(super) fn reply(&self) -> [(String, Value); 2] {
        let is_on = self.mode() != "NONE";
        let wrap = self.layout_wrap.as_deref().filter(|_| is_on).unwrap_or("NO_WRAP");
        [
            ("layoutMode".to_owned(), Value::from(self.mode())),
            ("layoutWrap".to_owned(), Value::from(wrap)),
        ]
    }

    fn mode(&self) -> &str {
        self.layout_mode.as_deref().unwrap_or("NONE")
    }
}
