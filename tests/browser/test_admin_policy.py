"""What the browser does where somebody's words became part of a page after all: nothing."""

from playwright.sync_api import Browser

PUT_IN = """elsewhere => new Promise(resolve => {
  const stopped = [];
  addEventListener("securitypolicyviolation", event => {
    stopped.push(event.effectiveDirective);
    if (stopped.length === 6) resolve([document.title, ...stopped.sort()]);
  });
  const main = document.querySelector("main");
  main.innerHTML = `<img src="data:," onerror="document.title = 'ran'"><img src="${elsewhere}/picture">
    <p style="color: red">red</p><iframe src="${elsewhere}/page"></iframe>
    <form action="${elsewhere}/form"><button>Send</button></form>`;
  const script = document.createElement("script");
  script.textContent = "document.title = 'ran'";
  main.append(script);
  main.querySelector("button").click();
})"""
"""Put in what an attack would, and tell the title, which scripts would change, and what the policy stopped."""


def test_r90_a_page_runs_loads_and_sends_nothing_that_is_not_its_own(browser: Browser, served_app: str) -> None:
    context = browser.new_context(base_url=served_app)
    page = context.new_page()
    page.goto("/admin/login")

    title, *stopped = page.evaluate(PUT_IN, "http://127.0.0.1:9")

    assert title == "Log in · Keepsake"
    assert stopped == ["form-action", "frame-src", "img-src", "script-src-attr", "script-src-elem", "style-src-attr"]
    context.close()
