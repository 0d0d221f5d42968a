"""SVG charts of reports, analyses and groups: bars, boxes, histograms, lines and heat maps."""
