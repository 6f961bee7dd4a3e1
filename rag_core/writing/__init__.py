"""What language models are asked, and what becomes of their replies."""
