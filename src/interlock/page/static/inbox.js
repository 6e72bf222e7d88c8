// The Inbox: move through what waits, answer it, and stay as it is while the list changes around it.

import { on, onChange, post, serverTime, setServerTime, toast } from "./page.js";

const inbox = document.querySelector(".inbox");
const list = document.getElementById("rows");
const desk = document.getElementById("desk");
const search = document.getElementById("search");
const announce = document.getElementById("announce");
const isPhone = matchMedia("(max-width: 860px)");
const GUARD = 400; // milliseconds in which nothing is answered after the page itself has chosen something
const parse = (html) => new DOMParser().parseFromString(html, "text/html");
const part = async (path) => {
  const answer = await fetch(path, { headers: { Accept: "text/html" } }).catch(() => null);
  return answer?.ok ? parse(await answer.text()) : null;
};

let choseItself = -GUARD;
const ticked = new Set();

// --- what is on the desk -----------------------------------------------------------------------------------

const chosen = () => desk?.querySelector("[data-request]")?.dataset.request ?? null;
const several = () => desk?.querySelector("[data-several]")?.dataset.several ?? null;
const isUnanswered = () => desk.querySelector("[data-yes]") !== null;
const rowOf = (id) => document.getElementById(`r-${id}`);
const rows = () => (list ? [...list.querySelectorAll(".row")] : []);

let wanted = null; // the last part that was asked for: an earlier one that arrives late is not shown
const put = async (path) => {
  wanted = path;
  const found = await part(path);
  if (found === null || wanted !== path) return false;
  desk.replaceChildren(...found.body.childNodes);
  count();
  return true;
};

const markRow = (id) => {
  for (const link of list?.querySelectorAll("a[aria-current]") ?? []) link.removeAttribute("aria-current");
  const link = id === null ? null : rowOf(id)?.querySelector("a");
  link?.setAttribute("aria-current", "true");
  return link;
};

const choose = async (id, { push = false } = {}) => {
  const isLeft = leavesStale(id);
  if (!(await put(`/inbox/${id}/desk`))) return;
  if (isLeft) refresh();
  const link = markRow(id);
  link?.focus({ preventScroll: true });
  link?.scrollIntoView({ block: "nearest" });
  history[push ? "pushState" : "replaceState"](null, "", `/inbox/${id}`);
  if (isPhone.matches) inbox.classList.replace("at-list", "at-desk");
};

const chooseSeveral = async (ids) => {
  const isLeft = leavesStale(null);
  if (!(await put(`/inbox/several/desk?ids=${ids}`))) return;
  if (isLeft) refresh();
  markRow(null);
  if (isPhone.matches) inbox.classList.replace("at-list", "at-desk");
  desk.querySelector("[data-yes]")?.focus({ preventScroll: true });
};

// --- the list, as it changes ---------------------------------------------------------------------------------

/** Whether the chosen row was answered meanwhile: it keeps its place until one moves on. */
const leavesStale = (next) => {
  const id = chosen();
  return id !== null && id !== next && rowOf(id)?.dataset.stale !== undefined;
};

const swap = (mine, theirs) => {
  const hadFocus = mine.contains(document.activeElement);
  const isCurrent = mine.querySelector("a[aria-current]") !== null;
  mine.className = theirs.className;
  for (const [name, value] of Object.entries(theirs.dataset)) mine.dataset[name] = value;
  mine.replaceChildren(...theirs.childNodes);
  if (isCurrent) mine.querySelector("a")?.setAttribute("aria-current", "true");
  if (hadFocus) mine.querySelector("a")?.focus({ preventScroll: true });
};

let running = null;
let isAsked = false;
/** Draw what has changed. One at a time: if more happens meanwhile, it is done once more. */
const refresh = () => {
  isAsked = true;
  running ??= (async () => {
    while (isAsked) {
      isAsked = false;
      await refreshList();
      await refreshDesk();
    }
  })().finally(() => {
    running = null;
  });
  return running;
};

const refreshList = async () => {
  const found = list ? await part(`/inbox/rows?q=${encodeURIComponent(search.value)}`) : null;
  if (found === null) return;
  const current = chosen();
  const fresh = new Map([...found.body.querySelectorAll("li[id]")].map((item) => [item.id, item]));
  for (const item of [...list.children]) {
    const isCurrent = item.dataset.id !== undefined && item.dataset.id === current;
    // The chosen one stays where it is, whatever became of it.
    if (isCurrent && fresh.get(item.id)?.dataset.mark !== item.dataset.mark) item.dataset.stale = "";
    else if (!fresh.has(item.id) && !isCurrent) item.remove();
  }
  let last = null;
  for (const [id, theirs] of fresh) {
    let item = document.getElementById(id);
    if (item === null) item = theirs;
    else if (item.dataset.mark !== theirs.dataset.mark) swap(item, theirs);
    if (item.dataset.stale !== undefined && item.dataset.id === current) continue;
    delete item.dataset.stale;
    const next = last === null ? list.firstElementChild : last.nextElementSibling;
    const isBehindStale = next?.dataset.stale !== undefined && next.nextElementSibling === item;
    if (next !== item && !isBehindStale) list.insertBefore(item, next);
    last = item;
  }
  for (const id of ticked) rowOf(id)?.classList.toggle("ticked", true);
  count();
};

