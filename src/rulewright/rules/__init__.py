"""Rules out: read from the network, checked against it, rendered, stored."""
