// @ts-check
// What the page gets: the player, the Streamlit components made of it, and the sign that they are there.
import "./css/index.css";
import { Player } from "./player.js";
import { Talk } from "./shell/talk.js";
import * as streamlit from "./streamlit.js";

globalThis.NavVizPlayer = Player;
globalThis.NavVizTalk = Talk;
globalThis.NavVizStreamlit = streamlit;
window.dispatchEvent(new Event("navviz-code"));
