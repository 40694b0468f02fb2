//! Pillow's bicubic resize, reproduced.
