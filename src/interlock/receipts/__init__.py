"""What a receipt is held against: the input that ran, the words of a call that did not run, the host's transcript."""
