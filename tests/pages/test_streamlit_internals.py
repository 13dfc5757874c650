"""The private names of Streamlit that make page tests fast are there, in the version they are of."""

import streamlit as st

from tests.pages.streamlit_internals import CHECKED_WITH, PATCHES, private_name


def test_the_private_names_are_those_of_the_version_they_were_checked_with():
    gone = []
    for module, name, _ in PATCHES:
        if private_name(module, name) is None:
            gone.append(f"streamlit.{module}.{name}")
    version = ".".join(st.__version__.split(".")[:2])
    assert not gone, f"not in Streamlit {version}: look at tests/pages/streamlit_internals.py"
    assert version == CHECKED_WITH, (
        f"Streamlit {version} is installed: check tests/pages/streamlit_internals.py against it,"
        " then write the version there"
    )


def test_a_name_that_is_gone_is_passed_over():
    assert private_name("testing.v1.app_test", "nothing_of_this_name") is None
    assert private_name("no_such_module", "name") is None
