// The load of npm run bench: posts events on connections that stay open, as fast as the responses
// come or at a rate.
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { now, type PublishCommand, type PublishResult, type Target } from './messages.ts';

process.on('message', (command: PublishCommand) => {
  void publish(command).then((result) => process.send?.(result));
});
process.send?.('ready');

async function publish(command: PublishCommand): Promise<PublishResult> {
  const { run, events, connections, bodyBytes, rate, targets } = command;
  const agent = new Agent({ connections, pipelining: 1 });
  const filler = 'abcdefghijklmnopqrstuvwxyz0123456789'.repeat(Math.ceil(bodyBytes / 36)).slice(0, bodyBytes);
  const startedAt = now();
  const result: PublishResult = { startedAt, seconds: 0, accepted: {}, refused: {}, latenciesMs: [] };

  async function send(n: number): Promise<void> {
    const { name, url, headers } = targets[n % targets.length] as Target;
    const sentAt = now();
    const event = { bench_id: `${run}-${n}`, sentAt, kind: 'bench', data: filler };
    const response = await request(url, {
      method: 'POST',
      dispatcher: agent,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(event),
    }).catch(() => null);
    await response?.body.dump();
    const status = response?.statusCode ?? 0;
    if (status >= 200 && status < 300) {
      result.latenciesMs.push(now() - sentAt);
      result.accepted[name] = (result.accepted[name] ?? 0) + 1;
    } else {
      result.refused[status] = (result.refused[status] ?? 0) + 1;
    }
  }

  if (rate === undefined) {
    let next = 0;
    const work = async () => {
      while (next < events) await send(next++);
    };
    await Promise.all(Array.from({ length: connections }, work));
  } else {
    const open: Promise<void>[] = [];
    for (let n = 0; n < events; n++) {
      await pause(Math.max(0, startedAt + (n * 1000) / rate - now()));
      open.push(send(n));
    }
    await Promise.all(open);
  }
  result.seconds = (now() - startedAt) / 1000;
  await agent.close();
  return result;
}
