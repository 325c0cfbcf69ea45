"""Quality and speed, measured: each module is one figure of ``docs/benchmarks.md``."""
