"""The record as OpenTelemetry: one trace for each session, one span for each call, and counts."""
