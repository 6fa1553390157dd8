// Updates the page to the server's HTML and changes only what differs, so that focus, open details, selections and
// screen readers stay where they are.

/** Make the children of `list` match `items`, pairs of key and HTML, in order. Returns the elements added. */
export function syncList(list, items) {
  const present = new Map([...list.children].map((element) => [element.dataset.key, element]));
  const added = [];
  let place = list.firstElementChild;
  for (const [key, html] of items) {
    const wanted = parse(html);
    let element = present.get(key);
    if (element) {
      present.delete(key);
      morph(element, wanted);
    } else {
      element = wanted;
      added.push(element);
    }
    if (element === place) place = place.nextElementSibling;
    else list.insertBefore(element, place);
  }
  for (const element of present.values()) element.remove();
  return added;
}

/** Make `from` equal to `to`, node by node. */
export function morph(from, to) {
  if (from.nodeType !== to.nodeType || from.nodeName !== to.nodeName) {
    from.replaceWith(to);
  } else if (from.nodeType !== Node.ELEMENT_NODE) {
    if (from.data !== to.data) from.data = to.data;
  } else {
    morphAttributes(from, to);
    const wanted = [...to.childNodes];
    while (from.childNodes.length > wanted.length) from.lastChild.remove();
    wanted.forEach((child, at) => {
      if (at < from.childNodes.length) morph(from.childNodes[at], child);
      else from.append(child);
    });
  }
}

function morphAttributes(from, to) {
  to.classList.toggle("arrived", from.classList.contains("arrived")); // A running animation may finish.
  if (!to.classList.length) to.removeAttribute("class");
  for (const { name } of [...from.attributes]) {
    // The reader decides which turns are unfolded.
    if (!to.hasAttribute(name) && name !== "open") from.removeAttribute(name);
  }
  for (const { name, value } of to.attributes) {
    if (from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
}

function parse(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content.firstElementChild;
}
