"""Replies of small models that are nearly JSON."""

import pytest

from navviz.systems.lenient_json import lenient_object


@pytest.mark.parametrize(
    "reply",
    [
        '{"a": ["x", "y"]}',
        'Sure!\n```json\n{"a": ["x", "y"]}\n```\nDone {not this}',
        'Here: {"a": ["x", "y"]} and {"b": 1}',
        '{"a": ["x", "y",],}',
        '{"a": ["x", "y"',
        '{"a": ["x", "y"}',
        '```\n{"a": ["x", "y"]',
        '{"a": ["x", "y"]]}',
    ],
)
def test_it_is_mended(reply):
    assert lenient_object(reply) == {"a": ["x", "y"]}


def test_brackets_inside_strings_are_left_alone():
    assert lenient_object('x {"a": "b } ] {", "c": ["}"]') == {"a": "b } ] {", "c": ["}"]}


@pytest.mark.parametrize("reply", [None, "", "none", "[1, 2]", "{", "{a}", "{" * 5000])
def test_what_cannot_be_read_is_none(reply):
    assert lenient_object(reply) in (None, {})
