"""The program in pictures: for the README, and to look at after a change."""
