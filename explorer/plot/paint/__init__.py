"""The one painter of a roofline figure, and what it is made of."""
