"""Pages of the classroom, one module per corner of the room."""
