// Script of the phone page: texts go out without a reload, and changes appear by themselves.
import { follow } from "./live.js";
import { syncList } from "./morph.js";

const $ = (selector) => document.querySelector(selector);
const scroller = $(".scroller");
const thread = $("[data-list=thread]");
const pending = $("[data-pending]");
const composer = $(".composer");
const body = $("#body");
const problem = $("#problem");
const newest = $(".newest");
const line = $(".line");

const NEAR_END_PIXELS = 60;
const isAtEnd = () => Math.abs(scroller.scrollTop) < NEAR_END_PIXELS;
const toEnd = () => {
  scroller.scrollTop = 0; // The column is reversed, so its end is at 0.
  newest.hidden = true;
};

/** Show the parts of the page that changed. */
function show(sections) {
  const wasAtEnd = isAtEnd();
  for (const list of document.querySelectorAll("[data-list]")) {
    const items = sections[list.dataset.list];
    if (!items) continue;
    if (list === thread) adoptPending(items);
    const added = syncList(list, items);
    // New parts are animated, except on a page that was just opened.
    if (show.begun) for (const element of added) element.classList.add("arrived");
    if (list === thread && show.begun && added.length && !wasAtEnd) newest.hidden = false;
  }
  if ("label" in sections) $(".from-label").textContent = sections.label;
  if ("typing" in sections) $(".typing").hidden = !sections.typing;
  if ("count" in sections) $(".count").textContent = sections.count || "";
  if (wasAtEnd) toEnd();
  show.begun = true;
}

/** Turn the text shown while it was being sent into the one that arrived, without a flicker. */
function adoptPending(items) {
  for (const element of [...pending.children]) {
    const arrived = items.find(([, html]) => html.includes(`data-sid="${element.dataset.sid}"`));
    if (!arrived) continue;
    element.dataset.key = arrived[0];
    thread.append(element);
  }
}

function newSid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return "SM" + Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function pendingBubble(words, sid) {
  const element = document.createElement("li");
  element.className = "text mine starts ends arrived";
  element.dataset.sid = sid;
  element.innerHTML =
    '<div class="bubble"><span class="unseen">You: </span><span class="words"></span></div><p class="status">Sending…</p>';
  element.querySelector(".words").textContent = words;
  return element;
}

// One at a time, so that texts arrive in the order in which they were written.
let lastPost = Promise.resolve();

function send(words, sid = newSid(), element = null) {
  element ??= pending.appendChild(pendingBubble(words, sid));
  toEnd();
  lastPost = lastPost.then(() => post(words, sid, element));
}

async function post(words, sid, element) {
  const status = element.querySelector(".status");
  const form = new URLSearchParams({ from: composer.elements.from.value, body: words, sid });
  try {
    const response = await fetch(composer.action, {
      method: "POST",
      body: form,
      headers: { Accept: "application/json" },
    });
    const answer = await response.json().catch(() => ({})); // A proxy answers in HTML, and not always with an error.
    if (answer.sid !== sid) throw answer.message ? new Error(answer.message) : new TypeError();
    if (element.parentElement === pending) status.textContent = "Delivered";
  } catch (error) {
    // A retry sends the same id, so that a text which did arrive is not taken in twice.
    if (element.parentElement !== pending) return;
    element.classList.add("unsent");
    status.classList.add("bad");
    status.textContent = error instanceof TypeError ? "Not sent. " : `Not sent: ${error.message} `;
    const again = document.createElement("button");
    again.type = "button";
    again.textContent = "Try again";
    again.addEventListener("click", () => {
      element.classList.remove("unsent");
      status.classList.remove("bad");
      status.textContent = "Sending…";
      send(words, sid, element);
    });
    status.append(again);
  }
}

function fit() {
  if (CSS.supports("field-sizing", "content")) return;
  body.style.height = "auto";
  body.style.height = `${body.scrollHeight}px`;
}

composer.addEventListener("submit", (event) => {
  event.preventDefault();
  const words = body.value.trim();
  const over = [...words].length - body.dataset.max;
  problem.hidden = over <= 0;
  problem.textContent = `A text has up to ${body.dataset.max} characters. This one has ${over} too many: shorten it.`;
  if (over > 0) return;
  body.value = "";
  fit();
  body.focus();
  if (words) send(words);
});

body.addEventListener("keydown", (event) => {
  // While an input method composes, Enter chooses a word.
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  if (body.value.trim()) composer.requestSubmit();
});
body.addEventListener("input", fit);

// Offers come and go with the texts, so the document listens for clicks on them.
document.addEventListener("submit", (event) => {
  const form = event.target.closest(".suggestion");
  if (!form) return;
  event.preventDefault();
  const { body: offered, sid } = form.elements;
  // A second tap on an offer comes before it is gone.
  if (!document.querySelector(`[data-sid="${sid.value}"]`)) send(offered.value, sid.value);
  body.focus();
});

// A new part stays marked until its glow has run once; facts glow when their drawer is opened.
document.addEventListener("animationend", ({ target }) => target.closest(".arrived")?.classList.remove("arrived"));

newest.addEventListener("click", toEnd);
scroller.addEventListener("scroll", () => isAtEnd() && (newest.hidden = true), { passive: true });

// A folded menu returns to its place when the window grows wide enough to show it as a column.
for (const query of ["(min-width: 860px)", "(min-width: 1180px)"]) {
  matchMedia(query).addEventListener("change", () => {
    for (const open of document.querySelectorAll("[popover]:popover-open")) open.hidePopover();
  });
}

follow({
  events: document.body.dataset.events,
  snapshot: document.body.dataset.snapshot,
  show,
  away(isAway) {
    const words = isAway ? "Reconnecting…" : line.dataset.idle;
    line.classList.toggle("away", isAway);
    if (line.textContent !== words) line.textContent = words;
  },
});
fit();
