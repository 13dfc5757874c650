// @ts-check
// All that a page shows by Streamlit's components: `navviz/ui/components/browser.py` names them.
import { lasting } from "./streamlit/component.js";
import { watchConnection } from "./streamlit/connection.js";
import { desk, post, shelf } from "./streamlit/desk.js";
import { draft } from "./streamlit/drafts.js";
import { drop } from "./streamlit/drop.js";
import { list, rows, thumbs } from "./streamlit/list.js";
import { cookie, guide, invitation, pick } from "./streamlit/page.js";
import { episodes, player } from "./streamlit/player.js";
import { passKeysOn } from "./streamlit/switch-keys.js";

/** @type {Record<string, (component: import("./streamlit/component.js").Component<any>) => unknown>} */
const parts = { cookie, desk, draft, drop, episodes, guide, invitation, list, pick, player, post, rows, shelf, thumbs };

/** Show a part. @param {string} name @param {import("./streamlit/component.js").Component<any>} component */
export const mount = (name, component) => {
  watchConnection();
  passKeysOn();
  return lasting(parts[name], component);
};
