import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { fileURLToPath } from 'node:url';

interface ProfileNode {
  id: number;
  callFrame: CallFrame;
  children?: number[];
}

interface CallFrame {
  functionName: string;
  url: string;
  lineNumber: number;
  columnNumber: number;
}

/** A library, a package or a part of Node.js, with its self time. */
interface ProfilePart {
  part: string;
  ms: number;
  functions: FunctionTime[];
}

interface FunctionTime {
  name: string;
  ms: number;
}

type FindPart = (frame: CallFrame) => string;

const IDLE = ['(idle)', '(root)'];
/** Functions of Node.js' streams that do little more than a system call. */
const SENDS = /^(writev|write(Utf8|Latin1|Ascii|Ucs2)String|writeBuffer)$/;
const OUTSIDE = 'V8 and Node.js outside of functions';

/**
 * Reads a `.cpuprofile` of `node --cpu-prof`: the self time on the main thread by part, the biggest
 * first, and the functions that take most of each. Bundles are read through the source maps beside
 * them.
 */
export function summarizeProfile(path: string): ProfilePart[] {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(path, 'utf8')) as {
    nodes: ProfileNode[];
    samples: number[];
    timeDeltas: number[];
  };
  const selfMs = new Map<number, number>();
  for (const [i, id] of samples.entries())
    selfMs.set(id, (selfMs.get(id) ?? 0) + (timeDeltas[i] ?? 0) / 1000);
  const parentOf = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node])));
  const findPart = createFindPart();
  const parts = new Map<string, Map<string, number>>();
  for (const node of nodes) {
    const ms = selfMs.get(node.id) ?? 0;
    if (ms === 0 || IDLE.includes(node.callFrame.functionName)) continue;
    const { part, name } = attribute(node.callFrame, parentOf.get(node.id)?.callFrame, findPart);
    const functions = parts.get(part) ?? new Map<string, number>();
    functions.set(name, (functions.get(name) ?? 0) + ms);
    parts.set(part, functions);
  }
  return [...parts]
    .map(([part, functions]) => ({ part, ms: sum([...functions.values()]), functions: biggest(functions) }))
    .sort((a, b) => b.ms - a.ms);
}

/** Prints a line for each part, with its share of the whole profile. */
export function printSummary(parts: readonly ProfilePart[], { functions = 4 } = {}): void {
  const all = sum(parts.map(({ ms }) => ms));
  for (const { part, ms, functions: inside } of parts.filter((each) => each.ms >= all / 200)) {
    const most = inside.slice(0, functions).map((each) => `${each.name} ${Math.round(each.ms)}`);
    console.log(`${((100 * ms) / all).toFixed(1).padStart(5)} %  ${part}  (${most.join(', ')} ms)`);
  }
  console.log(`${Math.round(all)} ms in all`);
}

function attribute(
  frame: CallFrame,
  caller: CallFrame | undefined,
  findPart: FindPart,
): { part: string; name: string } {
  const { functionName, url } = frame;
  if (functionName === '(garbage collector)') return { part: 'garbage collection', name: functionName };
  if (functionName === '(program)') return { part: OUTSIDE, name: functionName };
  if (SENDS.test(functionName)) return { part: 'system calls that send', name: functionName };
  if (url) return { part: findPart(frame), name: functionName || '(anonymous)' };
  // A function of the engine, such as JSON.parse, counts as its caller's time.
  return { part: caller?.url ? findPart(caller) : OUTSIDE, name: functionName };
}

function createFindPart(): FindPart {
  const maps = new Map<string, SourceMap | undefined>();
  const mapOf = (url: string) => {
    if (!maps.has(url)) maps.set(url, readMap(url));
    return maps.get(url);
  };
  return ({ url, lineNumber, columnNumber }) => {
    if (url.startsWith('node:')) return `Node.js: ${url.replace(/^node:(internal\/)?/, '').split('/')[0]}`;
    const entry = mapOf(url)?.findEntry(lineNumber, columnNumber);
    return partOf(entry && 'originalSource' in entry ? entry.originalSource : url);
  };
}

function readMap(url: string): SourceMap | undefined {
  if (!url.startsWith('file:')) return undefined;
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')) as SourceMapPayload);
  } catch {
    // Only our bundles have a source map beside them.
    return undefined;
  }
}

function partOf(source: string): string {
  const [, dependency] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? [];
  if (dependency) return dependency;
  const [, own] = /((?:libs|services)\/[^/]+)/.exec(source) ?? [];
  return own ?? source;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}

function biggest(functions: ReadonlyMap<string, number>): FunctionTime[] {
  return [...functions].map(([name, ms]) => ({ name, ms })).sort((a, b) => b.ms - a.ms);
}
