"""Figures for papers and pages: data -> matplotlib, plotly or SVG."""
