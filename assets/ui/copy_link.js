const copy = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    /* no right, or no secure context */
  }
  const box = Object.assign(document.createElement("textarea"), { value: text });
  box.style.position = "fixed";
  document.body.append(box);
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  return done;
};
export default function ({ parentElement, data }) {
  const button = parentElement.querySelector("button");
  const label = button.querySelector("span");
  button.onclick = async () => {
    const link = new URL(location.href);
    for (const [name, value] of Object.entries(data ?? {})) {
      if (!link.searchParams.has(name)) link.searchParams.set(name, value);
    }
    label.textContent = (await copy(link.href)) ? "Copied" : "Press Ctrl+L, Ctrl+C";
    setTimeout(() => {
      label.textContent = "Copy link";
    }, 1600);
  };
}
