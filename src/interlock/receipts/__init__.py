"""What a receipt is compared with: the input that ran, the words of a call that did not run, the host's transcript."""
