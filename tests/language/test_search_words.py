"""Words by which texts are compared: whole ones, in scripts with and without blanks."""

import unicodedata

import pytest

from navviz.language.mentions import search_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Turn left at 8a42cd, by a café", ["turn", "left", "café"]),
        ("Идите до угла", ["идите", "угла"]),
        ("बैंक पर बाएँ मुड़ें", ["बैंक", "पर", "बाएँ", "मुड़ें"]),
        ("은행에서 왼쪽으로", ["은행에서", "왼쪽으로"]),
        ("在Starbucks左转。走到", ["左转", "走到", "starbucks"]),
        ("می\u200cخواهم به چپ", ["می\u200cخواهم", "به", "چپ"]),
        ("12 34 ... _", []),
    ],
)
def test_words_of_any_script(text, words):
    expected = [unicodedata.normalize("NFC", word) for word in words]
    assert search_words(text) == expected
    # another spelling of the same letters gives the same words
    assert search_words(unicodedata.normalize("NFD", text).upper()) == expected
