"""An agent that does not exist, whose calls are judged, asked about and recorded like real ones."""
