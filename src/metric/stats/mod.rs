//! Statistics: do people agree, does a metric follow them, which model is better, how sure is that.
//!
//! One subject a file. Everything is a pure function of its arguments: what draws at random takes a
//! seed, and gives the same on one thread and on many. Nothing returns NaN: what is undefined for an
//! input is an [`StatsError`] that says why.
//!
//! | question | answer |
//! |---|---|
//! | how large, how sure | [`mean`], [`quantile`], [`standard_deviation`], [`student_t_half_width`], [`wilson`], [`bootstrap_mean`] |
//! | do people agree | [`cohen_kappa`], [`krippendorff_alpha`], [`fleiss_kappa`], [`kendall_w`] of rankings, [`majority_vote`] |
//! | is who is sure also right | [`calibration()`] |
//! | does one order follow another | [`kendall_tau_b`], [`spearman`], [`pearson`] |
//! | which metrics predict an outcome | [`auc()`], [`fit_logistic`], [`split_accuracy`] |
//! | what did each part bring | [`shapley_sampled`], [`shapley_exact`] |
//! | which model is better | [`paired_bootstrap`], [`sign_test`], [`signed_rank_test`], [`PassTable::mcnemar`], [`holm`], [`bradley_terry`], [`pass_at_k()`] |
//! | who passes under which condition | [`mcnemar()`], [`cochran_q`], [`fit_mixed_logistic`], [`cluster_bootstrap`] |
//! | does a group, or a condition, do better | [`mann_whitney()`], [`kruskal_wallis()`], [`signed_rank_by`], [`friedman()`] |
//! | how long until success, if some never get there | [`KaplanMeier`], [`log_rank`] |
//!
//! Tests of few people say the least p-value that so few could have given (`least_p`): above 0.05 they are too few
//! to say anything. Their effects can be had alone, to be resampled: [`superiority`], [`eta_squared`],
//! [`rank_biserial`], [`kendall_w`].
//!
//! Labels come as [`Ratings`], numbers as slices. Start with [`Ratings`] and [`StatsError`].

mod auc;
mod bootstrap;
mod bradley_terry;
mod calibration;
mod clusters;
mod cochran;
mod cohen;
mod concordance;
mod correlation;
mod descriptive;
mod distribution;
mod error;
mod fleiss;
mod friedman;
mod kendall;
mod krippendorff;
mod kruskal_wallis;
mod linear;
mod logistic;
mod mann_whitney;
mod mcnemar;
mod mixed_logistic;
mod paired;
mod paired_ranks;
mod pass_at_k;
mod permutation;
mod ratings;
mod shapley;
mod survival;

pub use auc::auc;
pub use bootstrap::{
    BootstrapPlan, DefinedInterval, bootstrap, bootstrap_mean, bootstrap_mean_observed, resample,
};
pub use bradley_terry::{PairedComparison, Preferred, Strength, bradley_terry, log_strengths};
pub use calibration::{Calibration, CalibrationBin, calibration};
pub use clusters::cluster_bootstrap;
pub use cochran::{CochranQ, cochran_q};
pub use cohen::{Weighting, cohen_kappa};
pub use concordance::{Concordance, kendall_w};
pub use correlation::{Correlation, PMethod, average_ranks, pearson, spearman};
pub use descriptive::{Interval, mean, quantile, standard_deviation, student_t_half_width, wilson};
pub use error::StatsError;
pub use fleiss::{Chance, FleissAgreement, fleiss_kappa};
pub use friedman::{Friedman, friedman};
pub use kendall::kendall_tau_b;
pub use krippendorff::{AlphaAgreement, Level, krippendorff_alpha};
pub use kruskal_wallis::{KruskalWallis, eta_squared, kruskal_wallis};
pub use logistic::{
    Intercept, LogisticData, LogisticFit, SplitAccuracy, Term, fit_logistic, split_accuracy,
};
pub use mann_whitney::{MannWhitney, mann_whitney, superiority};
pub use mcnemar::{McNemar, mcnemar};
pub use mixed_logistic::{Grouping, MixedLogisticFit, fit_mixed_logistic};
pub use paired::{
    PairedBootstrap, SignTest, paired_bootstrap, paired_bootstrap_observed, sign_test,
};
pub use paired_ranks::{
    PassTable, SignedRank, SignedRankRule, Zeros, cohen_d_paired, holm, rank_biserial,
    signed_rank_by, signed_rank_test,
};
pub use pass_at_k::pass_at_k;
pub use ratings::{Agreement, Labels, Majority, Ratings, majority_vote};
pub use shapley::{
    EXACT_PLAYERS, INTERVAL_ORDERS, Shapley, ShapleyMethod, ShapleyValue, shapley_exact,
    shapley_sampled,
};
pub use survival::{KaplanMeier, LogRank, PersonTime, TimeToSuccess, log_rank};
