// What happens meanwhile. One tab listens to the server for all tabs of this browser: a browser keeps few connections
// to one server, and a stream in every tab would use them up.

const listeners = new Set();
const channel = new BroadcastChannel("interlock-live");
const away = document.getElementById("away");
let offset = 0; // of the server's clock to this one's, in seconds

/** Call `action` with what the server says whenever its record has changed. */
export const onChange = (action) => listeners.add(action);

/** The server's time, in seconds. */
export const serverTime = () => Date.now() / 1000 + offset;
export const setServerTime = (now) => {
  offset = now - Date.now() / 1000;
};

/** Say that this tab cannot go on; `null`: it can again. */
export const setAway = (text) => {
  away.hidden = text === null;
  away.textContent = text ?? "";
};
const SIGNED_OUT = "This browser is no longer signed in. Type `interlock open` in a terminal, and open the link that it prints.";
const NOT_RUNNING = "The page has stopped. Type `interlock open` in a terminal, and open the link that it prints.";

const hear = (said) => {
  if (said.away !== undefined) {
    setAway(said.away);
    return;
  }
  setServerTime(said.now);
  for (const action of listeners) action(said);
};
const tell = (said) => {
  channel.postMessage(said);
  hear(said);
};
channel.addEventListener("message", (event) => hear(event.data));

const listen = () => {
  let failures = 0;
  const stream = new EventSource("/events");
  stream.addEventListener("open", () => {
    if (failures > 0) tell({ away: null });
    failures = 0;
  });
  stream.addEventListener("change", (event) => tell(JSON.parse(event.data)));
  stream.addEventListener("over", () => {
    stream.close();
    tell({ away: SIGNED_OUT });
  });
  stream.addEventListener("error", async () => {
    failures += 1;
    if (stream.readyState === EventSource.CLOSED) {
      const answer = await fetch("/alive").catch(() => null);
      if (answer?.status === 401) tell({ away: SIGNED_OUT });
      else setTimeout(listen, 3000);
    } else if (failures > 1) {
      tell({ away: NOT_RUNNING });
    }
  });
};

/** Whether this is the tab that listens, which is also the one that notifies. */
export let isListening = false;
const begin = () => {
  isListening = true;
  listen();
};
if (navigator.locks) navigator.locks.request("interlock-live", () => new Promise(begin));
else begin();

/** Change something. Gives what the server answers, or null if it refused; why is shown. */
export const post = async (path, said) => {
  const headers = { "Content-Type": "application/json", "Interlock-Key": localStorage.getItem("interlock-key") ?? "" };
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(said) }).catch(() => null);
  if (answer === null) {
    setAway(NOT_RUNNING);
    return null;
  }
  const found = await answer.json();
  if (answer.ok) return found;
  if (answer.status === 401 || answer.status === 403) setAway(`${found.error} ${found.help}`);
  else document.dispatchEvent(new CustomEvent("interlock-problem", { detail: `${found.error} ${found.help}` }));
  return null;
};
