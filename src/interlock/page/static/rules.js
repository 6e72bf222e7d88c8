// Rules: try a call without leaving the page, and filter as soon as something is chosen.

import "./copy.js";
import { on } from "./page.js";

const form = document.getElementById("try");
if (form) {
  const call = document.getElementById("try-call");
  const result = document.getElementById("tried");
  let latest = 0;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const mine = ++latest;
    const answer = await fetch("/rules/try", {
      method: "POST",
      headers: { "Content-Type": "application/json", "Interlock-Key": localStorage.getItem("interlock-key") ?? "" },
      body: JSON.stringify(Object.fromEntries(new FormData(form))),
    }).catch(() => null);
    if (mine !== latest) return;
    if (answer && answer.ok) {
      // The server's own template, in which everything that was typed is escaped.
      result.innerHTML = await answer.text();
    } else {
      result.textContent = answer ? `This could not be judged: ${await answer.text()}` : "The page does not answer.";
    }
  });
  // Enter judges; a line of its own needs Shift.
  call.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  on("t", () => call.focus());
}

const search = document.getElementById("search");
if (search) {
  on("/", () => search.focus());
  for (const choice of document.querySelectorAll(".filters select")) {
    choice.addEventListener("change", () => choice.form.requestSubmit());
  }
}
