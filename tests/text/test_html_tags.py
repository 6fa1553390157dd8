"""HTML in a reply: formatting becomes plain words, and what is said about HTML arrives as it was written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.text.sms_text import split


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
