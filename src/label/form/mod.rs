//! Forms: what is asked about an item, as data.
//!
//! [`Form`] is a file of JSON (`assets/forms` holds those that come with the program, [`builtin_forms`]);
//! people add their own. [`Form::hash`] is its version, which every answer names. Read `definition`, then
//! `question`; `validate` says what a form must be like, `keys` which of its keys cost something.

mod builtin;
mod definition;
mod keys;
mod question;
mod text;
mod validate;

pub use builtin::{builtin_form, builtin_forms, labelling_forms};
pub use definition::{FORM_FORMAT, FORM_VERSION, Form, FormHash, ItemKind, ShownAids};
pub use keys::{DIFFERENCE_KEY, ROOM_KEYS};
pub use question::{Condition, Evidence, Question, QuestionKind, QuestionOption, Scale};
pub use text::{FALLBACK_LANGUAGE, FormText};
pub use validate::{FormError, FormFault};
