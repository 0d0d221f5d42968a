"""What lies between a request and what is costly to answer?

- `drawing`: the one place that decides about everything that is drawn: how many at once, who waits,
  who is asked to come back later, and what need not be drawn again.
- `works`: what can be drawn; nothing else of the site calls the functions that draw.
- `processes`: the processes in which it is done, so that moves never wait for a drawing.
- `kept`: the drawings that were made lately.
"""
