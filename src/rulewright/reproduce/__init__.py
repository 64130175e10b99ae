"""The paper's experiments, from data to table or figure, each beside the paper's own values."""
