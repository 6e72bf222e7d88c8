"""What is kept between events: the record of each event, the state that rules set, and the receipts of calls."""
