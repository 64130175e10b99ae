"""Gridworld, the paper's first experiment: a grid as a knowledge base and an environment, and rules that walk it."""
