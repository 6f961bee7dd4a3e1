"""A PDF's pages as a person reads them: what stands where becomes text in order, tables, sections and chunks."""
