"""Tokens of pictures, by the examples that the providers publish."""

import pytest

from navviz.llm.picture_tokens import picture_tokens


@pytest.mark.parametrize(("width", "height", "detail", "tokens"), [
    (1024, 1024, "high", 765), (2048, 4096, "high", 1105), (4096, 8192, "low", 85),
    (640, 480, "auto", 85 + 170 * 2), (512, 512, "high", 255),
])  # fmt: skip
def test_openai(width, height, detail, tokens):
    assert picture_tokens("gpt-4o", width, height, detail) == tokens


@pytest.mark.parametrize(
    ("width", "height", "tokens"),
    [(384, 384, 258), (640, 480, 258), (1536, 768, 516), (960, 540, 516)],
)
def test_gemini(width, height, tokens):
    assert picture_tokens("gemini-3-pro", width, height, "low") == tokens


def test_an_unknown_size_counts_nothing_but_where_the_detail_is_low():
    assert picture_tokens("gpt-4o", None, None, "low") == 85
    assert picture_tokens("gpt-4o", None, 480) is None
    assert picture_tokens("gemini-3-pro", 480, None) is None
