import { newApiKey, poll, startProcess, testSettings } from '@svcforms/test-kit';

jest.setTimeout(120_000);

const PROBES = ['/livez', '/readyz', '/readyz?without=bus&without=store', '/metrics', '/version'];
const OVER = 'five minutes are over';
/** How much faster the timers of the process run, so that the test takes ten seconds. */
const FASTER = 30;
/** Timers below this length order work within a process; they keep their speed. */
const LONG_MS = 1_000;
const PRELOAD = `
  for (const name of ['setTimeout', 'setInterval']) {
    const original = globalThis[name];
    const faster = (work, ms, ...rest) => original(work, ms >= ${LONG_MS} ? ms / ${FASTER} : ms, ...rest);
    globalThis[name] = Object.defineProperties(faster, Object.getOwnPropertyDescriptors(original));
  }
  setTimeout(() => console.log('${OVER}'), 300_000);
`;

describe('the standalone, idle for five minutes', () => {
  it('logs nothing but its start', async () => {
    const idle = await startProcess('standalone', {
      env: { ...testSettings({ apiKey: newApiKey() }), LOG_LEVEL: 'info' },
      nodeArgs: ['--import', `data:text/javascript,${encodeURIComponent(PRELOAD)}`],
    });
    await poll(
      async () => {
        await Promise.all(PROBES.map((path) => fetch(idle.url + path)));
        return idle.output().includes(OVER);
      },
      { what: OVER, timeoutMs: 90_000, everyMs: 250 },
    );
    const lines = idle
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    const events = lines.map((line) => (JSON.parse(line) as { event: string }).event);
    expect(events).toEqual(['host.listening']);
  });
});
