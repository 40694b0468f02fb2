//! Auto layout: Chromium's flexbox as judge where Figma and CSS agree, rule by rule where not, what
//! a change moves and what it does not, and properties of any tree.

mod chromium;
mod files;
mod properties;
mod rules;
mod settling;
mod sketch;
mod tools;
