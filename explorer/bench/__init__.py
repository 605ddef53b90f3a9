"""Benchmarks: `python -m explorer.bench {speed,browser,load}`; see docs/benchmarks.md."""
