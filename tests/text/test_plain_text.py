"""Markdown and HTML in a reply become plain words, and what is said about them arrives as it was written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.text.sms_text import split


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("# Today\nSunny.", "Today\nSunny."),
        ("### Today ###", "Today"),
        ("#1 fan of #coffee", "#1 fan of #coffee"),
        (
            "**Bold**, *italic*, ***both***, __bold__, _italic_ and ~~gone~~.",
            "Bold, italic, both, bold, italic and gone.",
        ),
        ("**a *b* c** and **_d_**", "a b c and d"),
        ("**Note:** two **cat**s", "Note: two cats"),
        ("**重要**です", "重要です"),
        ("2 * 3 * 4, 2*3*4, 2**3 and 4**5", "2 * 3 * 4, 2*3*4, 2**3 and 4**5"),
        ("my_file_name.txt", "my_file_name.txt"),
        ("Run `make serve` or ``a`b``.", "Run make serve or a'b."),
        ("```python\nprint(1)\n```\nDone", "print(1)\n\nDone"),
        ("* one\n+ 2\n• three\n– four\n  - five", "- one\n+ 2\n- three\n- four\n- five"),
        ("1. one\n2. two", "1. one\n2. two"),
        ("> said\n> so\n> 5 of them", "said\nso\n> 5 of them"),
        ("above\n\n---\n\nbelow\n***", "above\n\nbelow"),
        ("[the site](https://x.org/a_b_c)", "the site (https://x.org/a_b_c)"),
        ('[Foo](https://x.org/Foo_(bar) "A title")', "Foo (https://x.org/Foo_(bar))"),
        ("[https://x.org](https://x.org), [x.org](https://x.org/)", "https://x.org, https://x.org/"),
        (
            "![a cat](https://x.org/c.png) [me](mailto:a@x.org) <https://x.org>",
            "a cat (https://x.org/c.png) me (a@x.org) https://x.org",
        ),
        ("rows[0](x) stays", "rows[0](x) stays"),
        (
            "| Day | Sky | High |\n|---|:-:|--:|\n| Mon | sun | 21 |\n| Tue | | 19 |",
            "Day: Sky, High\nMon: sun, 21\nTue: 19",
        ),
        ("Day | Sky\n--- | ---\nMon | sun\n\na | b", "Day: Sky\nMon: sun\n\na | b"),
        ("<b>Hi</b><br>there, 1 < 2", "Hi\nthere, 1 < 2"),
        ("Tom &amp; Jerry &lt;3", "Tom & Jerry <3"),
        (r"\*not bold\* costs \$5", "not bold costs $5"),
        ("a  \n\n\n\n  b\t c", "a\n\nb c"),
        ("a\r\nb\rc\u2028d", "a\nb\nc\nd"),
    ],
)
def test_markdown_is_turned_into_plain_words(written: str, sent: str) -> None:
    assert split(written) == [sent]


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("It’s ‘nice’ and “new” – isn’t it…", "It's 'nice' and \"new\" - isn't it..."),
        ("one—two — three", "one - two - three"),
        ("5\u00a0pm\u202fsharp\u2011ish", "5 pm sharp-ish"),
        ("21 °C, 70°F, turn 90°", "21 C, 70 F, turn 90 degrees"),
        ("a → b, 3 × 4 ≥ 12, ½ cup", "a -> b, 3 x 4 >= 12, 1/2 cup"),
        ("café, mañana, über, Ørsted, €5 £3", "café, mañana, über, Ørsted, €5 £3"),
        ("cafe\u0301", "café"),
        ("Bem-vindo, João: ação, más", "Bem-vindo, João: ação, más"),
        ("Привет 你好 مرحبا 👩‍👩‍👧 👍🏽", "Привет 你好 مرحبا 👩‍👩‍👧 👍🏽"),
        ("a\x00b\x07c\u200bd\ufeffe\u202ef\ud800g", "abcdefg"),
    ],
)
def test_letters_are_made_gsm7_where_it_has_an_equivalent(written: str, sent: str) -> None:
    assert split(written) == [sent]


@pytest.mark.parametrize(
    "url", ["https://x.org/_a_/*b*?q=1&c=**d**e", "https://x.org/a–b", "https://en.x.org/Foo_(bar)"]
)
def test_not_a_letter_of_an_address_is_changed(url: str) -> None:
    assert split(f"**See** _{url}_ (or {url}).") == [f"See {url} (or {url})."]


@pytest.mark.parametrize(
    "reply",
    [
        "Use the <b> tag for bold.",
        "a <br> breaks the line",
        "The tag for a line break is <br>",
        "Write <br/>, or <br />, as you like.",
        'The tag "<br>" and the tag (<br>) are the same.',
        "Tags that stand alone:\n- <br>\n- <hr>\n- <img>",
        "Put the word between <b> and </b>.",
        "The tags <b>, <i> and </b> are old.",
        "A paragraph opens with <p> and closes with </p>.",
        "Lists are <ul>, <ol> and <li>.",
        "Bold is <b>...</b>, italic is <i>...</i>.",
        "An empty pair is <b></b>.",
        "if x <y> z, then 1 < 2 > 0",
        "I <3 you",
        "List<int>, Map<String, List<b>> and vector<s>",
        "Write to <name@example.org>.",
        "Write to Sam <sam@example.org> or Kim <kim@example.org>.",
        "<script>alert(1)</script> is a script.",
        "A link begins with <a> and a picture with <img>.",
        "</b> alone closes nothing.",
        "<b> opens and is never closed",
        "x<y and y>z, a<b and b>a",
        "<div class> and <span> are boxes.",
        "<- back, next ->, <=> and <>",
        "<your name here>, please.",
    ],
)
def test_what_is_no_formatting_arrives_as_it_was_written(reply: str) -> None:
    assert split(reply) == [reply]


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("<b>bold</b>", "bold"),
        ("<i>It</i> is <em>so</em>, <STRONG>so</STRONG>.", "It is so, so."),
        ("a<sub>1</sub>, b<sup>2</sup>", "a1, b2"),
        ("<b>one <i>two</i></b> three", "one two three"),
        ('<span style="color:red">red</span>', "red"),
        ("Use <p>, then <b>bold</b> words.", "Use <p>, then bold words."),
        ("one<br>two<br/>three<br />", "one\ntwo\nthree"),
        ("one <br>\ntwo", "one\ntwo"),
        ("one<BR>\ntwo", "one\ntwo"),
        ("Hi,<br><br>there", "Hi,\n\nthere"),
        ("<br>one", "one"),
        ("<p>one</p><p>two</p>", "one\n\ntwo"),
        ("<p>\none\n</p>", "one"),
        ("<h1>Title</h1>words", "Title\n\nwords"),
        ("<div><div>one</div><div>two</div></div>", "one\ntwo"),
        ("To do:<ul><li>one</li><li>two</li></ul>Done", "To do:\n- one\n- two\nDone"),
        ("<ul>\n  <li>one</li>\n  <li><b>two</b></li>\n</ul>\nDone", "- one\n- two\nDone"),
        ('See <a href="https://x.org/a_b">the site</a>.', "See the site (https://x.org/a_b)."),
        ("<a class='x' href='https://x.org'>x.org</a>", "https://x.org"),
        ('<a href="mailto:a@x.org">me</a>', "me (a@x.org)"),
        ("<https://x.org/_a_> or <mailto:a@x.org>", "https://x.org/_a_ or a@x.org"),
        ("<b>👍</b> <b>重要</b>", "👍 重要"),
        ("**<b>both</b>**", "both"),
    ],
)
def test_formatting_becomes_plain(written: str, sent: str) -> None:
    assert split(written) == [sent]


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("Write `<b>bold</b>` for bold.", "Write <b>bold</b> for bold."),
        ("`<br>` ends a line, `&lt;` is a <.", "<br> ends a line, &lt; is a <."),
        ("Override `__init__` with `**kwargs`.", "Override __init__ with **kwargs."),
        ("```html\n<p>one</p>\n<b>two</b>\n```\nDone", "<p>one</p>\n<b>two</b>\n\nDone"),
        ("```python\n# A *star*\n* x\n```", "# A *star*\n* x"),
        ("<code>&lt;b&gt;x&lt;/b&gt;</code>", "<b>x</b>"),
        ("<pre><code>a < b\n# c</code></pre>", "a < b\n# c"),
        ("**Run `<i>x</i>`**", "Run <i>x</i>"),
        ("Write &lt;b&gt;bold&lt;/b&gt; for bold.", "Write <b>bold</b> for bold."),
        ("Between <code> and </code> stands code.", "Between <code> and </code> stands code."),
    ],
)
def test_what_is_written_as_code_keeps_its_tags_and_marks(written: str, sent: str) -> None:
    assert split(written) == [sent]


PAIRED = "b i u s em strong code pre p li h1 h2 sub sup span div".split()
TAGS = [*PAIRED, *"ul ol br a img x y int".split()]
PLAIN_WORDS = st.from_regex(r"[a-zA-Z0-9éñж]{1,12}[.,!?;:]?", fullmatch=True)
LONE_TAGS = st.sampled_from([f"{begin}{tag}{end}" for tag in TAGS for begin in ("<", "</") for end in (">", "/>")])
LONE = st.one_of(LONE_TAGS, st.sampled_from(["<", ">", "<3", "=>", "a<b", "b>a"]))


@given(st.lists(st.one_of(PLAIN_WORDS, LONE), max_size=60))
def test_what_holds_no_markup_comes_out_with_the_same_letters(words: list[str]) -> None:
    reply = " ".join(["So:", *words, "end"])  # Tags between spaces touch no words, so none of them formats any.
    assert " ".join(split(reply)) == reply


@given(st.lists(PLAIN_WORDS, min_size=1, max_size=60), st.sampled_from(PAIRED))
def test_a_pair_of_tags_around_words_leaves_the_words(words: list[str], tag: str) -> None:
    reply = " ".join(words)
    [sent] = split(f"<{tag}>{reply}</{tag}>")
    assert sent.removeprefix("- ") == reply
