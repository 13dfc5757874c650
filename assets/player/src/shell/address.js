// @ts-check
// The step in the page's address: read at the start, written as one steps, never with a word to the server.

/** @typedef {import("../document").ReplayDocument} ReplayDocument */

/** Browsers refuse more than about 100 changes of the address in 30 seconds. */
const OFTEN_MS = 250;
const LATER_MS = 120;

/** What the address says beside the step. */
function addressed() {
  const query = new URLSearchParams(location.search);
  return [location.pathname, query.get("run"), query.get("episode")].join(" ");
}

/** The step where the likely cause began, else the one where the walk left its way. @param {ReplayDocument} doc */
function begunAt(doc) {
  const { causes, divergence } = doc;
  return (causes?.leading === undefined ? undefined : causes.all[causes.leading].step) ?? divergence?.step;
}

export class Address {
  /** @param {import("../player.js").Player} player */
  constructor(player) {
    this.player = player;
    this.place = addressed();
    this.written = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.waiting = undefined;
  }

  get on() {
    return this.player.options.deepLink !== false;
  }

  /** Where to start: at the end of a run that is still going, to follow it; else at the step that the address names,
   *  else the one the page asks for, else at the cause where the page asks for that, else where two walks part, else at the first. */
  start() {
    const { doc, count } = this.player;
    if (doc.running) return count;
    const named = this.named();
    return Math.min(named ?? (this.atCause ? begunAt(doc) : undefined) ?? doc.compare?.parting ?? 1, count);
  }

  /** The step that the address names, else the one the page asks for. */
  named() {
    const wanted = (this.on ? this.writtenStep() : null) ?? this.player.options.step ?? "";
    return /^\d+$/.test(String(wanted)) ? Number(wanted) : undefined;
  }

  /** Whether the player starts at what made the walk fail. */
  get atCause() {
    const { doc, options } = this.player;
    return options.start === "cause" && !doc.running && this.named() === undefined && begunAt(doc) !== undefined;
  }

  writtenStep() {
    return new URLSearchParams(location.search).get("step");
  }

  /** Write the step, but not more often than browsers allow. */
  remember() {
    if (!this.on) return;
    clearTimeout(this.waiting);
    if (performance.now() - this.written > OFTEN_MS) this.write();
    else this.waiting = setTimeout(() => this.write(), LATER_MS);
  }

  write() {
    this.written = performance.now();
    if (this.place !== addressed()) return; // the page went on to another episode
    const url = new URL(location.href);
    url.searchParams.set("step", String(this.player.step));
    try {
      history.replaceState(history.state, "", url);
    } catch {
      // a frame without an address of its own (a notebook), or a browser that has had enough
    }
  }

  /** Streamlit writes the address anew when a script sets a parameter, with the step that it knows: put ours back. */
  keep() {
    if (this.written && this.writtenStep() !== String(this.player.step)) this.remember();
  }

  forget() {
    clearTimeout(this.waiting);
  }
}
