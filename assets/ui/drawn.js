const drawn = new WeakMap();
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
// of a drawing one part is a stop of Tab, and arrows go on from it: a map may have hundreds
const rove = (box, to) => {
  for (const part of box.querySelectorAll("g[data-value]")) {
    part.setAttribute("role", "link");
    part.setAttribute("tabindex", part === to ? "0" : "-1");
  }
};
export default function ({ data, parentElement, setTriggerValue }) {
  const box = parentElement.querySelector(".nv-drawn");
  if (drawn.get(parentElement) !== data.html) {
    // what was pressed by a key is drawn anew as pressed, and keeps the focus
    const before = box.getRootNode().activeElement?.closest("[data-value]")?.dataset.value;
    box.innerHTML = data.html;
    drawn.set(parentElement, data.html);
    rove(box, box.querySelector("g[data-value]"));
    const list = box.querySelector(".scrolls");
    const open = list?.querySelector('[aria-pressed="true"]');
    if (open) list.scrollTop = open.offsetTop - (list.clientHeight - open.offsetHeight) / 2;
    if (before !== undefined) {
      const parts = [...box.querySelectorAll("[data-value]")];
      parts.find((part) => part.dataset.value === before)?.focus({ preventScroll: true });
    }
  }
  const tell = (event) => {
    const chosen = event.target.closest("[data-value]");
    if (chosen) setTriggerValue("chosen", chosen.dataset.value);
  };
  box.onclick = tell;
  box.onkeydown = (event) => {
    const part = event.target.closest("g[data-value]");
    if (part && event.key in STEPS) {
      const parts = [...box.querySelectorAll("g[data-value]")];
      const next = parts.at((parts.indexOf(part) + STEPS[event.key]) % parts.length);
      rove(box, next);
      next.focus();
      event.preventDefault();
      event.stopPropagation();
    }
    if (!["Enter", " "].includes(event.key) || event.target.tagName === "BUTTON") return;
    event.preventDefault();
    tell(event);
  };
}
