// The review by keyboard: j and k move, y keeps, c corrects, f forgets, o opens the text. admin.js has the other keys.
// Every key presses a button on the page, so everything works without this script.
"use strict";

const list = document.querySelector("[data-review]");
const OFF = "keepsake-keys-off"; // As in admin.js, which turns the keys off.

const inHand = () => document.activeElement?.closest?.("[data-review] > li");

function move(step) {
  const all = [...list.children];
  const at = all.indexOf(inHand());
  const next = all[at === -1 ? (step > 0 ? 0 : all.length - 1) : at + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

function press(key) {
  if (!inHand()) return move(1); // The first key only chooses: it may stand off screen.
  const found = inHand().querySelector(`[data-key="${key}"]`);
  if (found instanceof HTMLDetailsElement) {
    found.open = true;
    const field = found.querySelector("input:not([type=hidden])");
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
  } else {
    found?.click();
  }
}

const KEYS = { j: () => move(1), k: () => move(-1) };
for (const key of "ycfo") KEYS[key] = () => press(key);

function isTyping(target) {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

if (list) {
  const keys = document.querySelector("[data-review-keys]");
  if (keys) keys.hidden = Boolean(localStorage.getItem(OFF));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && isTyping(event.target)) {
      event.target.closest("[data-review] > li")?.focus();
      return;
    }
    const action = localStorage.getItem(OFF) ? undefined : KEYS[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTyping(event.target)) return;
    event.preventDefault();
    action();
  });
  // After a response the next memory is selected, or the one just revealed, so that a run of keys can go on.
  const after = list.querySelector(":scope > :target") ?? list.firstElementChild;
  if (document.querySelector("main .notice")) after?.focus({ preventScroll: true });
}
