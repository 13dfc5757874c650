// @ts-check
// An archive of files as they are, uncompressed: it goes no further than to the server of this page.

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
/** Names are UTF-8. */
const UTF8 = 0x0800;
const VERSION = 20;

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let code = n;
  for (let k = 0; k < 8; k += 1) code = code & 1 ? 0xedb88320 ^ (code >>> 1) : code >>> 1;
  return code;
});

/** @param {Uint8Array} bytes */
export function crc32(bytes) {
  let code = 0xffffffff;
  for (const byte of bytes) code = TABLE[(code ^ byte) & 255] ^ (code >>> 8);
  return (code ^ 0xffffffff) >>> 0;
}

/** Numbers one behind the other, low byte first. @param {...[number, 2 | 4]} fields  value and bytes */
function packed(...fields) {
  const bytes = [];
  for (const [value, size] of fields) for (let k = 0; k < size; k += 1) bytes.push((value >>> (8 * k)) & 255);
  return Uint8Array.from(bytes);
}

/**
 * @param {{name: string, file: Blob}[]} files  with their paths in the archive
 * @param {string} name
 */
export async function stored(files, name) {
  /** @type {BlobPart[]} */
  const parts = [];
  /** @type {BlobPart[]} */
  const list = [];
  let at = 0;
  let listed = 0;
  for (const { name: path, file } of files) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const text = new TextEncoder().encode(path);
    const size = bytes.length;
    /** @type {[number, 2 | 4][]} */
    const about = [
      [VERSION, 2],
      [UTF8, 2],
      ...[0, 0, 0].map((zero) => /** @type {[number, 2]} */ ([zero, 2])), // not compressed, no date
      [crc32(bytes), 4],
      [size, 4],
      [size, 4],
      [text.length, 2],
      [0, 2],
    ];
    parts.push(packed([LOCAL, 4], ...about), text, bytes);
    list.push(packed([CENTRAL, 4], [VERSION, 2], ...about, [0, 2], [0, 2], [0, 2], [0, 4], [at, 4]), text);
    at += 30 + text.length + size;
    listed += 46 + text.length;
  }
  const count = files.length;
  const end = packed([END, 4], [0, 4], [count, 2], [count, 2], [listed, 4], [at, 4], [0, 2]);
  return new File([...parts, ...list, end], name, { type: "application/zip" });
}
