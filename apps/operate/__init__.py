"""For whoever runs the site: what must always hold, figures for Prometheus, how the product does, what expires."""
