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

interface Times {
  form: number;
  armed: number;
}

/** Runs in the page before its scripts: notes when the form is at hand, and when a script last attached something. */
function watchArming(): void {
  const times: Times = { form: 0, armed: 0 };
  Object.assign(window, { times });
  const { json } = Response.prototype;
  Response.prototype.json = async function () {
    const value: unknown = await json.call(this);
    times.form = performance.now();
    return value;
  };
  const note = (owner: object, name: string) => {
    const method = Reflect.get(owner, name) as (...args: unknown[]) => unknown;
    Reflect.set(owner, name, function (this: unknown, ...args: unknown[]) {
      const result = method.apply(this, args);
      times.armed = performance.now();
      return result;
    });
  };
  note(EventTarget.prototype, 'addEventListener');
  note(window, 'setTimeout');
  for (const { prototype } of [IntersectionObserver, MutationObserver, ResizeObserver])
    note(prototype, 'observe');
}

/**
 * Milliseconds by the page's own clock, on a processor that the browser throttles to a quarter, from when the script has the form
 * in its hands until its last listener or timer is attached. What other processes do meanwhile is in it.
 */
export async function timeToArm(page: Page, url: string): Promise<number> {
  await page.addInitScript(watchArming);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.goto(url);
  await page.waitForLoadState('networkidle');
  const { form, armed } = await page.evaluate(() => (window as never as { times: Times }).times);
  if (!form || armed < form) throw new Error('nothing was armed after the form had come');
  return armed - form;
}
