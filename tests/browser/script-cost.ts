import type { Page } from 'playwright-core';

/** The parts of a Chromium trace that are read here. Times are in microseconds. */
interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  /** CPU time of this thread, without the time of other processes. */
  tdur?: number;
  args?: { fileName?: string; data?: { url?: string } };
}

/**
 * Only the categories that are read: those of the developer tools record stacks, which would cost
 * more than the script.
 */
const TRACED = ['v8', 'toplevel'];
/** The slowdown of the processor that the results refer to. */
const SLOWER = 4;

/** Milliseconds of the main thread on a processor that is four times slower. */
interface ScriptCost {
  /** Compiling and running the script itself. */
  evaluating: number;
  /** The work after its request: reading the form and arming it. */
  arming: number;
  /** The longest single task. */
  longest: number;
}

/**
 * Loads a page whose only script is `script` until the network is idle, and reads its cost from a
 * trace. Multiplying CPU time changes less on a busy machine than measuring wall time on a
 * throttled page.
 */
export async function costOfLoad(page: Page, url: string, script: string): Promise<ScriptCost> {
  const browser = page.context().browser();
  if (!browser) throw new Error('the page has no browser');
  await browser.startTracing(page, { categories: TRACED });
  await page.goto(url);
  await page.waitForLoadState('networkidle');
  return readCost(String(await browser.stopTracing()), script);
}

function readCost(trace: string, script: string): ScriptCost {
  const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] };
  const run = traceEvents.find(({ name, args }) => name === 'v8.run' && args?.fileName === script);
  if (!run) throw new Error(`the trace has no script ${script}`);
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

/**
 * Runs in the page before its scripts: records when the form is available and when a script last
 * attached a listener or timer.
 */
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
 * Returns milliseconds of the page's clock, on a processor that the browser throttles to a quarter,
 * from the moment the script has the form until it attaches its last listener or timer. Includes
 * the time of other processes.
 */
export async function timeToArm(page: Page, url: string): Promise<number> {
  await page.addInitScript(watchArming);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.goto(url);
  await page.waitForLoadState('networkidle');
  const { form, armed } = await page.evaluate(() => (window as never as { times: Times }).times);
  if (!form || armed < form) throw new Error('nothing was armed after the form loaded');
  return armed - form;
}
