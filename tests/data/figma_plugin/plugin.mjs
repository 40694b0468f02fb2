// Loads the plugin as Figma does: its script alone, beside a mock of the API.

import { readFileSync } from 'node:fs';
import { Script, createContext } from 'node:vm';

import { createFigma } from './mock.mjs';

const CODE = new URL('../../../assets/figma-plugin/code.js', import.meta.url);
const script = new Script(readFileSync(CODE, 'utf8'), { filename: 'code.js' });

/** The plugin's functions and its `figma`. */
export function loadPlugin(options) {
  const figma = createFigma(options);
  const context = createContext({ figma, __html__: '', setTimeout, Uint8Array, Error, Object, Array, JSON, Math, console });
  script.runInContext(context);
  return { figma, plugin: context };
}
