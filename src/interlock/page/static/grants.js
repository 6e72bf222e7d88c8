// The list of grants: taking one back.

import { post, toast } from "./page.js";

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-revoke]");
  if (!button) return;
  const found = await post(`/grants/${button.dataset.revoke}/revoke`, {});
  if (found === null) return;
  toast(found.revoked ? "The grant is taken back." : "The grant had ended already.");
  button.replaceWith("taken back");
});
