#!/bin/sh
# Reads the event on stdin. Exit 2 denies, and stderr is the reason; exit 0 without output has no opinion.
event=$(cat)
case "$event" in
  *'"command":"git switch -c '[!a-z]*) echo "Branch names start with a small letter, as in fix-login." >&2; exit 2 ;;
esac
exit 0
