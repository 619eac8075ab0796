// The editor of the dice page: colours behind the text, the slip underlined, and forms elsewhere that follow the text.
// Without it the text area works alone.

const WORDS =
  "if then else for in step given output named as and or not vs against beats of keep drop highest lowest middle " +
  "count twice minus cancel botch limit min max abs floor ceil round sum advantage disadvantage pairs sets " +
  "largest_set longest_run highest_count different pair_off margin bands function loop over result";
const DIE = "\\d*[dD](?:\\d+|%|F|\\{[^}]*\\})(?:[kdr][hlo]?\\d*|!+[po]*\\d*|[tx]\\d+)*";
const TOKEN = new RegExp(
  `(?<note>#[^\\n]*)|(?<text>"[^"\\n]*")|(?<die>\\b${DIE})|(?<word>\\b(?:${WORDS.replaceAll(" ", "|")})\\b)`,
  "gi",
);
const PLACE = /\((?:line (\d+), )?character (\d+)\)/;

/** The place an error message names, as an index into the text; -1 when it names none. */
export function placeOf(message, text) {
  const found = PLACE.exec(message);
  if (!found) return -1;
  const line = Number(found[1] || 1) - 1;
  const lines = text.split("\n");
  // A message without a line counts in the first line that has something in it.
  const first = found[1]
    ? line
    : Math.max(
        0,
        lines.findIndex((each) => each.trim()),
      );
  const before = lines.slice(0, first).reduce((sum, each) => sum + each.length + 1, 0);
  return Math.min(text.length, before + Number(found[2]) - 1);
}

/** The text as pieces: [kind, text]. */
export function pieces(text) {
  const found = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > end) found.push(["", text.slice(end, match.index)]);
    const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
    found.push([kind, match[0]]);
    end = match.index + match[0].length;
  }
  found.push(["", text.slice(end)]);
  return found;
}

function span(kind, text) {
  const element = document.createElement("span");
  if (kind) element.className = `token--${kind}`;
  element.textContent = text;
  return element;
}

function colour(editor, slip = -1) {
  const area = editor.querySelector("textarea");
  const colours = editor.querySelector("[data-colours]");
  const made = [];
  let at = 0;
  for (const [kind, text] of pieces(area.value)) {
    const inside = slip >= at && slip < at + text.length;
    if (inside) {
      const cut = slip - at;
      made.push(span(kind, text.slice(0, cut)), span("slip", text[cut]), span(kind, text.slice(cut + 1)));
    } else {
      made.push(span(kind, text));
    }
    at += text.length;
  }
  if (slip >= area.value.length) made.push(span("slip", " "));
  colours.replaceChildren(...made, document.createTextNode("\n"));
  colours.scrollTop = area.scrollTop;
  editor.classList.add("is-coloured");
}

function follow(area) {
  if (area.id !== "a-roll") return;
  for (const input of document.querySelectorAll("[data-program]")) input.value = area.value;
}

function slipOf(editor) {
  const message = editor.querySelector("[data-error-for]:not([hidden]) span")?.textContent || "";
  return message ? placeOf(message, editor.querySelector("textarea").value) : -1;
}

function look() {
  for (const editor of document.querySelectorAll("[data-dice-editor]")) colour(editor, slipOf(editor));
}

document.addEventListener("input", (event) => {
  const editor = event.target.closest?.("[data-dice-editor]");
  if (!editor) return;
  colour(editor);
  follow(event.target);
});
document.addEventListener("change", (event) => {
  if (event.target.id !== "a-notation") return;
  for (const input of document.querySelectorAll("[data-notation]")) input.value = event.target.value;
});
document.addEventListener(
  "scroll",
  (event) => {
    const editor = event.target.closest?.("[data-dice-editor]");
    if (editor) editor.querySelector("[data-colours]").scrollTop = event.target.scrollTop;
  },
  true,
);
// After the calculator has shown or cleared its errors.
document.addEventListener("calculator:errors", () => queueMicrotask(look));
document.addEventListener("htmx:afterSettle", (event) => {
  if (event.target.id === "calculator-page") look();
});
look();
