"""What is kept between events."""
