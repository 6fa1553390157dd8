// Script of the operator's pages: optional keyboard shortcuts, and pages that update by themselves.
// Every page works without it.
import { follow } from "./live.js";
import { syncList } from "./morph.js";

const OFF = "keepsake-keys-off";
const CHORD_MILLISECONDS = 1500;
const POLL_MILLISECONDS = 10000; // Only used while all streams are taken; nobody waits for these pages.
const NEAR_END_PIXELS = 120;

const dialog = document.querySelector("#key-help");
const toggle = dialog?.querySelector("[data-toggle]");
const opener = document.querySelector("[data-keys]");

/* Keys. Each moves the real focus, so that Enter and screen readers work as usual. */

const rows = () =>
  [...document.querySelectorAll("main table.cards tbody tr, main .rows > li, main .turn")]
    .map((row) => row.querySelector("a, summary, button"))
    .filter((target) => target?.checkVisibility());

function step(by) {
  const targets = rows();
  const focused = document.activeElement.closest("tr, .rows > li, .turn");
  const at = targets.findIndex((target) => focused?.contains(target));
  const next = at < 0 ? (by > 0 ? 0 : targets.length - 1) : Math.min(Math.max(at + by, 0), targets.length - 1);
  targets[next]?.focus();
  targets[next]?.scrollIntoView({ block: "nearest" });
}

function search() {
  const field = document.querySelector("main input[type=search]");
  if (!field) return document.querySelector("[data-searched]")?.click();
  field.focus();
  field.select();
}

const keys = {
  "/": search,
  j: () => step(1),
  k: () => step(-1),
  "?": () => dialog.showModal(),
};

let chord = 0;
function pressed(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.defaultPrevented) return;
  const typing = event.target.closest("input:not([type=checkbox]), select, textarea, [contenteditable]");
  if (typing) {
    if (event.key === "Escape" && typing.type === "search") typing.blur();
    return;
  }
  if (dialog.open || localStorage.getItem(OFF)) return;
  if (chord) {
    clearTimeout(chord);
    chord = 0;
    document.querySelector(`.pages a[data-letter="${CSS.escape(event.key.toLowerCase())}"]`)?.click();
  } else if (event.key === "g") {
    chord = setTimeout(() => (chord = 0), CHORD_MILLISECONDS);
  } else if (keys[event.key]) {
    keys[event.key]();
  } else {
    return;
  }
  event.preventDefault();
}

if (dialog) {
  document.addEventListener("keydown", pressed);
  opener.hidden = false;
  opener.addEventListener("click", keys["?"]);
  toggle.checked = !localStorage.getItem(OFF);
  toggle.addEventListener("change", () =>
    toggle.checked ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, "off"),
  );
}

/* Live pages. */

const page = document.querySelector("[data-events]");
const standing = document.querySelector("[data-standing]");
const newest = document.querySelector("[data-newest]");

const isAtEnd = () => innerHeight + scrollY > document.documentElement.scrollHeight - NEAR_END_PIXELS;

function show(sections) {
  const wasAtEnd = isAtEnd();
  for (const list of page.querySelectorAll("[data-list]")) {
    if (!sections[list.dataset.list]) continue;
    const added = syncList(list, sections[list.dataset.list]);
    for (const element of added) element.classList.add("arrived");
    if (!newest || !added.length || !("grows" in list.dataset)) continue;
    if (wasAtEnd) scrollTo(0, document.documentElement.scrollHeight);
    else newest.hidden = false;
  }
}

function away(isAway) {
  standing?.classList.toggle("away", isAway);
  standing?.classList.toggle("live", !isAway);
  if (standing) standing.dataset.said ??= standing.textContent;
  if (standing) standing.textContent = isAway ? "Reconnecting…" : standing.dataset.said;
}

if (page) {
  const { events, snapshot } = page.dataset;
  newest?.addEventListener("click", () => (newest.hidden = true));
  follow({ events, snapshot, show, away, ended: () => location.reload(), pollMilliseconds: POLL_MILLISECONDS });
}
