//! The one way to change a design: every act goes to its room.

use super::act::Act;
use super::arrange::arrange;
use super::clipboard::clipboard_act;
use super::components::component_act;
use super::context::EditorContext;
use super::editing::Editor;
use super::error::EditorError;
use super::in_place::act_in_place;
use super::layers::layers_act;
use super::pages::page_act;
use super::picture::picture_act;
use super::pointer::{give_up, point_act, pointer_act};
use super::property::property_act;
use super::selecting::select;
use super::selection::SelectAct;
use super::style_acts::style_act;
use super::typing::typing_act;

impl Editor {
    /// Does something.
    ///
    /// # Errors
    ///
    /// Why it was not done; the design is as it was.
    pub fn act(&mut self, act: Act, context: &EditorContext<'_>) -> Result<(), EditorError> {
        self.begin_act();
        let done = self.carry_out(act, context);
        // What an act selects behind its change is there again when that is done again.
        self.end_act();
        done
    }

    fn carry_out(&mut self, act: Act, context: &EditorContext<'_>) -> Result<(), EditorError> {
        let Some(act) = act_in_place(self, act, context)? else { return Ok(()) };
        match act {
            Act::Take(tool) => {
                self.let_go();
                self.set_tool(tool);
                Ok(())
            }
            Act::Pointer(act) => pointer_act(self, act, context),
            // What is under way is given up before the selection is, and before a step is taken back.
            Act::Select(SelectAct::None) | Act::Undo if self.is_holding() => {
                give_up(self);
                Ok(())
            }
            Act::Select(act) => {
                select(self, act);
                Ok(())
            }
            Act::Arrange(act) => arrange(self, act, context),
            Act::Clipboard(act) => clipboard_act(self, act, context),
            Act::Property(act) => property_act(self, act, context),
            Act::Layer(act) => layers_act(self, act, context),
            Act::Page(act) => page_act(self, act, context),
            Act::Typing(act) => typing_act(self, act, context),
            Act::Points(act) => point_act(self, act, context),
            Act::Picture(act) => picture_act(self, act, context),
            Act::Component(act) => component_act(self, act, context),
            Act::Style(act) => style_act(self, act, context),
            Act::Undo => {
                self.undo();
                Ok(())
            }
            Act::Redo => {
                self.redo();
                Ok(())
            }
        }
    }
}
