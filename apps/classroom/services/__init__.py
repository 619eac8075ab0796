"""What can be done in the classroom. Only modules in here import the engine."""
