// @ts-check
// What the site shows stands behind the address's #, as in a query: a page from a disk may change nothing else of it, and
// any host takes it, below any path.

/** @typedef {Record<string, string | number | string[] | undefined>} Place  a list stands as several of one name */

/** @returns {URLSearchParams} */
export function place() {
  return new URLSearchParams(location.hash.replace(/^#\??/, ""));
}

/** A link within the site. @param {Place} wanted */
export function linkTo(wanted) {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(wanted)) {
    if (Array.isArray(value)) for (const each of value) params.append(name, each);
    else if (value !== undefined && value !== "") params.set(name, String(value));
  }
  return `#${params}`;
}

/** Where the site will lie; empty where nobody has said it. */
let published = "";

/** @param {string} url */
export function liesAt(url) {
  published = url.replace(/#.*$/, "");
}

/** The whole address of a link, for people to copy. @param {string} link */
export function whole(link) {
  // an author looks at the site on a disk before it is online: nobody else could open that address
  const isDisk = location.protocol === "file:";
  return (isDisk && published ? published : location.href.replace(/#.*$/, "")) + link;
}

/** Go there. @param {string} link */
export function go(link) {
  if (location.hash !== link) location.hash = link;
}

/** Say where one is without going anywhere. @param {string} link */
export function note(link) {
  try {
    history.replaceState(null, "", link);
  } catch {
    // a browser that has had enough changes of the address: the next one tells it
  }
}
