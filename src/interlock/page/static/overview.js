// Overview: choose a project, and look again whether it is guarded.

import "./copy.js";

const section = document.getElementById("guarded");

const refresh = async (method) => {
  const address = method === "POST" ? "/overview/look" : "/overview/guarded";
  const headers = { "Content-Type": "application/json", "Interlock-Key": localStorage.getItem("interlock-key") ?? "" };
  const options = method === "POST" ? { method, headers, body: "{}" } : {};
  const answer = await fetch(address, options).catch(() => null);
  if (!answer || !answer.ok) return;
  const focused = document.activeElement?.id === "look";
  section.innerHTML = await answer.text();
  if (focused) document.getElementById("look")?.focus();
  if (document.getElementById("looking")) setTimeout(refresh, 700, "GET");
};

section.addEventListener("click", (event) => {
  if (event.target.closest("#look")) refresh("POST");
});
if (document.getElementById("looking")) setTimeout(refresh, 700, "GET");

for (const choice of document.querySelectorAll("select.goes")) {
  choice.addEventListener("change", () => location.assign(choice.value));
}
