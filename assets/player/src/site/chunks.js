// @ts-check
// Data and scripts of the site: classic scripts, since a page from a disk may neither fetch nor import. A chunk is a list of
// texts, each base64 of gzipped JSON, and is loaded once.

import { unpack } from "../text/strings.js";

/** @type {Map<string, string[]>} */
const arrived = new Map();
/** @type {Map<string, Promise<void>>} */
const scripts = new Map();

globalThis.navviz_chunk = (name, parts) => {
  arrived.set(name, parts);
};

/** Run a script of the site, once. @param {string} src @returns {Promise<void>} */
export function script(src) {
  const running =
    scripts.get(src) ??
    new Promise((resolve, reject) => {
      const node = document.createElement("script");
      node.src = src;
      node.addEventListener("load", () => resolve());
      node.addEventListener("error", () => {
        scripts.delete(src); // a host may answer the next time
        reject(new Error(`${src} cannot be read: the site is not whole, or the connection is gone.`));
      });
      document.head.append(node);
    });
  scripts.set(src, running);
  return running;
}

/** Load a style sheet of the site, once. @param {string} href */
export function styles(href) {
  if (document.querySelector(`link[href="${CSS.escape(href)}"]`)) return;
  const node = document.createElement("link");
  node.rel = "stylesheet";
  node.href = href;
  // first, so that the site's own rules stay the last
  document.head.prepend(node);
}

/** The packed parts of a chunk. @param {string} name @returns {Promise<string[]>} */
export async function chunk(name) {
  if (!arrived.has(name)) await script(`data/${name}.js`);
  return arrived.get(name) ?? [];
}

/** A chunk's only part, unpacked. @param {string} name */
export async function whole(name) {
  const [part] = await chunk(name);
  return unpack(part);
}
