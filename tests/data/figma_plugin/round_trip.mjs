// node round_trip.mjs DESIGN.json OUT: makes nodes of a design and writes them out again, as OUT/design.json with OUT/images.

import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, parse } from 'node:path';

import { loadPlugin } from './plugin.mjs';

const [design, out] = process.argv.slice(2);
const folder = join(dirname(design), 'images');
const files = existsSync(folder) ? readdirSync(folder) : [];
const pictures = files.map((file) => ({ name: parse(file).name, bytes: new Uint8Array(readFileSync(join(folder, file))) }));
const { figma, plugin } = loadPlugin();
const quiet = () => {};
const made = await plugin.importDesign(readFileSync(design, 'utf8'), pictures, quiet, () => false);
const written = await plugin.exportNodes(figma.currentPage.selection, quiet, () => false);
mkdirSync(join(out, 'images'), { recursive: true });
writeFileSync(join(out, 'design.json'), written.json);
for (const { name, bytes } of written.pictures) writeFileSync(join(out, 'images', name), bytes);
process.stdout.write(JSON.stringify({
  read: made.count, written: written.count, pictures: written.pictures.length, notes: [...made.notes, ...written.notes], undoSteps: figma.undoSteps,
}));
