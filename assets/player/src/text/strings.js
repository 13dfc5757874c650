// @ts-check

/**
 * Unpack the document's table of texts; long tables are gzipped.
 * @param {import("../document").ReplayDocument["strings"]} strings
 * @returns {Promise<string[]>}
 */
export async function unpackStrings(strings) {
  if (Array.isArray(strings)) return strings;
  const bytes = Uint8Array.from(atob(strings.gzip), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}
