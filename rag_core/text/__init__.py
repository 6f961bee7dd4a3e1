"""Plain text to what it is made of: sentences, terms, dates, quantities. Knows neither pages nor documents."""
