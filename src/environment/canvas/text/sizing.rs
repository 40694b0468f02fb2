//! How the box of a text follows its letters, in the words of auto layout.

use crate::design::{AutoResize, Node, Sizing};
use crate::environment::canvas::error::ToolError;

/// How width and height of a text are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::environment::canvas) struct TextSizing {
    auto_resize: AutoResize,
}

impl TextSizing {
    /// What is asked of width and height, over what the text does `now`. A text whose width follows
    /// its letters has no lines to break, so its height follows them too.
    pub(in crate::environment::canvas) fn asked(
        [width, height]: [Option<Sizing>; 2],
        now: AutoResize,
    ) -> Result<Self, ToolError> {
        use Sizing::{Fill, Fixed, Hug};
        let auto_resize = match (width, height) {
            // Figma's panel cannot express it either.
            (Some(Hug), Some(Fixed | Fill)) => {
                let message =
                    "layoutSizingVertical: a TEXT that hugs its width hugs its height too";
                return Err(ToolError::BadArguments(message.to_owned()));
            }
            (Some(Hug), _) => AutoResize::WidthAndHeight,
            (_, Some(Fixed | Fill)) => AutoResize::None,
            (Some(Fixed | Fill), Some(Hug)) => AutoResize::Height,
            // What is not said goes on as it is: a text that hugs both already stays so.
            (None, Some(Hug)) if now != AutoResize::WidthAndHeight => AutoResize::Height,
            (Some(Fixed | Fill), None) if now == AutoResize::WidthAndHeight => AutoResize::Height,
            (_, None | Some(Hug)) => now,
        };
        Ok(Self { auto_resize })
    }
}

/// Lets the box of a text follow its letters as asked; both words of it agree afterwards.
pub(in crate::environment::canvas) fn size_text(node: &mut Node, sizing: TextSizing) {
    let Some(text) = node.text_mut() else { return };
    text.style.auto_resize = sizing.auto_resize;
    let item = &mut node.layout_item;
    // Where the letters are not followed, neither word may say so; FILL stays what it is.
    match sizing.auto_resize {
        AutoResize::WidthAndHeight => {
            (item.horizontal, item.vertical) = (Some(Sizing::Hug), Some(Sizing::Hug));
        }
        AutoResize::Height => {
            item.horizontal = item.horizontal.map(without_hugging);
            item.vertical = Some(Sizing::Hug);
        }
        AutoResize::None | AutoResize::Truncate => {
            item.horizontal = item.horizontal.map(without_hugging);
            item.vertical = item.vertical.map(without_hugging);
        }
    }
}

fn without_hugging(sizing: Sizing) -> Sizing {
    if sizing == Sizing::Hug { Sizing::Fixed } else { sizing }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_hugs_its_width_hugs_its_height() {
        use Sizing::{Fill, Fixed, Hug};
        fn is(wanted: [Option<Sizing>; 2], now: AutoResize, then: AutoResize) {
            let asked = TextSizing::asked(wanted, now).map(|sizing| sizing.auto_resize);
            assert_eq!(asked.ok(), Some(then), "{wanted:?}");
        }
        is([Some(Hug), None], AutoResize::None, AutoResize::WidthAndHeight);
        is([None, Some(Hug)], AutoResize::None, AutoResize::Height);
        is([None, Some(Hug)], AutoResize::WidthAndHeight, AutoResize::WidthAndHeight);
        is([Some(Fill), None], AutoResize::WidthAndHeight, AutoResize::Height);
        is([Some(Fill), None], AutoResize::None, AutoResize::None);
        is([None, Some(Fixed)], AutoResize::WidthAndHeight, AutoResize::None);
        assert!(TextSizing::asked([Some(Hug), Some(Fixed)], AutoResize::None).is_err());
    }
}
