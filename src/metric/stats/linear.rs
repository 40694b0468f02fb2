//! Small symmetric systems of equations.

/// Of its own size, below this a pivot is rounding: the row follows from those before it.
const LEAST_PIVOT: f64 = 1e-12;

/// The Cholesky factor of a positive definite matrix, which solves equations with it.
#[derive(Debug)]
pub(super) struct Cholesky {
    /// Rows of the lower triangle.
    rows: Vec<Vec<f64>>,
}

impl Cholesky {
    /// The factor of a square symmetric matrix, of which the lower triangle is read; the row that
    /// follows from those before it if there is one.
    pub(super) fn of(matrix: &[Vec<f64>]) -> Result<Self, usize> {
        let mut rows: Vec<Vec<f64>> = Vec::with_capacity(matrix.len());
        for (at, source) in matrix.iter().enumerate() {
            let mut row = source[..=at].to_vec();
            for column in 0..at {
                let known = dot(&row[..column], &rows[column][..column]);
                row[column] = (row[column] - known) / rows[column][column];
            }
            let pivot = row[at] - dot(&row[..at], &row[..at]);
            // Written so that NaN is refused, too.
            if !(pivot > LEAST_PIVOT * source[at] && pivot.is_finite()) {
                return Err(at);
            }
            row[at] = pivot.sqrt();
            rows.push(row);
        }
        Ok(Self { rows })
    }

    /// The solution for a right side of the matrix's size.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut values = right.to_vec();
        // L y = right from the top, then Lᵀ x = y from the bottom.
        for (at, row) in self.rows.iter().enumerate() {
            values[at] = (values[at] - dot(&row[..at], &values[..at])) / row[at];
        }
        for at in (0..values.len()).rev() {
            let known: f64 =
                (at + 1..values.len()).map(|below| self.rows[below][at] * values[below]).sum();
            values[at] = (values[at] - known) / self.rows[at][at];
        }
        values
    }

    /// The natural logarithm of the matrix's determinant.
    pub(super) fn log_determinant(&self) -> f64 {
        let pivots = self.rows.iter().filter_map(|row| row.last());
        2.0 * pivots.map(|pivot| libm::log(*pivot)).sum::<f64>()
    }

    /// The inverse of the matrix.
    pub(super) fn inverse(&self) -> Vec<Vec<f64>> {
        let size = self.rows.len();
        // Column by column; the inverse of a symmetric matrix is symmetric, so columns serve as rows.
        let mut inverse = Vec::with_capacity(size);
        for column in 0..size {
            let mut unit = vec![0.0; size];
            unit[column] = 1.0;
            inverse.push(self.solve(&unit));
        }
        inverse
    }
}

/// The scalar product.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_solution_solves(
            entries in prop::collection::vec(-1.0_f64..1.0, 16), right in prop::collection::vec(-9.0_f64..9.0, 4),
        ) {
            let rows: Vec<&[f64]> = entries.chunks(4).collect();
            // A product with its own transpose, and something on the diagonal.
            let matrix: Vec<Vec<f64>> = (0..4)
                .map(|i| (0..4).map(|j| dot(rows[i], rows[j]) + f64::from(u8::from(i == j))).collect())
                .collect();
            let factor = Cholesky::of(&matrix).unwrap();
            let solution = factor.solve(&right);
            for (row, wanted) in matrix.iter().zip(&right) {
                prop_assert!((dot(row, &solution) - wanted).abs() < 1e-9);
            }
            // The determinant is the product of what remains of each row below those before it.
            let smaller: Vec<Vec<f64>> = matrix[..3].iter().map(|row| row[..3].to_vec()).collect();
            let last = factor.log_determinant() - Cholesky::of(&smaller).unwrap().log_determinant();
            let inverse = factor.inverse();
            prop_assert!((libm::exp(-last) - inverse[3][3]).abs() < 1e-9);
            prop_assert!((dot(&matrix[1], &inverse[1]) - 1.0).abs() < 1e-9);
            prop_assert!(dot(&matrix[1], &inverse[2]).abs() < 1e-9);
        }
    }

    #[test]
    fn a_row_that_follows_from_others_is_named() {
        let matrix = [vec![1.0, 1.0, 0.0], vec![1.0, 1.0, 0.0], vec![0.0, 0.0, 1.0]];
        assert_eq!(Cholesky::of(&matrix).unwrap_err(), 1);
        assert_eq!(Cholesky::of(&[vec![f64::NAN]]).unwrap_err(), 0);
    }
}
