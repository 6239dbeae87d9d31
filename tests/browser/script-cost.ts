import type { Page } from 'playwright-core';

/** What Chromium writes into a trace, in the parts that are read here. Times in microseconds. */
interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  /** Of the thread's own time: what other processes take of the processor isn't in it. */
  tdur?: number;
  args?: { data?: { url?: string; frame?: string } };
}

/** What a trace has to record so that it can be read here. */
const TRACED = ['devtools.timeline', 'disabled-by-default-v8.compile', 'v8', 'toplevel'];

/** Milliseconds of the page's main thread. */
export interface ScriptCost {
  /** Compiling and running the script itself. */
  evaluating: number;
  /** Everything that it does later: its callbacks, and what follows its requests. */
  later: number;
  /** The longest of these at a stretch. */
  longest: number;
}

/**
 * Reads out of a trace what the scripts under `prefix` cost. Only they are counted, and only by the time of the thread, so that a
 * busy machine changes little. Microtasks carry no address: on a page with scripts of its own they would be counted, too.
 */
function scriptCost(trace: string, prefix: string): ScriptCost {
  const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] };
  const isOurs = ({ args }: TraceEvent) => args?.data?.url?.startsWith(prefix);
  const own = traceEvents.filter(
    (event) =>
      event.ph === 'X' &&
      ((/^(EvaluateScript|FunctionCall|v8\.compile|v8\.compileModule|v8\.produceCache)$/.test(event.name) &&
        isOurs(event)) ||
        event.name === 'RunMicrotasks'),
  );
  const main = own.find(({ name }) => name === 'EvaluateScript');
  if (!main) throw new Error(`the trace knows no script under ${prefix}`);
  const parts = own.filter(({ pid, tid, ts }) => pid === main.pid && tid === main.tid && ts >= main.ts);
  const isInside = (inner: TraceEvent, outer: TraceEvent) =>
    inner !== outer && inner.ts >= outer.ts && inner.ts < outer.ts + (outer.dur ?? 0);
  const outermost = parts.filter((part) => !parts.some((other) => isInside(part, other)));
  const ms = ({ tdur = 0 }: TraceEvent) => tdur / 1000;
  const total = outermost.reduce((sum, part) => sum + ms(part), 0);
  return {
    evaluating: ms(main),
    later: total - ms(main),
    longest: Math.max(...outermost.map(ms)),
  };
}

/** Loads a page with the processor `throttle` times slower, until the network rests; gives what our scripts cost it. */
export async function costOfLoad(
  page: Page,
  url: string,
  prefix: string,
  { throttle = 4 }: { throttle?: number } = {},
): Promise<ScriptCost> {
  const session = await page.context().newCDPSession(page);
  const browser = page.context().browser();
  if (!browser) throw new Error('the page has no browser of its own');
  await session.send('Emulation.setCPUThrottlingRate', { rate: throttle });
  await browser.startTracing(page, { categories: TRACED });
  await page.goto(url);
  await page.waitForLoadState('networkidle');
  return scriptCost(String(await browser.stopTracing()), prefix);
}
