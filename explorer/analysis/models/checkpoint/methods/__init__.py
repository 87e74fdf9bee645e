"""Methods of quantisation, one reader for each way to say how weights are stored."""
