// @ts-check

/** The packs of the table that was unpacked last: while a walk goes on, most of them come again.
 *  @type {Map<string, Promise<string[]>>} */
let known = new Map();

/**
 * Unpack the document's table of texts; long tables are gzipped.
 * @param {import("../document").ReplayDocument["strings"]} strings
 * @returns {Promise<string[]>}
 */
export async function unpackStrings(strings) {
  if (Array.isArray(strings)) return strings;
  const packs = [strings.gzip, ...(strings.more ?? [])];
  const before = known;
  const now = new Map(packs.map((pack) => [pack, before.get(pack) ?? unpack(pack)]));
  known = now;
  return (await Promise.all(packs.map((pack) => now.get(pack) ?? []))).flat();
}

/** @param {string} pack  base64 of gzipped JSON @returns {Promise<any>} */
export async function unpack(pack) {
  const bytes = Uint8Array.from(atob(pack), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}
