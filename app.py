"""NavViz: ``streamlit run app.py``."""

from navviz.ui.state import shell

shell.run()
