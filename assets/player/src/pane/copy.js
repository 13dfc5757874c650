// @ts-check

/** How long a button says that it has copied, in milliseconds. */
const SAID_MS = 1200;

/**
 * Put a text on the clipboard; a frame that may not use it falls back on the old command.
 * @param {string} text
 * @param {HTMLElement} button  says so
 */
export async function copyText(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    field.className = "nv-off-screen";
    button.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  button.dataset.done = "true";
  setTimeout(() => delete button.dataset.done, SAID_MS);
}
