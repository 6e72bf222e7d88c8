// One record: its neighbours by keys, and its trace when somebody wants it.

import { on } from "./page.js";

on("j", () => document.getElementById("newer")?.click());
on("k", () => document.getElementById("older")?.click());

const trace = document.getElementById("trace");
trace?.addEventListener("toggle", async () => {
  if (!trace.open || trace.dataset.done) return;
  trace.dataset.done = "1";
  const answer = await fetch(trace.dataset.address).catch(() => null);
  trace.querySelector(".inside").innerHTML = answer?.ok ? await answer.text() : "The call cannot be judged again.";
});
if (location.hash.startsWith("#record-")) document.querySelector(location.hash)?.setAttribute("open", "");
