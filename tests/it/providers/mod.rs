//! Models behind five APIs: what is sent, what is read, and everything that goes wrong.
//!
//! [`aimock`] is judged by a server that is not ours; [`shapes`] reads answers as the providers
//! document them, [`failures`] and [`hostile`] what they do beside that, over a server that plays
//! what a test wrote down. [`real_model`] asks a real model and runs only when it is asked to.

mod aimock;
mod asking;
mod assistant;
mod bedrock;
mod cutting;
mod endpoint_test;
mod failures;
mod hostile;
mod pausing;
mod real_model;
mod replay;
mod requests;
mod secrets;
mod server;
mod shapes;
mod streams;
mod tls;
mod totals;
