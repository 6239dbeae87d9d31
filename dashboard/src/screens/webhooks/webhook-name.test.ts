import { webhookHost, webhookName } from './webhook-name.ts';

it.each([
  ['https://hooks.example/x/y?key=1#z', 'hooks.example/x/y'],
  ['https://hooks.example', 'hooks.example'],
  ['https://hooks.example:8443/', 'hooks.example:8443'],
  ['https://user:pass@hooks.example/x', 'hooks.example/x'],
  ['not a URL', 'not a URL'],
])('the name of a webhook is the host and path of %s: %s', (url, name) => {
  expect(webhookName(url)).toBe(name);
});

it.each([
  ['https://hooks.slack.com/services/T1/B2/secret?key=1', 'hooks.slack.com'],
  ['https://user:pass@hooks.example:8443/x', 'hooks.example:8443'],
  ['not a URL', ''],
])('the host of a webhook has no secret of %s: %s', (url, host) => {
  expect(webhookHost(url)).toBe(host);
});
