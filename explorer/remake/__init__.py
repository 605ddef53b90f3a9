"""What has to be made anew when another checkpoint is shipped: `python -m explorer.remake`."""
