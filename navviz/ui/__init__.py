"""Everything that may import streamlit."""
