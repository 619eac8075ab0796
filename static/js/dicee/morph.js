// Changing a part of the page into the one the server sent, touching only what differs: what is open stays open, what
// has the focus keeps it, and an animation that has begun goes on.

const ELEMENT = Node.ELEMENT_NODE;
const sameKind = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && (a.id ?? "") === (b.id ?? "");

/** Whether the reader's own state of an element is to be left alone. `data-own` may name what it belongs to. */
const isOwn = (old, fresh) => "own" in (old.dataset ?? {}) && old.dataset.own === fresh.dataset.own;

function morphAttributes(old, fresh) {
  for (const { name, value } of fresh.attributes) {
    if (name === "open" && old.localName === "details") continue;
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  for (const { name } of Array.from(old.attributes)) {
    if (fresh.hasAttribute(name) || (name === "open" && old.localName === "details")) continue;
    old.removeAttribute(name);
  }
  if (old.localName === "input" && ["checkbox", "radio"].includes(old.type)) old.checked = fresh.checked;
}

function morphChildren(old, fresh) {
  const byId = new Map([...old.children].filter((child) => child.id).map((child) => [child.id, child]));
  let at = old.firstChild;
  for (const wanted of Array.from(fresh.childNodes)) {
    let match = at;
    if (wanted.id && byId.has(wanted.id)) match = byId.get(wanted.id);
    else if (at?.id) match = null; // it will be asked for by its id, or is gone
    if (match && sameKind(match, wanted)) {
      if (match === at) at = at.nextSibling;
      else old.insertBefore(match, at);
      morph(match, wanted);
    } else {
      old.insertBefore(wanted, at);
    }
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

/**
 * Make one node like another of the same kind.
 * @param {Node} old the node on the page
 * @param {Node} fresh the node to become
 */
export function morph(old, fresh) {
  if (old.nodeType !== ELEMENT) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return;
  }
  if (isOwn(old, fresh) || (old.isEqualNode(fresh) && !old.querySelector("input"))) return;
  morphAttributes(old, fresh);
  morphChildren(old, fresh);
}

htmx.defineExtension("morph", {
  isInlineSwap: (style) => style === "morph",
  handleSwap(style, target, fragment, settleInfo) {
    if (style !== "morph") return false;
    morph(target, fragment.firstElementChild ?? fragment);
    settleInfo.elts.push(target);
    return [target];
  },
});
