//! Where the published tools do not do what they say, and whether that is followed.
//!
//! Everything here is what kixlab/canvas does (its server in `src/mcp_server/tools`, its plugin in
//! `src/figma_plugin/src/engine/commands`). Each [`Quirk`] is one branch in the tool it is about.
//!
//! What looks odd but is what the published tools say of themselves is no quirk and always so: an
//! outline that `set_stroke` gives without a colour is black and without an `align` centred;
//! `copy_style` copies the paints of an outline, not its weight; a shape without `fillColor` has
//! the grey of Figma's own new shapes; `set_corner_radius` changes all corners but those it is told
//! not to.

/// Whose behaviour is followed where the published tools do not do what they say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compat {
    /// The documentation's.
    #[default]
    Documented,
    /// That of kixlab/canvas as it was in January 2026, every [`Quirk`] included.
    Canvas202601,
}

/// One thing the published tools do that they do not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quirk {
    /// `set_layout_mode` does its work and answers with an error, always: the server looks for a
    /// field in a reply that has none.
    LayoutModeReportsAnError,
    /// `layoutSizingHorizontal` is looked at where `layoutSizingVertical` is meant, a node without
    /// auto layout of its own is refused whatever is asked (so every TEXT and RECTANGLE), and of the
    /// others only a FRAME may hug.
    SizingChecksTheWrongAxis,
    /// `move_node` and `clone_node` never put a node into another parent, and do not look at
    /// `parentId`: the server sends another name than the plugin reads.
    ParentIsIgnored,
    /// `clone_node` does not place the copy unless both x and y are given.
    CloneNeedsBothCoordinates,
    /// `newX` and `newY` of `move_node`'s answer are relative to the parent.
    MoveAnswersLocally,
    /// x and y of `create_star`'s answer are relative to the parent.
    StarAnswersLocally,
    /// x and y of `get_text_node_info`'s answer are relative to the parent.
    TextInfoAnswersLocally,
    /// `innerRadius` of `create_star` is not divided by 100. Figma takes 0 to 1; what is above is
    /// 1 here, so that the notches lie as far out as the tips.
    StarRadiusIsNoPercentage,
    /// `create_line` turns the line the other way: an angle that is clockwise on screen is given to
    /// Figma, which counts counter-clockwise. Lines that are not level or upright come out mirrored.
    LineIsMirrored,
    /// `create_graphic` without a parent leaves the graphic at the origin of the page.
    GraphicWithoutParentStaysAtOrigin,
    /// `set_fill_color` takes an alpha of 0 for none given, so for 1.
    AlphaZeroBecomesOne,
    /// `set_fill_gradient` turns the gradient about the left top corner of the node's box, not about
    /// its middle.
    GradientTurnsAboutTheCorner,
    /// `set_text_content` works in chunks of five: a change that cannot be made refuses its chunk
    /// and those after it, while those before it stay made.
    TextChunksStayApplied,
    /// The text of `get_page_info` says `undefined` for the number of children.
    PageInfoSaysUndefined,
    /// `get_node_info` and `get_page_info` tell nothing of a VECTOR: `null`.
    VectorsHaveNoInfo,
    /// `import_json` (and so the start of a modification) leaves out INSTANCE, COMPONENT and
    /// REGULAR_POLYGON with all they hold.
    ImportDropsComponents,
}

impl Compat {
    /// Every choice, the default first.
    pub const ALL: [Self; 2] = [Self::Documented, Self::Canvas202601];

    /// Its name in manifests and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Documented => "documented",
            Self::Canvas202601 => "canvas-2026-01",
        }
    }

    /// The choice of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|compat| compat.name() == name)
    }

    /// Whether the tools have this quirk.
    pub const fn has(self, _quirk: Quirk) -> bool {
        match self {
            Self::Documented => false,
            // Every quirk that is listed was there in January 2026.
            Self::Canvas202601 => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_is_found_by_its_name() {
        for compat in Compat::ALL {
            assert_eq!(Compat::from_name(compat.name()), Some(compat));
        }
        assert_eq!(Compat::from_name("canvas-1999"), None);
    }

    #[test]
    fn the_default_has_no_quirks() {
        assert!(!Compat::default().has(Quirk::LineIsMirrored));
        assert!(Compat::Canvas202601.has(Quirk::LineIsMirrored));
    }
}
