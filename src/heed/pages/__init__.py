"""HTML pages that need nothing else: their elements, the parts of every page, and the style that all share."""