const refreshDesk = async () => {
  const id = chosen();
  if (id !== null) {
    const article = desk.querySelector("[data-request]");
    // What became of an answer is known later, when the agent's host has been told.
    if (list && rowOf(id)?.dataset.mark === article.dataset.mark && isUnanswered()) return;
    const found = await part(`/inbox/${id}/desk`);
    if (found === null || chosen() !== id) return;
    const fresh = found.querySelector("[data-request]");
    if (fresh.dataset.mark === article.dataset.mark && article.innerHTML === fresh.innerHTML) return;
    if (fresh.dataset.mark === article.dataset.mark) {
      article.replaceWith(fresh); // the answer bar and what is typed there stay
    } else {
      desk.replaceChildren(...found.body.childNodes);
    }
    count();
  } else if (several() === null) {
    const first = list?.querySelector(".row.waiting")?.dataset.id;
    if (first === undefined) return;
    choseItself = performance.now();
    if (await put(`/inbox/${first}/desk`)) markRow(first);
  }
};

let mark = null;
onChange((said) => {
  if (said.mark === undefined) return;
  if (inbox === null) {
    if (said.waiting > 0) location.reload(); // the first call, while nothing waited
    return;
  }
  const isSame = mark === said.mark;
  mark = said.mark;
  if (!isSame || running || !isUnanswered()) refresh();
});

// --- time ------------------------------------------------------------------------------------------------------

if (inbox) setServerTime(Number(inbox.dataset.now));
const count = () => {
  const now = serverTime();
  for (const wait of document.querySelectorAll(".wait[data-until]")) {
    const left = Math.max(0, Math.round(Number(wait.dataset.until) - now));
    wait.querySelector(".left").textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    wait.classList.toggle("soon", left < 30);
    const whole = Number(wait.dataset.until) - Number(wait.dataset.at);
    const bar = wait.querySelector("progress");
    if (bar) bar.value = left / whole;
    if (wait.dataset.told !== undefined && (left === 60 || left === 15)) announce.textContent = `${left} seconds left`;
    if (left === 0) {
      wait.removeAttribute("data-until");
      setTimeout(refresh, 500);
    }
  }
};
setInterval(count, 1000);

// --- answers ---------------------------------------------------------------------------------------------------

const seenLongEnough = () => performance.now() - choseItself >= GUARD;
const panel = (name) => desk.querySelector(`.answer-panel[data-for="${name}"]`);
const show = (name) => {
  const form = panel(name);
  const opener = desk.querySelector(`[data-panel="${name}"]`);
  if (!form || opener?.disabled) return;
  for (const one of desk.querySelectorAll(".answer-panel")) one.hidden = one !== form;
  desk.querySelector(".answer-bar > .choices").hidden = true;
  form.querySelector("textarea, select").focus();
  if (name === "more") words(form);
};
const close = () => {
  const open = desk?.querySelector(".answer-panel:not([hidden])");
  if (!open) return false;
  open.hidden = true;
  desk.querySelector(".answer-bar > .choices").hidden = false;
  desk.querySelector(`[data-panel="${open.dataset.for}"]`).focus();
  return true;
};

const terms = (form) => Object.fromEntries(new FormData(form));
const words = async (form) => {
  const asked = new URLSearchParams(terms(form)).toString();
  const button = form.querySelector(".button.main");
  button.disabled = true; // nobody gives what they have not read
  const answer = await fetch(`${form.dataset.words}?${asked}`).catch(() => null);
  const said = answer?.ok ? await answer.json() : { error: "The words could not be fetched." };
  if (asked !== new URLSearchParams(terms(form)).toString()) return;
  button.disabled = said.text === undefined;
  const place = form.querySelector(".words");
  place.replaceChildren();
  for (const [at, text] of (said.text ?? said.error).split("`").entries()) {
    const node = document.createElement(at % 2 ? "code" : "span");
    node.textContent = text;
    place.append(node);
  }
  if (said.text) place.append(". A deny still holds. You can take it back under Grants.");
};

let isSending = false;
const answer = async (said) => {
  if (isSending || !seenLongEnough()) return;
  isSending = true;
  try {
    const many = several();
    if (many !== null) {
      const ids = [...desk.querySelectorAll(".ticks input:checked")].map((box) => box.value);
      if (ids.length > 0) tellSeveral(await post("/inbox/answers", { ...said, ids }));
    } else if (chosen() !== null) {
      tellOne(await post(`/inbox/${chosen()}/answer`, said));
    }
  } finally {
    isSending = false;
  }
};

