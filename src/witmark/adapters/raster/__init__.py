"""Evidence pictures by ray casting: no display, no GPU, same scene same bytes."""
