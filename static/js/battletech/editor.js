// The editor: another kind of ammunition has other figures, another tonnage another structure; the server fills them
// in, and the form is fetched again in place.
const FIGURES = "[name$='-ammo'], [name$='-type'], [name='tonnage']";

document.addEventListener("change", (event) => {
  const editor = event.target.closest("#mech-editor");
  if (!editor || !event.target.matches(FIGURES)) return;
  const into = { source: editor, target: "#mech-editor", select: "#mech-editor", swap: "outerHTML show:none" };
  window.htmx.ajax("GET", editor.action, into);
});
