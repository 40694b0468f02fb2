//! The application around the workbench.
