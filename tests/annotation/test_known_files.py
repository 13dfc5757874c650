"""Known answers from a table or JSON: what counts, and each row that is refused."""

from __future__ import annotations

import json

import pytest

from navviz.annotation.gold import read_known
from navviz.annotation.records import (
    CauseVerdict,
    Difficulty,
    Item,
    Mention,
    Mentions,
    Navigability,
    Task,
)
from navviz.annotation.taxonomy import bundled_taxonomy
from navviz.errors import InputError

TAXONOMY = bundled_taxonomy()
ITEMS = [Item(dataset="s", episode=str(n)) for n in range(1, 6)]
YES, NO = Navigability(navigable=True), Navigability(navigable=False)


def read(text: str, task: Task = "navigability", items: list[Item] = ITEMS):
    return read_known(text, task, items, TAXONOMY, "gold.csv")


@pytest.mark.parametrize(
    "text",
    [
        "episode,answer,comment\n1,yes,clear\n2,NO,\n",
        "episode,navigable,comment\n1,1,clear\n2,false,\n",
        "episode\tanswer\tcomment\n1\tyes\tclear\n2\tno\t\n",
        '[{"episode": 1, "answer": "yes", "comment": "clear"}, {"episode": "2", "answer": false}]',
        '{"1": {"answer": true, "comment": "clear"}, "2": "no"}',
        'episode,value,comment\n1,"{""navigable"": true}",clear\n2,"{""navigable"": false}",\n',
        "\ufeffepisode,answer,comment\n1,yes,clear\n,,\n2,no,\n",
    ],
)
def test_one_answer_in_many_spellings(text):
    good, refused = read(text)
    assert [(row.item, row.value, row.comment) for row in good] == [
        (ITEMS[0], YES, "clear"),
        (ITEMS[1], NO, ""),
    ]
    assert refused == []


def test_each_row_that_is_refused_is_named_and_all_are_counted():
    text = "episode,answer\n1,yes\n9,yes\n2,perhaps\n1,no\n,yes\n3,no\n"
    good, refused = read(text)
    assert [row.item.episode for row in good] == ["1", "3"]
    assert list(map(str, refused)) == [
        "row 3, episode 9: the open run has no such episode",
        "row 4, episode 2: 'perhaps' is neither yes nor no",
        "row 5, episode 1: row 2 has an answer to it already",
        "row 6: it names no episode",
    ]
    entries = '[{"episode": "1", "answer": "yes"}, 7, {"episode": "2"}]'
    good, refused = read(entries)
    assert (len(good), [one.row for one in refused]) == (1, ["entry 2", "entry 3"])


def test_answers_of_other_tasks():
    table = "episode,linguistic,topological,operational\n1,2,3,4\n2,2,3,11\n3,2,,4\n"
    good, refused = read(table, "difficulty")
    assert good[0].value == Difficulty(linguistic=2, topological=3, operational=4)
    assert "operational: input should be less than or equal to 10" in str(refused[0])
    assert "an answer has three levels" in str(refused[1])
    assert read('{"1": "2 3 4"}', "difficulty")[0][0].value == good[0].value
    good, refused = read("episode,answer\n1,E1.1 A3.1\n2,\n3,Z9\n", "failure")
    assert [row.value.codes for row in good] == [{"E1.1", "A3.1"}, frozenset()]
    assert str(refused[0]) == f"row 4, episode 3: Z9 is no code of {TAXONOMY.name}"
    mentions = Mentions(mentions=(Mention(start=0, end=1, text="a"),))
    rows = json.dumps([{"episode": "1", "value": mentions.model_dump()}, {"episode": "2"}])
    good, refused = read(rows, "mentions")
    assert good[0].value == mentions
    assert "need a column value" in str(refused[0])


def test_causes_are_named_by_their_claim():
    claims = [Item(dataset="s", episode="1", run="r", claim=f"c{n:016x}") for n in (1, 2)]
    text = f"episode,claim,answer\n1,{claims[1].claim},Partly\n1,c{3:016x},yes\n1,,yes\n"
    text += f"1,{claims[0].claim},maybe\n"
    good, refused = read(text, "cause", claims)
    assert [(row.item, row.value) for row in good] == [(claims[1], CauseVerdict(answer="partly"))]
    assert [str(one).partition(": ")[2][:34] for one in refused] == [
        "the open run has no such claim",
        "it names no claim; an export of ve",
        "answer: input should be 'yes', 'pa",
    ]


def test_a_value_of_another_task_is_refused():
    wrong = json.dumps({"1": {"value": CauseVerdict(answer="yes").model_dump()}})
    assert "its answer is of the task cause" in str(read(wrong)[1][0])
    broken = json.dumps({"1": {"value": "{"}})
    assert read(broken)[0] == []
    assert len(read(broken)[1]) == 1


def test_a_text_that_is_no_table_is_refused_whole():
    with pytest.raises(InputError, match="lacks the column episode"):
        read("item,answer\n1,yes\n")
    with pytest.raises(InputError, match=r"gold\.csv"):
        read('{"1": ')
