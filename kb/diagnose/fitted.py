"""Measured by `python -m bench.accuracy.fit`; do not edit by hand."""

# Nats by which the entries named beat the unknown -> how often one of them is right.
KNOWN = (
    (-2.0, 0.119),
    (-1.0, 0.269),
    (0.0, 0.5),
    (1.0, 0.731),
    (2.0, 0.881),
    (3.0, 0.953),
    (4.0, 0.982),
    (6.0, 0.9975),
)
CAUSE_SHARPNESS = 1.0
CAUSE_DOUBT = 0.0
SURE = 0.6
CLOSE = 0.5
