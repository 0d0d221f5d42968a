"""What all pages share between a request and its answer: limits, downloads, links, drawing.

What is costly to draw goes this way:

- `drawing`: the one place that decides about everything that is drawn: how many at once, who waits,
  who is asked to come back later, and what need not be drawn again.
- `works`: what can be drawn; nothing else of the site calls the functions that draw.
- `processes`: the processes in which it is done, so that moves never wait for a drawing.
- `prints`: the pages and the file of a print.
- `kept`: the drawings that were made lately.
"""
