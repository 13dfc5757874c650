// @ts-check
// What a page says while its server does not answer: one line in its head. Streamlit's dialog would take the keys and grey the
// page, though all that the browser holds goes on working; it is closed as it opens, and connects again by itself.
import { el } from "../dom.js";

const APP = '[data-testid="stApp"]';
const STATE = "data-test-connection-state";
/** A server that answers again within this time was away for nobody. */
const PATIENCE_MS = 1500;
/** By what Streamlit's own file calls its dialog; it has no other mark. */
const TITLE = "Connection error";

const AWAY = "The server does not answer. What is on this page goes on working; the page comes back by itself.";
const GONE = "The connection is lost. What is on this page goes on working; reload it to go on.";

let watches = false;

/** Watch the connection of the page, once for the page's life. */
export function watchConnection() {
  const app = document.querySelector(APP);
  if (watches || !app) return;
  watches = true;
  const line = el("div", { class: "nv-away", role: "status", hidden: true });
  document.body.append(line);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pause;
  const look = () => {
    const state = app.getAttribute(STATE);
    clearTimeout(pause);
    if (state === "CONNECTED") line.hidden = true;
    else
      pause = setTimeout(() => {
        line.hidden = false;
        line.textContent = state === "DISCONNECTED_FOREVER" ? GONE : AWAY;
      }, PATIENCE_MS);
  };
  new MutationObserver(look).observe(app, { attributeFilter: [STATE] });
  // a dialog is put at the end of the document's body
  new MutationObserver(() => {
    if (app.getAttribute(STATE) === "CONNECTED") return;
    for (const dialog of document.querySelectorAll('body > * [role="dialog"]')) {
      if (dialog.querySelector("h2")?.textContent !== TITLE) continue;
      /** @type {HTMLElement | null} */ (dialog.querySelector("button"))?.click();
    }
  }).observe(document.body, { childList: true });
}
