"""What is kept between events: the record of each, the state rules set, and the receipts of open calls."""
