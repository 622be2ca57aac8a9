"""What a model is tried on: records of its own data, or made up where these are gone."""
