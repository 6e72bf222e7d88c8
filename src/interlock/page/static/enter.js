// Sign in: send the secret behind the `#` once, and take it out of the address before anything else happens.

const secret = location.hash.slice(1);
history.replaceState(null, "", "/enter");

const state = document.getElementById("state");
const todo = document.getElementById("todo");
const proof = document.getElementById("proof");

const say = (what, then) => {
  state.textContent = what;
  todo.textContent = then;
};

const enter = async (passphrase) => {
  const answer = await fetch("/enter", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ secret, passphrase }),
  });
  const said = await answer.json();
  if (answer.ok) {
    localStorage.setItem("interlock-key", said.key);
    location.replace(said.to);
    return;
  }
  say(said.error, said.help);
};

if (secret === "") {
  say("This page needs a link.", "Type `interlock open` in a terminal, and open the link that it prints.");
} else if (proof) {
  say("Your passphrase", "You have set one with `interlock open --set-passphrase`.");
  proof.hidden = false;
  document.getElementById("passphrase").focus();
  proof.addEventListener("submit", (event) => {
    event.preventDefault();
    enter(document.getElementById("passphrase").value);
  });
} else {
  enter("");
}
