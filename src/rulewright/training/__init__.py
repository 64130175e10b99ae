"""Fitting: objectives, batches, and the loop."""
