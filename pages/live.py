"""Live: edit the instruction, run a navigator, and see what changes; over many episodes, too."""

from navviz.ui.live import fork, page
from navviz.ui.state import shell

shell.page("live")
fork.read_url()
page.show()
