// @ts-check
// All that a page shows by Streamlit's components: `navviz/ui/components/browser.py` names them.
export { desk, post, shelf } from "./streamlit/desk.js";
export { drop } from "./streamlit/drop.js";
export { list, rows, thumbs } from "./streamlit/list.js";
export { cookie, guide, pick } from "./streamlit/page.js";
export { episodes, player } from "./streamlit/player.js";
