"""The shell reader held against bash: lines run where there is nothing to lose, and every program must be known."""
