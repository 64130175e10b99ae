"""Knowledge-base completion: rules per relation, missing links ranked, figures with their protocol."""
