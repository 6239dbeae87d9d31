import type { Page } from 'playwright-core';

/** What Chromium writes into a trace, in the parts that are read here. Times in microseconds. */
interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  /** Of the processor, in this thread: what other processes take in between isn't in it. */
  tdur?: number;
  args?: { fileName?: string; data?: { url?: string } };
}

/** No more than what is read: the categories of the developer tools take stacks, which cost more than what is measured. */
const TRACED = ['v8', 'toplevel'];
/** How many times slower the processor is that is spoken of. */
const SLOWER = 4;

/** Milliseconds of the main thread on a processor that is four times slower. */
export interface ScriptCost {
  /** Compiling and running the script itself. */
  evaluating: number;
  /** What follows its request: it reads the form, and arms. */
  arming: number;
  /** The longest stretch of all that. */
  longest: number;
}

/**
 * Loads a page that has no script but ours, `script`, until the network rests, and reads out of a trace what that cost. Processor
 * time is counted and multiplied, instead of a clock read on a throttled page, so that a busy machine changes little.
 */
export async function costOfLoad(page: Page, url: string, script: string): Promise<ScriptCost> {
  const browser = page.context().browser();
  if (!browser) throw new Error('the page has no browser of its own');
  await browser.startTracing(page, { categories: TRACED });
  await page.goto(url);
  await page.waitForLoadState('networkidle');
  return readCost(String(await browser.stopTracing()), script);
}

function readCost(trace: string, script: string): ScriptCost {
  const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] };
  const run = traceEvents.find(({ name, args }) => name === 'v8.run' && args?.fileName === script);
  if (!run) throw new Error(`the trace knows no script ${script}`);
  const parts = traceEvents.filter(({ ph, pid, tid }) => ph === 'X' && pid === run.pid && tid === run.tid);
  const ms = ({ tdur = 0 }: TraceEvent) => (tdur / 1000) * SLOWER;
  const sum = (events: readonly TraceEvent[]) => events.reduce((total, event) => total + ms(event), 0);
  const compile = parts.filter(({ name, args }) => name === 'v8.compile' && args?.data?.url === script);
  const later = parts.filter(
    ({ name, ts }) => ts > run.ts + (run.dur ?? 0) && /^v8\.callFunction$|MicrotaskCheckpoint$/.test(name),
  );
  return {
    evaluating: ms(run) + sum(compile),
    arming: sum(later),
    longest: Math.max(...[run, ...compile, ...later].map(ms)),
  };
}
