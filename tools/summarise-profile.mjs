// Whose time a profile of `node --cpu-prof` shows: self time on the main thread, by library, package or part of Node.js.
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** What isn't work. */
const IDLE = ['(idle)', '(root)'];
/** Functions of Node.js' streams that are little but a system call. */
const SENDS = /^(writev|write(Utf8|Latin1|Ascii|Ucs2)String|writeBuffer)$/;

/**
 * Parts with their milliseconds of self time, the biggest first, and the functions that take most of each. Bundles are read
 * through the source maps beside them.
 * @param {string} path of a `.cpuprofile`
 * @returns {{ part: string, ms: number, functions: { name: string, ms: number }[] }[]}
 */
export function summariseProfile(path) {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(path, 'utf8'));
  const selfMs = new Map(nodes.map(({ id }) => [id, 0]));
  samples.forEach((id, i) => selfMs.set(id, selfMs.get(id) + timeDeltas[i] / 1000));
  const parentOf = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node])));
  const placeOf = createPlaceOf();
  const parts = new Map();
  for (const node of nodes) {
    const { functionName } = node.callFrame;
    const ms = selfMs.get(node.id);
    if (ms === 0 || IDLE.includes(functionName)) continue;
    const { part, name } = placeFrom(node, parentOf, placeOf);
    const functions = parts.get(part) ?? new Map();
    functions.set(name, (functions.get(name) ?? 0) + ms);
    parts.set(part, functions);
  }
  return [...parts]
    .map(([part, functions]) => ({ part, ms: sum([...functions.values()]), functions: biggest(functions) }))
    .sort((a, b) => b.ms - a.ms);
}

/** The table as text: a line a part, with its share of all that is in the profile. */
export function printSummary(parts, { functions = 4 } = {}) {
  const all = sum(parts.map(({ ms }) => ms));
  for (const { part, ms, functions: inside } of parts.filter((each) => each.ms >= all / 200)) {
    const most = inside.slice(0, functions).map((each) => `${each.name} ${Math.round(each.ms)}`);
    console.log(`${((100 * ms) / all).toFixed(1).padStart(5)} %  ${part}  (${most.join(', ')} ms)`);
  }
  console.log(`${Math.round(all)} ms in all`);
}

function placeFrom(node, parentOf, placeOf) {
  const { functionName, url } = node.callFrame;
  if (functionName === '(garbage collector)') return { part: 'garbage collection', name: functionName };
  if (functionName === '(program)')
    return { part: 'V8 and Node.js outside of functions', name: functionName };
  if (SENDS.test(functionName)) return { part: 'system calls that send', name: functionName };
  if (url) return { part: placeOf(node.callFrame), name: functionName || '(anonymous)' };
  // A function of the engine's own, such as JSON.parse: its caller's time.
  const caller = parentOf.get(node);
  return caller?.callFrame.url
    ? { part: placeOf(caller.callFrame), name: functionName }
    : { part: 'V8 and Node.js outside of functions', name: functionName };
}

function createPlaceOf() {
  const maps = new Map();
  const mapOf = (url) => {
    if (!maps.has(url)) maps.set(url, readMap(url));
    return maps.get(url);
  };
  return ({ url, lineNumber, columnNumber }) => {
    if (url.startsWith('node:')) return `Node.js: ${url.replace(/^node:(internal\/)?/, '').split('/')[0]}`;
    const source = mapOf(url)?.findEntry(lineNumber, columnNumber).originalSource ?? url;
    return partOf(source);
  };
}

function readMap(url) {
  if (!url.startsWith('file:')) return undefined;
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')));
  } catch {
    // A file that isn't a bundle of ours.
    return undefined;
  }
}

function partOf(source) {
  const [, dependency] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? [];
  if (dependency) return dependency;
  const [, own] = /((?:libs|services)\/[^/]+)/.exec(source) ?? [];
  return own ?? source;
}

const sum = (numbers) => numbers.reduce((all, each) => all + each, 0);

function biggest(functions) {
  return [...functions].map(([name, ms]) => ({ name, ms })).sort((a, b) => b.ms - a.ms);
}
