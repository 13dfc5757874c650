// @ts-check
// Streamlit's own keys do nothing while a field has the focus, and it takes a switch, into which nobody types, for one.

let passes = false;

/** Pass a letter that is pressed on a switch on to the page, once for the page's life. */
export function passKeysOn() {
  if (passes) return;
  passes = true;
  window.addEventListener("keydown", (event) => {
    const { target, key } = event;
    const isSwitch = target instanceof HTMLInputElement && target.type === "checkbox";
    if (!isSwitch || !/^[a-z]$/i.test(key) || event.ctrlKey || event.metaKey || event.altKey) return;
    // a player takes its keys from a switch by itself
    if (event.defaultPrevented || document.querySelector(".navviz-player")) return;
    document.body.dispatchEvent(new KeyboardEvent("keydown", event));
  });
}
