"""One file a check: what is compared with what, and how far apart the two may be."""
