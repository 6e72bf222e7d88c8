// What all views share: keys, dialogs, and the count of what waits.

const isTyping = (target) => target.closest("input, textarea, select, [contenteditable]") !== null;

/** Keys of a view: `on("j", () => …)`. No key works while somebody types, or together with a modifier. */
const actions = new Map();
export const on = (key, action) => actions.set(key, action);

let leader = false;
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (document.querySelector("dialog[open]") && event.key !== "Escape") return;
  if (leader) {
    leader = false;
    const link = document.querySelector(`.views a[data-key="${CSS.escape(event.key)}"]`);
    if (link) {
      event.preventDefault();
      link.click();
      return;
    }
  }
  if (event.key === "g" && !actions.has("g")) {
    leader = true;
    return;
  }
  const action = actions.get(event.key);
  if (action) {
    event.preventDefault();
    action(event);
  }
});

on("?", () => document.getElementById("keys").showModal());

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-open]");
  if (opener) document.getElementById(opener.dataset.open).showModal();
});

/** A short message that goes away by itself. */
export const toast = (text) => {
  const note = document.createElement("p");
  note.textContent = text;
  document.getElementById("toasts").append(note);
  setTimeout(() => note.remove(), 8000);
};

/** Show how many calls wait, in the bar and in the title. */
export const showWaiting = (count) => {
  const badge = document.getElementById("waiting");
  badge.hidden = count === 0;
  if (badge.textContent !== String(count)) badge.textContent = String(count);
  const title = document.title.replace(/^\(\d+\) /, "");
  document.title = count ? `(${count}) ${title}` : title;
};
