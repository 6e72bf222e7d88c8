// Sessions: lists and time lines that go on while one looks.

import { on, onChange } from "./page.js";

const list = document.getElementById("list");
const rail = document.getElementById("rail");
const news = document.getElementById("news");

const links = () => [...document.querySelectorAll(".row-link, .rail summary")].filter((one) => one.offsetParent !== null);
const move = (by) => {
  const all = links();
  const at = all.indexOf(document.activeElement);
  const next = all[Math.min(Math.max(at + by, 0), all.length - 1)];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "nearest" });
};
on("j", () => move(1));
on("k", () => move(-1));
document.addEventListener("click", (event) => {
  const row = event.target.closest("tr.link");
  if (row && !event.target.closest("a, button") && getSelection().isCollapsed) row.querySelector(".row-link")?.click();
});
document.getElementById("filters")?.addEventListener("change", (event) => event.currentTarget.requestSubmit());

/** A call inside a run that is folded can be linked to. */
const openTarget = () => {
  const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
  const fold = target?.closest("details");
  if (fold) {
    fold.open = true;
    target.scrollIntoView({ block: "center" });
  }
};
openTarget();
window.addEventListener("hashchange", openTarget);

const part = async (name) => {
  const address = new URL(location.href);
  address.searchParams.set("part", name);
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok) return null;
  const fresh = document.createElement("template");
  fresh.innerHTML = await answer.text();
  return fresh.content;
};

/** Swap what changed, by its id, and leave the rest alone: nobody's place or focus moves. */
const swap = (old, fresh, rows) => {
  for (const row of fresh.querySelectorAll(rows)) {
    const before = row.id && document.getElementById(row.id);
    if (!before || !old.contains(before) || before.innerHTML === row.innerHTML || before.contains(document.activeElement)) continue;
    const copy = row.cloneNode(true);
    const wasOpen = before.querySelector("details")?.open;
    if (wasOpen) copy.querySelector("details")?.setAttribute("open", "");
    before.replaceWith(copy);
  }
};

const isAtEnd = () => window.innerHeight + window.scrollY > document.body.scrollHeight - 120;

const refreshList = async () => {
  const fresh = await part("list");
  if (!fresh) return;
  const ids = (root) => [...root.querySelectorAll("tr.link")].map((row) => row.id).join(" ");
  if (ids(fresh) === ids(list) || !list.contains(document.activeElement)) {
    if (ids(fresh) === ids(list)) swap(list, fresh, "tr.link");
    else list.replaceChildren(fresh);
  }
};

const refreshRail = async (toEnd) => {
  const fresh = await part("rail");
  if (!fresh) return;
  const old = rail.querySelector(".rail");
  const found = fresh.querySelector(".rail");
  if (!old || !found) {
    rail.replaceChildren(fresh);
    return;
  }
  swap(rail, found, ":scope > li");
  const added = [...found.children].filter((row) => !document.getElementById(row.id));
  const end = fresh.querySelector(".end");
  const oldEnd = rail.querySelector(".end");
  if (end && oldEnd && end.textContent !== oldEnd.textContent) oldEnd.replaceWith(end);
  const stays = isAtEnd();
  old.append(...added);
  if (added.length === 0) return;
  const seen = new Set(unseen);
  for (const row of added) seen.add(row.id);
  unseen = [...seen];
  if (stays || toEnd) showEnd();
  else {
    news.textContent = `${unseen.length} new`;
    news.hidden = false;
  }
};
let unseen = [];
const showEnd = () => {
  unseen = [];
  news.hidden = true;
  rail.lastElementChild?.scrollIntoView({ block: "end" });
};
news?.addEventListener("click", showEnd);
document.addEventListener("scroll", () => {
  if (news && !news.hidden && isAtEnd()) {
    unseen = [];
    news.hidden = true;
  }
}, { passive: true });

let asking = false;
let again = false;
const refresh = async () => {
  if (asking) {
    again = true;
    return;
  }
  asking = true;
  if (list && !location.search.includes("before=")) await refreshList();
  if (rail && !location.search.includes("after=")) await refreshRail(false);
  setTimeout(() => {
    asking = false;
    if (again) {
      again = false;
      refresh();
    }
  }, 400);
};
onChange(refresh);

// While the record is counted, sessions are missing. A list that somebody reads or moves in is left alone.
const isUntouched = () => window.scrollY === 0 && document.activeElement === document.body;
if (document.getElementById("counting")) setTimeout(() => isUntouched() && location.reload(), 3000);
