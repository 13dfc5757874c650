"""GROKE's prompts without the order of what they list."""

import pytest

from navviz.systems.groke.logs.step_lines import without_order


def test_landmarks_are_sorted_on_each_line_of_them():
    text = "See Landmark: z, a\nLandmark: park, bank, bar\nB, a\nLandmark: b\nLandmark: 2, 1"
    assert without_order(text) == (
        "See Landmark: z, a\nLandmark: bank, bar, park\nB, a\nLandmark: b\nLandmark: 1, 2"
    )  # fmt: skip


@pytest.mark.parametrize("name", ["connections", "branches", "pois"])
def test_lists_without_an_order_are_sorted_at_any_depth(name):
    text = f'```json\n{{"b": {{"{name}": [{{"c": [2, 1], "d": 2}}, {{"d": 9, "c": [1, 3]}}]}}, "a": 1}}\n```'
    assert (
        without_order(text)
        == f'{{"a": 1, "b": {{"{name}": [{{"c": [1, 3], "d": 9}}, {{"c": [2, 1], "d": 2}}]}}}}'
    )


def test_other_lists_keep_their_order_and_what_lies_in_them_is_sorted():
    text = '```json\n{"nodes": [{"pois": ["b", "a"]}, "z", "y"], "x": null}\n```'
    assert without_order(text) == '{"nodes": [{"pois": ["a", "b"]}, "z", "y"], "x": null}'


def test_inner_lists_of_a_list_without_order_keep_theirs():
    assert without_order('```json\n{"pois": [[2, 1], [1, 9]]}\n```') == '{"pois": [[1, 9], [2, 1]]}'


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"pois": ["b", "a"}\n```',
        '```json\n{"pois": ["b", "a", "\\ud800"]}\n```',
        '```dot\n{"pois": ["b", "a"]}\n```',
        'pois: ["b", "a"]',
    ],
    ids=["broken", "half a character", "another language", "no fence"],
)
def test_what_is_no_such_map_stays(text):
    assert without_order(text) == text


def test_each_fence_ends_at_its_own_line():
    text = 'A\n```json\n{"pois":\n["b", "a"]}\n```\nB\n```json\n{"pois": [2, 1]}\n```\nC'
    assert without_order(text) == 'A\n{"pois": ["a", "b"]}\nB\n{"pois": [1, 2]}\nC'
