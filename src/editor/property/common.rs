//! What several nodes have in common.

/// What several nodes have in one field.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Common<T> {
    /// None of them has the field.
    #[default]
    Nothing,
    /// All that have it have this.
    Same(T),
    /// They differ.
    Mixed,
}

impl<T: PartialEq> Common<T> {
    /// What all of these are together.
    pub fn of(values: impl IntoIterator<Item = Self>) -> Self {
        let mut together = Self::Nothing;
        for value in values {
            together = match (together, value) {
                (Self::Mixed, _) | (_, Self::Mixed) => return Self::Mixed,
                (known, Self::Nothing) => known,
                (Self::Nothing, value) => value,
                (Self::Same(known), Self::Same(value)) if known == value => Self::Same(known),
                (Self::Same(_), Self::Same(_)) => return Self::Mixed,
            };
        }
        together
    }

    /// Whether all that have it have this.
    pub fn is(&self, value: &T) -> bool {
        matches!(self, Self::Same(same) if same == value)
    }
}

impl<T> Common<T> {
    /// The value, if it is one.
    pub fn same(self) -> Option<T> {
        match self {
            Self::Same(value) => Some(value),
            Self::Nothing | Self::Mixed => None,
        }
    }

    /// Whether any of them has the field.
    pub fn is_there(&self) -> bool {
        !matches!(self, Self::Nothing)
    }

    /// The same of what follows from the value.
    pub fn map<U>(self, follows: impl FnOnce(T) -> U) -> Common<U> {
        match self {
            Self::Nothing => Common::Nothing,
            Self::Same(value) => Common::Same(follows(value)),
            Self::Mixed => Common::Mixed,
        }
    }
}

impl<T> From<Option<T>> for Common<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Nothing, Self::Same)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_have_the_field_does_not_count() {
        use Common::{Mixed, Nothing, Same};
        for (values, together) in [
            (vec![], Nothing),
            (vec![Nothing, Nothing], Nothing),
            (vec![Nothing, Same(1), Same(1)], Same(1)),
            (vec![Same(1), Nothing, Same(2)], Mixed),
            (vec![Same(1), Mixed], Mixed),
            (vec![Mixed, Nothing], Mixed),
        ] {
            assert_eq!(Common::of(values), together);
        }
    }
}
