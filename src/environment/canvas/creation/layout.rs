//! Auto layout as `create_frame` takes it.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::design::{AutoLayout, Direction, Node, Sides};
use crate::environment::canvas::auto_layout::{
    Counter, LayoutMode, Primary, Size, Wrap, check_words,
};
use crate::environment::canvas::error::ToolError;
use crate::environment::canvas::layout::Padding;

/// The auto-layout arguments.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FrameLayout {
    layout_mode: Option<LayoutMode>,
    layout_wrap: Option<Wrap>,
    #[serde(flatten)]
    padding: Padding,
    primary_axis_align_items: Option<Primary>,
    counter_axis_align_items: Option<Counter>,
    layout_sizing_horizontal: Option<Size>,
    layout_sizing_vertical: Option<Size>,
    item_spacing: Option<f64>,
}

/// CANVAS's padding of a frame that does not say.
const PADDING: f64 = 10.0;

impl FrameLayout {
    /// Gives the frame its auto layout, with CANVAS's defaults. Without a layout mode the other
    /// arguments have no effect, as in the published plugin.
    pub(super) fn apply(&self, frame: &mut Node) -> Result<(), ToolError> {
        let Some(direction) = self.layout_mode.and_then(LayoutMode::direction) else {
            return Ok(());
        };
        check_words(direction, self.layout_wrap, self.counter_axis_align_items)?;
        let (along, across) = match direction {
            Direction::Horizontal => (self.layout_sizing_horizontal, self.layout_sizing_vertical),
            Direction::Vertical => (self.layout_sizing_vertical, self.layout_sizing_horizontal),
        };
        // CANVAS's default is FIXED, where `set_layout_mode` lets a frame hug.
        let [horizontal, vertical] = [self.layout_sizing_horizontal, self.layout_sizing_vertical]
            .map(|given| given.unwrap_or(Size::Fixed).into());
        (frame.layout_item.horizontal, frame.layout_item.vertical) =
            (Some(horizontal), Some(vertical));
        frame.auto_layout = Some(Box::new(AutoLayout {
            wraps: self.layout_wrap == Some(Wrap::Wrap),
            padding: self.padding.over(Sides::uniform(PADDING))?,
            item_spacing: self.item_spacing.unwrap_or(0.0),
            primary_align: self.primary_axis_align_items.unwrap_or(Primary::Min).into(),
            counter_align: self.counter_axis_align_items.unwrap_or(Counter::Min).into(),
            primary_hugs: along == Some(Size::Hug),
            counter_hugs: across == Some(Size::Hug),
            ..AutoLayout::new(direction)
        }));
        Ok(())
    }

    /// The fields of the tool's reply.
    pub(super) fn reply(&self) -> Map<String, Value> {
        let mode = self.layout_mode.unwrap_or(LayoutMode::None);
        let is_on = mode != LayoutMode::None;
        let wrap = self.layout_wrap.filter(|_| is_on).unwrap_or(Wrap::NoWrap);
        let fields = [("layoutMode", mode.word()), ("layoutWrap", wrap.word())];
        fields.into_iter().map(|(key, word)| (key.to_owned(), Value::from(word))).collect()
    }
}