const tellOne = (found) => {
  if (found === null) return;
  if (found.outcome === "refused") {
    const problem = desk.querySelector(".answer-panel:not([hidden]) .problem");
    if (problem) {
      problem.textContent = found.why;
      problem.hidden = false;
    } else toast(found.why);
    return;
  }
  if (found.outcome === "beaten") toast(found.by ? `${found.by} said ${found.status} first.` : "Nobody waits for this answer any more.");
  desk.querySelector(".answer-bar").hidden = true; // it is answered: what is typed now belongs to nothing
  rowOf(chosen())?.querySelector("a").focus({ preventScroll: true });
  if (found.grant) toast(`Allowed: ${found.grant.text.replaceAll("`", "")}.`, ["Take it back", () => takeBack(found.grant.id)]);
  refresh();
};

const tellSeveral = async (found) => {
  if (found === null) return;
  const outcomes = Object.values(found.answers);
  const beaten = outcomes.filter((one) => one.outcome === "beaten").length;
  const done = outcomes.filter((one) => one.outcome === "yes" || one.outcome === "no").length;
  toast(`${done} answered${beaten ? `; ${beaten} were answered by somebody else first` : ""}.`);
  ticked.clear();
  desk.replaceChildren();
  await refresh();
};

const takeBack = async (id) => {
  const found = await post(`/grants/${id}/revoke`, {});
  if (found === null) return;
  toast(found.revoked ? "The grant is taken back." : "The grant had ended already.");
  refresh();
};

const send = (form) => {
  if (form.querySelector(".button.main").disabled) return;
  if (form.dataset.for === "no") answer({ yes: false, note: form.querySelector("textarea").value });
  if (form.dataset.for === "edit") answer({ yes: true, edit: form.querySelector("textarea").value });
  if (form.dataset.for === "more") answer({ yes: true, more: terms(form) });
};

// --- what a person does ------------------------------------------------------------------------------------------

desk?.addEventListener("click", (event) => {
  const button = event.target.closest("button, a.back");
  if (!button) return;
  if (button.matches("a.back") && isPhone.matches && list) {
    event.preventDefault();
    back();
  } else if (button.dataset.yes !== undefined) answer({ yes: true });
  else if (button.dataset.panel) show(button.dataset.panel);
  else if (button.dataset.close !== undefined) close();
  else if (button.dataset.revoke) takeBack(button.dataset.revoke);
});
desk?.addEventListener("submit", (event) => {
  event.preventDefault();
  send(event.target);
});
desk?.addEventListener("change", (event) => {
  const form = event.target.closest('[data-for="more"]');
  if (form) words(form);
  const number = desk.querySelector(".ticked");
  if (number) number.textContent = String(desk.querySelectorAll(".ticks input:checked").length);
});
desk?.addEventListener("keydown", (event) => {
  const form = event.target.closest(".answer-panel");
  if (!form) return;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    send(form);
  } else if (event.key === "Escape") {
    event.stopPropagation();
    close();
  }
});

list?.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  if (link.dataset.several) chooseSeveral(link.dataset.several);
  else choose(link.closest(".row").dataset.id, { push: isPhone.matches });
});

search?.addEventListener("input", refresh);
search?.closest("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  search.blur();
  await refresh();
  const first = rows().find((row) => row.dataset.stale === undefined);
  if (first) choose(first.dataset.id);
});
search?.addEventListener("keydown", (event) => {
  if (event.key === "Escape") search.blur();
});

const back = () => {
  inbox.classList.replace("at-desk", "at-list");
  history.replaceState(null, "", "/inbox");
};
const move = (step) => {
  const every = rows();
  const at = every.findIndex((row) => row.dataset.id === chosen());
  const next = at === -1 ? every[step > 0 ? 0 : every.length - 1] : every[at + step];
  if (next) choose(next.dataset.id);
};
const tick = () => {
  const id = several() === null ? chosen() : null;
  if (id === null || !rowOf(id)?.classList.contains("waiting")) return;
  if (!ticked.delete(id)) ticked.add(id);
  rowOf(id).classList.toggle("ticked", ticked.has(id));
};

on("j", () => move(1));
on("k", () => move(-1));
on("y", () => {
  if (ticked.size > 0 && several() === null) chooseSeveral([...ticked].join(","));
  else if (desk?.querySelector("[data-yes]")) answer({ yes: true });
});
on("n", () => show("no"));
on("e", () => show("edit"));
on("a", () => show("more"));
on("x", tick);
on("/", () => search?.focus());
on("Enter", (event) => {
  const focus = document.activeElement;
  if (focus && focus !== document.body) focus.click();
  else if (chosen() !== null) choose(chosen());
  event.preventDefault();
});
on("Escape", () => {
  if (close()) return;
  if (ticked.size > 0) {
    for (const id of ticked) rowOf(id)?.classList.remove("ticked");
    ticked.clear();
  } else if (isPhone.matches && list) back();
});
addEventListener("popstate", () => location.reload());
count();
