"""No trusted curator: each volunteer's own device randomises her answer before anything is sent.

`device` is all that a device needs (the standard library only), `assets/` the same as a page of JavaScript; `ask` makes the
public question, `collect` turns the reports that came back into a release. Nothing here ever holds a true answer.
"""
