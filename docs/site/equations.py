"""Writes equations as MathML, which browsers show by themselves: no page of the site fetches anything."""

import re
from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml


def _inline(self: Any, node: nodes.math) -> None:
    # braces of a set stay as high as the line
    written = re.sub("<mo>([{}|])</mo>", r'<mo stretchy="false">\1</mo>', tex2mathml(node.astext()))
    self.body.append(written)
    raise nodes.SkipNode


def _block(self: Any, node: nodes.math_block) -> None:
    self.body.append(f'<div class="equation">{tex2mathml(node.astext(), as_block=True)}</div>')
    raise nodes.SkipNode


def setup(app: Any) -> dict[str, bool]:
    """Tells Sphinx of the renderer."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
