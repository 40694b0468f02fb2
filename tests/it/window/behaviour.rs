//! What the window does when a person does something.
