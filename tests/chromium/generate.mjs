// Makes tests/data/chromium/*.json. See README.md.
//
//     node tests/chromium/generate.mjs [layout] [text] [bidi]

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const target = path.join(here, "..", "data", "chromium");
const chromium = process.env.CHROMIUM ?? "chromium";

/** What the page wrote into its `#result`. */
function resultOf(page) {
  const profile = mkdtempSync(path.join(tmpdir(), "chromium-"));
  const options = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--allow-file-access-from-files",
    "--force-device-scale-factor=1",
    "--font-render-hinting=none",
    "--virtual-time-budget=60000",
    `--user-data-dir=${profile}`,
    "--dump-dom",
    pathToFileURL(path.join(here, page)).href,
  ];
  try {
    const stdio = ["ignore", "pipe", "ignore"];
    const html = execFileSync(chromium, options, { encoding: "utf8", maxBuffer: 1 << 28, stdio });
    const result = /<script type="application\/json" id="result">(.*?)<\/script>/s.exec(html)?.[1];
    if (!result) throw new Error(`${page} wrote no result`);
    return JSON.parse(result);
  } finally {
    rmSync(profile, { recursive: true, force: true });
  }
}

/** One record a line, so that a change shows where it is. */
function write(name) {
  const { records, error, ...notes } = resultOf(`${name}.html`);
  if (error) throw new Error(error);
  const lines = records.map((record) => JSON.stringify(record));
  const file = path.join(target, `${name}.json`);
  writeFileSync(file, `[\n${lines.join(",\n")}\n]\n`);
  console.log(`${file}: ${records.length} records`, notes);
}

mkdirSync(target, { recursive: true });
const named = process.argv.slice(2);
for (const name of named.length > 0 ? named : ["layout", "text", "bidi"]) write(name);
