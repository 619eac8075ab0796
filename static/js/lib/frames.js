// Waiting for the screen to show something.

const LONGEST = 1000; // milliseconds; a page that is put away in the meantime draws no frames at all

/**
 * Resolves once the page as it stands now has been drawn; at once where nobody sees it.
 * @returns {Promise<void>}
 */
export function drawn() {
  if (document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    setTimeout(resolve, LONGEST);
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
}

/**
 * Resolves after a time.
 * @param {number} milliseconds
 * @returns {Promise<void>}
 */
export const elapsed = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
