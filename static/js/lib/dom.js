// Finding and making elements.

/**
 * The first element that matches.
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {HTMLElement | null}
 */
export const $ = (selector, root = document) => root.querySelector(selector);

/**
 * Every element that matches, as an array.
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {HTMLElement[]}
 */
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

/**
 * The element a piece of HTML describes.
 * @param {string} html from our own server, which escapes what people wrote
 * @returns {Element}
 */
export function element(html) {
  const box = document.createElement("template");
  box.innerHTML = html.trim();
  return box.content.firstElementChild;
}
