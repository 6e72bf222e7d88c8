// Buttons that copy: what they copy is in `data-copy`.

import { toast } from "./page.js";

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-copy]");
  if (!button) return;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    toast("Copied.");
  } catch {
    toast("The browser does not allow copying here. Select the text instead.");
  }
});
