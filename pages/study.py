"""Study: set a study up, see how far annotators are, read agreement and relations."""

from navviz.ui.state import shell
from navviz.ui.study import page

shell.page("study")

with shell.guard():
    page.show()
