"""Checks of what the site keeps."""
