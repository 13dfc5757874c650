"""NavViz: ``streamlit run app.py``."""

from navviz.ui import shell

shell.run()
