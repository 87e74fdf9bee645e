"""What sees and hears beside a text model: towers and projectors, resident weights that take part in no text step."""
