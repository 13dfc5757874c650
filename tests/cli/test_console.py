"""Tables and progress of the command line."""

from navviz.cli.output import Counting, Loading, print_table


def test_a_table_in_a_pipe_keeps_whole_lines_and_the_users_names(capsys):
    note = "a note that is longer than a terminal is wide, and still stands on its own line, whatever it says there"
    print_table(
        ["", "[bold]mine[/bold]", "東京"], [["SR", "90.0 %", "8.1 %"], ["NE", "1", "2"]], ["", note]
    )
    head, first, second = capsys.readouterr().out.splitlines()
    assert head.split() == ["[bold]mine[/bold]", "東京"]
    assert first.split() == ["SR", "90.0", "%", "8.1", "%"]
    assert second.endswith(f"  {note}")
    assert (
        first.index("90.0 %") + len("90.0 %")
        == second.index("1") + 1
        == head.index("[bold]") + len("[bold]mine[/bold]")
    )


def test_progress_goes_to_stderr(capsys):
    with Counting("walks [of] fun", 3) as bar:
        for _ in range(3):
            bar.advance()
    with Loading("Loading map2seq") as loading:
        loading(500_000, None)
        loading(1_000_000, 2_000_000)
    output = capsys.readouterr()
    assert output.out == ""
    assert "walks [of] fun" in output.err
    assert "3/3" in output.err
    assert "1.0/2.0 MB" in output.err
