"""Multi-hop paths at knowledge-graph scale: compiled kernels over one compressed graph."""
