"""Installed like an app, and there without a network: manifest, service worker, the page that says what is there."""
