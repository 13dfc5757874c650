"""Alphabets of generated texts."""

from hypothesis import strategies as st

UNICODE = st.characters(exclude_categories=["Cs"])
"""Every character that UTF-8 can hold, as `hypothesis` takes by itself: without an alphabet it
encodes each of the 1.1 million to find out, 1.3 s of processor time in each worker of a fresh
checkout.
"""

HIT = "navvizhit"
"""Folder that a payload makes, function that it calls or host that it asks, where one is obeyed."""
PRODUCT = str(7331 * 7919)
"""What a payload computes where one is obeyed; no payload holds it."""
PAYLOADS = {
    "jinja": [
        "{{7331*7919}}",
        "{%print(7331*7919)%}",
        f"{{{{cycler.__init__.__globals__.os.mkdir('{HIT}')}}}}",
        "{{ 'x",
        "{# no end",
        "{%if%}",
    ],
    "str.format": ["{0.__class__.__init__.__globals__}", "{:>4000000000}", "{}{1}{name!r}", "}{"],
    "percent": ["%(x)s %d %n", "%999999999d", "%", "%%(7331)s"],
    "f-string": ["{7331*7919}", f"{{__import__('os').mkdir('{HIT}')}}", "{7331*7919=}"],
    "LaTeX": [
        rf"\immediate\write18{{mkdir {HIT}}}",
        r"\input{/etc/passwd}",
        r"$\frac{7331$",
        "$7331^{7919}$",
        r"\def\x{}%",
    ],
    "spreadsheet": [
        "=7331*7919",
        "+7331*7919",
        "-7331*7919",
        "@SUM(7331;7919)",
        "\t=7331*7919",
        f"=cmd|'/C mkdir {HIT}'!A0",
    ],
    "Markdown": [
        f"![x](http://{HIT}.invalid/a.png)",
        f"[x](http://{HIT}.invalid)",
        ":red[x] :material/home:",
        "# `x` **y** ~~z~~",
        "| a | b |",
        f"<img src=x onerror={HIT}()>",
    ],
    "script": [
        f"</script><script>{HIT}()</script>",
        f"`${{{HIT}()}}`",
        f"');{HIT}();//",
        '%{x} %{customdata[0]} <a href="javascript:x">y</a>',
        "drawnItems alert(coords);",
    ],
    "shell": [f"$(mkdir {HIT})", f"`mkdir {HIT}`", f"'; mkdir {HIT} #", f'"| mkdir {HIT} |"'],
    "SQL": ["'; DROP TABLE rating; --", "x' UNION SELECT 7331*7919 --", '" OR 1=1 --'],
}
"""Texts that a template, a formatter, a spreadsheet, a shell, a database or a page may obey, by
what obeys them.
"""
EVERY_PAYLOAD = [text for texts in PAYLOADS.values() for text in texts]

MARKUP = [
    f"![x](http://{HIT}.invalid/a.png)",
    f"[x](http://{HIT}.invalid)",
    "[x]: y",
    "[^1] and ~~a~~ and ~b~",
    ":red[x] :blue-background[y] :green-badge[z] :small[s] :help[h] :shimmer[i]",
    ":color[x]{foreground=red} b:c{d} ::leaf{e}",
    ":material/home: :material_home: :MATERIAL/home: :streamlit:",
    ":smile: :+1: :-1: :100: :man-with_x: 10:30:15",
    "a -> b <- c <-> d -- e >= f <= g ~= h",
    "->",
    "$x^2$ $$y$$ costs $5 and $6",
    "# one",
    "## two\n- three\n+ four\n* five\n12. six\n7) seven\n> eight",
    "nine\n---\nten\n===\n***\n___",
    "a | b\n--- | :--\nc | d",
    "| a |\n|---|",
    "_x_ __y__ a_b *z* **w** `v` ``u``",
    "<b>x</b> <http://x.invalid> <!-- y --> </p> <?z?> a < b",
    "&lt; &#60; &amp; AT&T",
    "\\[x] \\ \\n a\\_b",
]
"""Texts of which Streamlit's Markdown would make something else."""
