// @ts-check
// An archive that the page makes of a dropped folder.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { crc32, stored } from "../src/streamlit/zip.js";

test("the checksum is that of zip", () => {
  assert.equal(crc32(new TextEncoder().encode("123456789")), 0xcbf43926);
});

test("another program reads the archive", async () => {
  const folder = mkdtempSync(join(tmpdir(), "navviz-zip-"));
  try {
    const files = [
      { name: "run/a.json", file: new Blob(["[1, 2]"]) },
      { name: "run/ü ñ/b.txt", file: new Blob([new Uint8Array(70_000).fill(65)]) },
      { name: "run/empty", file: new Blob([]) },
    ];
    const made = await stored(files, "run.zip");
    assert.equal(made.name, "run.zip");
    const path = join(folder, "run.zip");
    writeFileSync(path, new Uint8Array(await made.arrayBuffer()));
    const script =
      "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip(), [(i.filename, i.file_size) for i in z.infolist()])";
    const said = execFileSync("python3", ["-c", script, path], { encoding: "utf8" });
    assert.equal(said.trim(), "None [('run/a.json', 6), ('run/ü ñ/b.txt', 70000), ('run/empty', 0)]");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
