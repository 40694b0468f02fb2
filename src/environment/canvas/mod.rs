//! The `canvas` environment: one vector design and the 50 tools of CANVAS.
