// Bundles the player into assets/player.js and .css, published sites into assets/site.js and .css, and the notebook's widget
// into assets/notebook.js, which are committed: users need no Node.
//
//   npm run build                  write them
//   npm run build -- --out DIR     write them elsewhere (the test that holds them fresh compares)
// @ts-check
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const wanted = process.argv.indexOf("--out");
const out = wanted > 0 ? process.argv[wanted + 1] : dirname(home);
const banner = "/* Built from assets/player/src by `npm run build`; do not edit. */";

/** @type {import("esbuild").BuildOptions} */
const shared = {
  outdir: out,
  bundle: true,
  target: "es2022",
  charset: "utf8",
  minify: true,
  lineLimit: 160,
  legalComments: "none",
  banner: { js: banner, css: banner },
  logLevel: "warning",
};

await build({
  ...shared,
  entryPoints: [
    { in: join(home, "src/index.js"), out: "player" },
    { in: join(home, "src/site/index.js"), out: "site" },
  ],
  format: "iife",
});
// anywidget imports its module
await build({ ...shared, entryPoints: [{ in: join(home, "src/notebook.js"), out: "notebook" }], format: "esm" });
