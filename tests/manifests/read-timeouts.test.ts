import { settingsSchema } from '@svcforms/runtime';
import { root } from '@svcforms/test-kit';
import { readFileSync } from 'node:fs';

/** Where the proxies in front of forms-api say how long they wait for a response, in seconds. */
const TIMEOUTS = {
  'edge/nginx.conf': /location \/ \{ proxy_read_timeout (\d+)s; proxy_pass \$forms_api; \}/,
  'k8s/base/ingress.yaml': /name: public\n(?:(?!---).*\n)*? +\S+\/proxy-read-timeout: '(\d+)'/,
};

it.each(Object.entries(TIMEOUTS))('%s waits longer than a test event can take', (path, timeout) => {
  const [, seconds = ''] = timeout.exec(readFileSync(`${root}${path}`, 'utf8')) ?? [];
  const isPossible = (ms: number) =>
    settingsSchema.shape.SVC_DELIVERY_TIMEOUT_MS.safeParse(String(ms)).success;
  expect(isPossible(1000)).toBe(true);
  expect({ seconds, isPossible: isPossible(Number(seconds) * 1000) }).toEqual({
    seconds: expect.stringMatching(/^\d+$/),
    isPossible: false,
  });
});
