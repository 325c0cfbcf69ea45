"""The report as one HTML file that works offline."""
