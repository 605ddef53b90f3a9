"""The one view that shows attention, in Explore, in Training and wherever it is wanted."""
