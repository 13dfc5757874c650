// @ts-check
// A file that is dropped anywhere on the page goes into the field for files of *Open …*, where its map is chosen. A folder, or
// several files, become one archive where the field takes archives: it takes one file.
import { el } from "../dom.js";
import { stored } from "./zip.js";

/** @typedef {{types: string[], most_mb: number}} Taken  endings that the field takes, and how much */
/** @typedef {{name: string, file: File}} Found */

const BUTTON = ".st-key-pickers_open button";
const FIELD = '[role="dialog"] .st-key-pickers_upload_False input[type="file"]';
const TAB = '[role="dialog"] [role="tab"]';
const MB = 1_000_000;
/** Files of a folder that are taken; a disk dropped by mistake has more. */
const MOST = 20_000;
const TOLD_MS = 6000;
const WAIT_MS = 10_000;

/**
 * Take what is dropped on the page as long as the component stands in it.
 * @param {import("./component.js").Component<Taken>} component
 */
export function drop({ data }) {
  const sign = el("div", { class: "nv-drop", role: "status", hidden: true });
  document.body.append(sign);
  /** @param {string} text */
  const tell = (text) => {
    sign.hidden = !text;
    sign.textContent = text;
  };
  const ours = (/** @type {DragEvent} */ event) => {
    const field = event.target instanceof Element && event.target.closest('[data-testid="stFileUploaderDropzone"]');
    return !field && event.dataTransfer?.types.includes("Files") && document.querySelector(BUTTON);
  };
  const over = (/** @type {DragEvent} */ event) => {
    if (!ours(event)) return;
    event.preventDefault(); // or the browser would show the file in place of the page
    tell(data.types.includes("zip") ? "Drop a file or a folder to open it" : "Drop a file to open it");
  };
  const leave = (/** @type {DragEvent} */ event) => {
    if (!event.relatedTarget) tell("");
  };
  const take = async (/** @type {DragEvent} */ event) => {
    if (!ours(event) || !event.dataTransfer) return;
    event.preventDefault();
    tell("Reading …");
    const fault = await opened(event.dataTransfer, data).catch(String);
    tell(fault);
    if (fault) setTimeout(() => tell(""), TOLD_MS);
  };
  /** @type {[string, (event: any) => void][]} */
  const heard = [
    ["dragover", over],
    ["dragleave", leave],
    ["drop", take],
  ];
  for (const [name, handler] of heard) window.addEventListener(name, handler);
  return () => {
    for (const [name, handler] of heard) window.removeEventListener(name, handler);
    sign.remove();
  };
}

/** Put what was dropped into the field; returns why not, or nothing. @param {DataTransfer} dropped @param {Taken} taken */
async function opened(dropped, { types, most_mb }) {
  // at once: the browser takes the list away when the event has ended
  const entries = [...dropped.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  // what another program hands over may have no place on a disk
  /** @type {Found[]} */
  const found = entries.length ? [] : [...dropped.files].map((file) => ({ name: file.name, file }));
  for (const entry of entries) await gather(entry, "", found);
  if (!found.length) return "There is no file in it.";
  if (found.length > MOST) return `It holds more than ${MOST.toLocaleString("en")} files: open its path by Open ….`;
  const size = found.reduce((sum, { file }) => sum + file.size, 0);
  if (size > most_mb * MB) return `It is larger than ${most_mb} MB: open its path by Open ….`;
  let { file } = found[0];
  if (found.length > 1 || entries[0]?.isDirectory) {
    if (!types.includes("zip")) return "Drop one file, or open the path of the folder by Open ….";
    file = await stored(found, `${entries.length === 1 ? entries[0].name : "dropped"}.zip`);
  }
  if (!types.some((type) => file.name.toLowerCase().endsWith(`.${type}`))) {
    return `${file.name} is no file that opens here: ${types.join(", ")}.`;
  }
  return (await put(file)) ? "" : "Press Open … and choose the file there.";
}

/** Files of an entry with their paths in it. @param {FileSystemEntry} entry @param {string} above @param {Found[]} found */
async function gather(entry, above, found) {
  const name = above + entry.name;
  if (found.length > MOST) return;
  if (entry.isFile) {
    const one = /** @type {FileSystemFileEntry} */ (entry);
    found.push({ name, file: await new Promise((resolve, reject) => one.file(resolve, reject)) });
    return;
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  for (;;) {
    // a hundred at a time, and none at the end
    /** @type {FileSystemEntry[]} */
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return;
    for (const each of some) await gather(each, `${name}/`, found);
  }
}

/** Open the dialog, where it is not open, and hand the file to its field. @param {File} file */
async function put(file) {
  if (!document.querySelector(FIELD)) /** @type {HTMLElement | null} */ (document.querySelector(BUTTON))?.click();
  const field = await shown(() => document.querySelector(FIELD));
  if (!(field instanceof HTMLInputElement)) return false;
  for (const tab of document.querySelectorAll(TAB)) {
    if (tab instanceof HTMLElement && tab.textContent?.includes("Upload")) tab.click();
  }
  const files = new DataTransfer();
  files.items.add(file);
  field.files = files.files;
  field.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
}

/** What a page comes to hold; null where it does not in time. @param {() => Element | null} look @returns {Promise<Element | null>} */
function shown(look) {
  const last = performance.now() + WAIT_MS;
  return new Promise((resolve) => {
    const again = () => {
      const there = look();
      if (there || performance.now() > last) resolve(there);
      else requestAnimationFrame(again);
    };
    again();
  });
}
