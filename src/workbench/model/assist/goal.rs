//! What is to come of a design that somebody works on.

use std::sync::Arc;

use crate::base::{Pixels, Size};
use crate::design::{Document, DocumentError, Node, NodeKind, Paint};

/// By what the picture of a goal is known in the document that shows it.
const PICTURE: &str = "goal";

/// What is to come of a design: another design, or no more than a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct DesignGoal {
    document: Arc<Document>,
    form: GoalForm,
}

/// What is known of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GoalForm {
    /// Its layers.
    Design,
    /// How it looks: the document is a screen that shows the picture.
    Picture,
}

impl DesignGoal {
    /// A design whose layers are known.
    pub fn of_design(document: Arc<Document>) -> Self {
        Self { document, form: GoalForm::Design }
    }

    /// A picture on a screen of this size, in units of the page, which it fills.
    ///
    /// # Errors
    ///
    /// What the document refuses.
    pub fn of_picture(picture: Pixels, size: Size) -> Result<Self, DocumentError> {
        let mut screen = Node::new(PICTURE.into(), "Goal", NodeKind::Frame);
        screen.size = size;
        screen.fills = vec![Paint::picture(PICTURE)];
        let mut document = Document::from_nodes([screen])?;
        document.add_image(PICTURE, Arc::new(picture));
        Ok(Self { document: Arc::new(document), form: GoalForm::Picture })
    }

    /// The design; `None` of a picture, whose layers nobody knows.
    pub fn design(&self) -> Option<&Arc<Document>> {
        Some(&self.document).filter(|_| self.form == GoalForm::Design)
    }

    /// What is drawn to see it: the design, or a screen that shows the picture.
    pub fn shown(&self) -> &Arc<Document> {
        &self.document
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_picture_only_the_look_is_known() {
        let picture = Pixels::filled(4, 2, [1, 2, 3, 255]).unwrap();
        let goal = DesignGoal::of_picture(picture, Size::new(4.0, 2.0)).unwrap();
        assert_eq!(goal.design(), None);
        assert_eq!(goal.shown().main_frame().unwrap().size, Size::new(4.0, 2.0));
        let design = DesignGoal::of_design(Arc::clone(goal.shown()));
        assert!(design.design().is_some());
        assert_ne!(design, goal);
    }
}
