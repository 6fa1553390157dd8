"""The benchmarks: what is measured, against what, one command each."""
