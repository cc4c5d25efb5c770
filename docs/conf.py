"""How Sphinx builds the site. The sources are laid out by docs/site/staging.py; see docs/decisions/043-site.md."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STAGED = Path(os.environ.get("DPMAP_DOCS_SOURCES", ROOT / "build" / "docs-work" / "sources"))
sys.path[:0] = [str(ROOT / "docs" / "site"), str(ROOT)]

from dpmap.version import __version__  # noqa: E402  # found by the line above

project = "dpmap"
author = "The dpmap developers"
copyright = "The dpmap developers, Apache License 2.0"  # noqa: A001  # what Sphinx calls it
version = release = __version__
language = "en"
smartquotes = False  # a quote is part of what is typed

extensions = ["myst_parser", "sphinx_copybutton", "source_view", "equations"]
source_root = str(ROOT)

myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4
myst_url_schemes = {"http": None, "https": None, "mailto": None, "source": None}
myst_links_external_new_tab = False
suppress_warnings = ["myst.header"]  # a docstring's part may begin below the page's own headings
nitpick_ignore_regex = [
    (r"py:.*", r".*")
]  # types of other libraries, which have no pages here; links are checked by link_check.py
python_maximum_signature_line_length = 88
python_display_short_literal_types = True
toc_object_entries = False
add_module_names = False
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
exclude_patterns = ["static"]
copybutton_exclude = ".linenos, .gp, .go"

templates_path = ["site/templates"]
html_theme = "pydata_sphinx_theme"
html_title = "dpmap"
html_math_renderer = "mathml"
html_static_path = ["site/static", str(STAGED / "static")]
html_css_files = ["site.css"]

html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_search_summary = False  # it fetches whole pages, which a browser refuses for pages opened from a disk; search.js tells their first sentences
html_search_scorer = str(
    ROOT / "docs" / "site" / "scorer.js"
)  # pages for users first, and among them the one that is most about what was typed
html_last_updated_fmt = None
html_use_index = False
html_domain_indices = False
html_sidebars = {
    "**": ["tree.html"]
}  # none on the first page, the search and the source files: see source_view
html_context = {"default_mode": "auto"}
html_theme_options = {
    "logo": {"text": "dpmap"},
    "navbar_align": "left",
    "header_links_before_dropdown": 7,
    "navbar_persistent": ["search-button"],
    "navbar_end": ["theme-switcher"],
    "show_nav_level": 1,
    "navigation_depth": 3,
    "collapse_navigation": True,
    "show_toc_level": 2,
    "show_prev_next": True,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
