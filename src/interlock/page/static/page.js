// What all views share: keys, dialogs, and the count of what waits.

import { isListening, onChange } from "./live.js";

export { onChange, post, serverTime, setServerTime } from "./live.js";

const isTyping = (target) => target.closest("input, textarea, select, [contenteditable]") !== null;

/** Keys of a view: `on("j", () => …)`. No key works while somebody types, or together with a modifier. */
const actions = new Map();
export const on = (key, action) => actions.set(key, action);

let leader = false;
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (document.querySelector("dialog[open]")) return; // Escape closes it, as the browser does by itself
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

/** A short message that goes away by itself; `action` is a button in it: [label, what it does]. */
export const toast = (text, action) => {
  const note = document.createElement("p");
  note.textContent = text;
  if (action) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = action[0];
    button.addEventListener("click", () => {
      note.remove();
      action[1]();
    });
    note.append(" ", button);
  }
  document.getElementById("toasts").append(note);
  setTimeout(() => note.remove(), 8000);
};
document.addEventListener("interlock-problem", (event) => toast(event.detail));

/** Show how many calls wait, in the bar and in the title. */
export const showWaiting = (count) => {
  const badge = document.getElementById("waiting");
  if (!badge) return; // a page for one request counts nothing
  badge.hidden = count === 0;
  if (badge.textContent !== String(count)) badge.textContent = String(count);
  const title = document.title.replace(/^\(\d+\) /, "");
  document.title = count ? `(${count}) ${title}` : title;
};

// --- what waits, wherever one is ---------------------------------------------------------------------------

const NOTIFY = "interlock-notify";
const canNotify = () => "Notification" in window && Notification.permission === "granted" && localStorage.getItem(NOTIFY) === "on";
let newest = null; // the last request that was seen

onChange((said) => {
  if (said.waiting === undefined) return;
  document.documentElement.dataset.live = ""; // from now on, what happens is noticed
  showWaiting(said.waiting);
  const isNew = said.newest !== null && newest !== null && said.newest.id !== newest;
  newest = said.newest?.id ?? newest ?? "";
  if (isNew && isListening && !document.hasFocus() && canNotify()) {
    // Without buttons: an answer needs what the page shows.
    const note = new Notification("A call waits for you", { body: said.newest.line, tag: "interlock" });
    note.addEventListener("click", () => window.focus());
  }
});

for (const button of document.querySelectorAll("#notify, #notify-here")) {
  button.hidden = !("Notification" in window) || canNotify() || Notification.permission === "denied";
  button.addEventListener("click", async () => {
    if ((await Notification.requestPermission()) !== "granted") return;
    localStorage.setItem(NOTIFY, "on");
    button.hidden = true;
    toast("This browser notifies you when a call waits and the page is not in front.");
  });
}
