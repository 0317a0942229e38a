# SPDX-License-Identifier: MIT
"""Building blocks for the corpus of captured machines: see ../compose.py."""
