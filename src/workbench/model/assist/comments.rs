//! Comments on the nodes of a design. Figma's JSON has none: they are kept beside it.

use serde::{Deserialize, Serialize};

use crate::base::Point;
use crate::design::NodeId;

/// The longest comment, in characters.
pub const LONGEST_COMMENT: usize = 4_000;
/// The most comments on a design.
const MOST_COMMENTS: usize = 1_000;

/// Something that was said about a node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comment {
    /// Its number, from 1; each once in a design.
    pub number: u32,
    /// About which node. One that is not there any more keeps its comments.
    pub node: NodeId,
    /// Where on it, in its own space.
    pub at: Point,
    /// What was said.
    pub text: String,
    /// Who said it; empty if that is not known.
    pub author: String,
    /// Whether it was seen to.
    pub done: bool,
}

/// All comments on a design, in the order they were made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Comments {
    list: Vec<Comment>,
}

/// A change of the comments.
#[derive(Clone, Debug, PartialEq)]
pub enum CommentCommand {
    /// Say something.
    Add {
        /// About which node.
        node: NodeId,
        /// Where on it, in its own space.
        at: Point,
        /// What.
        text: String,
    },
    /// Say something else.
    Edit {
        /// In which comment.
        number: u32,
        /// What.
        text: String,
    },
    /// It was seen to, or not.
    SetDone {
        /// Which comment.
        number: u32,
        /// Whether.
        done: bool,
    },
    /// Take a comment away.
    Remove(u32),
}

/// Why a comment is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommentError {
    /// There is nothing in it.
    #[error("a comment needs words")]
    Empty,
    /// It is longer than [`LONGEST_COMMENT`].
    #[error("a comment has at most {LONGEST_COMMENT} characters")]
    TooLong,
    /// There are too many already.
    #[error("a design has at most {MOST_COMMENTS} comments")]
    TooMany,
    /// There is no comment of this number.
    #[error("there is no comment {0}")]
    Unknown(u32),
    /// A place is not a number.
    #[error("the place of a comment is not a number")]
    NoPlace,
    /// Two comments have the same number, or one has none.
    #[error("comment {0} is there twice, or has no number")]
    Number(u32),
}

impl Comments {
    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Comment> {
        self.list.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Comments from a file.
    ///
    /// # Errors
    ///
    /// What is wrong with the first that breaks a rule.
    pub fn checked(list: Vec<Comment>) -> Result<Self, CommentError> {
        let mut comments = Self::default();
        for comment in list {
            comments.has_room()?;
            let is_known = comments.list.iter().any(|other| other.number == comment.number);
            if comment.number == 0 || is_known {
                return Err(CommentError::Number(comment.number));
            }
            if !comment.at.is_finite() {
                return Err(CommentError::NoPlace);
            }
            let text = checked_text(&comment.text)?;
            comments.list.push(Comment { text, ..comment });
        }
        Ok(comments)
    }

    /// Changes them, as whoever works there.
    ///
    /// # Errors
    ///
    /// Why they are as they were.
    pub fn change(&mut self, command: CommentCommand, author: &str) -> Result<(), CommentError> {
        match command {
            CommentCommand::Add { node, at, text } => {
                self.has_room()?;
                if !at.is_finite() {
                    return Err(CommentError::NoPlace);
                }
                let text = checked_text(&text)?;
                let last = self.list.iter().map(|comment| comment.number).max();
                let number = last.unwrap_or(0).saturating_add(1);
                let author = author.to_owned();
                self.list.push(Comment { number, node, at, text, author, done: false });
            }
            CommentCommand::Edit { number, text } => {
                let text = checked_text(&text)?;
                self.find(number)?.text = text;
            }
            CommentCommand::SetDone { number, done } => self.find(number)?.done = done,
            CommentCommand::Remove(number) => {
                self.find(number)?;
                self.list.retain(|comment| comment.number != number);
            }
        }
        Ok(())
    }

    fn has_room(&self) -> Result<(), CommentError> {
        if self.list.len() < MOST_COMMENTS { Ok(()) } else { Err(CommentError::TooMany) }
    }

    fn find(&mut self, number: u32) -> Result<&mut Comment, CommentError> {
        let found = self.list.iter_mut().find(|comment| comment.number == number);
        found.ok_or(CommentError::Unknown(number))
    }
}

/// Words as they are kept: without space around them.
fn checked_text(text: &str) -> Result<String, CommentError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(CommentError::Empty);
    }
    if text.chars().count() > LONGEST_COMMENT {
        return Err(CommentError::TooLong);
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(comments: &mut Comments, text: &str) -> Result<(), CommentError> {
        let (node, text) = (NodeId::from("1:2"), text.to_owned());
        comments.change(CommentCommand::Add { node, at: Point::new(4.0, 5.0), text }, "P01")
    }

    #[test]
    fn comments_are_added_edited_done_and_removed_by_their_number() {
        let mut comments = Comments::default();
        for text in ["Too dark", " Align this "] {
            add(&mut comments, text).unwrap();
        }
        comments.change(CommentCommand::SetDone { number: 1, done: true }, "").unwrap();
        let edit = CommentCommand::Edit { number: 2, text: "Align both".to_owned() };
        comments.change(edit, "").unwrap();
        let said: Vec<(u32, &str, bool, &str)> = comments
            .iter()
            .map(|it| (it.number, it.text.as_str(), it.done, it.author.as_str()))
            .collect();
        assert_eq!(said, [(1, "Too dark", true, "P01"), (2, "Align both", false, "P01")]);
        comments.change(CommentCommand::Remove(1), "").unwrap();
        add(&mut comments, "New").unwrap();
        let numbers: Vec<u32> = comments.iter().map(|it| it.number).collect();
        assert_eq!(numbers, [2, 3]);
    }

    #[test]
    fn what_is_no_comment_changes_nothing() {
        let mut comments = Comments::default();
        add(&mut comments, "There").unwrap();
        let before = comments.clone();
        assert_eq!(add(&mut comments, " \n "), Err(CommentError::Empty));
        let long = "a".repeat(LONGEST_COMMENT + 1);
        assert_eq!(add(&mut comments, &long), Err(CommentError::TooLong));
        let remove = CommentCommand::Remove(9);
        assert_eq!(comments.change(remove, ""), Err(CommentError::Unknown(9)));
        assert_eq!(comments, before);
    }

    #[test]
    fn comments_of_a_file_keep_their_rules() {
        let mut comments = Comments::default();
        add(&mut comments, "There").unwrap();
        let json = serde_json::to_string(&comments).unwrap();
        let list: Vec<Comment> = serde_json::from_str(&json).unwrap();
        assert_eq!(Comments::checked(list.clone()), Ok(comments));
        let twice = [list.as_slice(), list.as_slice()].concat();
        assert_eq!(Comments::checked(twice), Err(CommentError::Number(1)));
        let nowhere = Comment { at: Point::new(f64::NAN, 0.0), ..list[0].clone() };
        assert_eq!(Comments::checked(vec![nowhere]), Err(CommentError::NoPlace));
    }
}
