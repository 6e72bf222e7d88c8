"""Whether a project is really guarded: one module per question, each answered with findings."""
