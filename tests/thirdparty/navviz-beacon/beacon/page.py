"""What Explore shows under the figures of a run."""

import streamlit as st


def beacons(run):
    walked = [key for key, trace in run.traces.items() if trace.header.navigator == "beacon"]
    if walked:
        st.caption(f"Beacon walked {len(walked)} of these episodes.")
