import { webhookName } from './webhook-name.ts';

it.each([
  ['https://hooks.example/x/y?key=1#z', 'hooks.example/x/y'],
  ['https://hooks.example', 'hooks.example'],
  ['https://hooks.example:8443/', 'hooks.example:8443'],
  ['https://user:pass@hooks.example/x', 'hooks.example/x'],
  ['not a URL', 'not a URL'],
])('the name of a webhook is the host and path of %s: %s', (url, name) => {
  expect(webhookName(url)).toBe(name);
});
