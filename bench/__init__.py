"""Speed, as ratios taken in one run: machines are noisy, their proportions less so."""
