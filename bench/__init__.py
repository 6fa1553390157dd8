"""Benchmarks, one command each; every module tells what it measures and against what."""
