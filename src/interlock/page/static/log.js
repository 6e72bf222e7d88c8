// The log: search, follow, and rows that come while one looks.

import { on, onChange, post } from "./page.js";

const box = document.getElementById("log");
const search = document.getElementById("search");
const follow = document.getElementById("follow");
const news = document.getElementById("news");
const chain = document.getElementById("chain");

// --- moving ---------------------------------------------------------------------------------------------------

const links = () => [...document.querySelectorAll(".row-link")];
const move = (by) => {
  const all = links();
  const at = all.indexOf(document.activeElement);
  const next = all[Math.min(Math.max(at + by, 0), all.length - 1)];
  next?.focus({ preventScroll: true });
  next?.closest("tr").scrollIntoView({ block: "nearest" });
};
on("j", () => move(1));
on("k", () => move(-1));
on("/", () => document.getElementById("q")?.focus());
document.addEventListener("click", (event) => {
  const row = event.target.closest("tr.link");
  if (row && !event.target.closest("a, button, summary") && getSelection().isCollapsed) row.querySelector(".row-link")?.click();
});
search?.addEventListener("change", (event) => {
  if (event.target.matches("select")) search.requestSubmit();
});

// --- following ------------------------------------------------------------------------------------------------

const FOLLOWS = "interlock-follow";
if (follow) {
  follow.checked = localStorage.getItem(FOLLOWS) === "1";
  follow.addEventListener("change", () => {
    localStorage.setItem(FOLLOWS, follow.checked ? "1" : "0");
    refresh();
  });
  on("f", () => follow.click());
}

const isAtTop = () => window.scrollY < 40;
const top_ = () => Number(document.querySelector("#rows tr")?.dataset.id ?? 0);

/** Rows that are there already are replaced if something became of them; new ones wait until somebody wants them. */
const take = (html, everything) => {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  const rows = document.getElementById("rows");
  const found = [...fresh.content.querySelectorAll("#rows tr")];
  if (!rows || found.length === 0) {
    if (found.length > 0) box.replaceChildren(fresh.content);
    return;
  }
  const newest = top_();
  for (const row of found) {
    const old = document.getElementById(row.id);
    if (old && old.innerHTML !== row.innerHTML && !old.contains(document.activeElement)) old.replaceWith(row.cloneNode(true));
  }
  const added = found.filter((row) => Number(row.dataset.id) > newest);
  news.hidden = everything || added.length === 0;
  if (added.length === 0) return;
  if (!everything) {
    const whole = added.length < found.length;
    news.textContent = `${added.length}${whole ? "" : "+"} new`;
    return;
  }
  if (added.length === found.length) box.replaceChildren(fresh.content); // so many that some lie between
  else rows.prepend(...added);
};

let asking = false;
let again = false;
const refresh = async (everything = follow?.checked || isAtTop()) => {
  if (!follow || !box) return;
  if (asking) {
    again = true;
    return;
  }
  asking = true;
  const address = new URL(location.href);
  address.searchParams.set("part", "rows");
  const answer = await fetch(address).catch(() => null);
  if (answer?.ok) take(await answer.text(), everything);
  // A busy agent makes many calls a second; nobody reads that many.
  setTimeout(() => {
    asking = false;
    if (again) {
      again = false;
      refresh();
    }
  }, 400);
};
onChange(() => refresh());
document.addEventListener("scroll", () => {
  if (!news?.hidden && isAtTop()) refresh(true);
}, { passive: true });
news?.addEventListener("click", () => {
  window.scrollTo({ top: 0 });
  refresh(true);
});

// --- the chain ------------------------------------------------------------------------------------------------

const isCounting = () => chain.querySelector("[data-counting]") !== null;
const showChain = async () => {
  const counted = isCounting();
  const answer = await fetch("/log/chain").catch(() => null);
  if (!answer?.ok) return;
  chain.innerHTML = await answer.text();
  if (counted && !isCounting()) refresh();
  if (chain.querySelector("[data-running]")) setTimeout(showChain, isCounting() ? 1000 : 300);
};
chain?.addEventListener("click", async (event) => {
  if (!event.target.closest("#verify")) return;
  await post("/log/verify", {});
  showChain();
});
if (chain?.querySelector("[data-running]")) showChain();
