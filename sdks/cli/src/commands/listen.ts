import { usageFailure } from '../failure.ts';
import { hash } from '../hash.ts';
import { connectionNotes, findAccount, listen } from '../listen/listen.ts';
import { openPositionStore, secretOf } from '../listen/listener-state.ts';
import { parseUrl, readConnection } from '../store/logins.ts';
import { eventTypes, isOn, startPosition, text, type Command, type Invocation } from './command.ts';

const MORE = `Forwards each event of the account as a webhook request: the same body, byte for byte, and the
same headers, signed with a secret of this computer. Events whose local server fails or is down are
shown as failed, and the next ones follow; press r to send the last failed one again, a for all of
them, q to quit. With --wait, nothing is skipped: events wait until the URL responds.

The position in the event log is stored after each event, for each URL and choice of events. The
same command continues there, even after a kill, and gets everything that the log still holds
(7 days). An event can arrive twice; its Svc-Event-Id stays the same.`;

export const listenCommand: Command = {
  name: 'listen',
  args: '--forward <url>',
  summary: 'Forward events to a local server as webhook requests',
  options: {
    forward: { type: 'string', short: 'f', value: 'url', help: 'Where to send the requests' },
    events: {
      type: 'string',
      short: 'e',
      value: 'types',
      help: "Event types and patterns, separated by commas: 'form.*' (default: *)",
    },
    from: {
      type: 'string',
      value: 'position',
      help: 'Start at oldest, now, or after a position, instead of where it stopped',
    },
    reset: { type: 'boolean', help: 'Forget the stored position: --from now' },
    wait: { type: 'boolean', help: 'Wait for the local server while it is down' },
    json: { type: 'boolean', help: 'Print one line of JSON for each request' },
    'print-secret': { type: 'boolean', help: 'Print the signing secret and exit' },
  },
  more: MORE,
  endsOrderly: true,
  async run(invocation) {
    const { api: openApi, env, folders, screen, stdin, signal, quit } = invocation;
    const isSecretOnly = isOn(invocation, 'print-secret');
    const url = isSecretOnly ? null : forwardUrl(invocation);
    const from = isOn(invocation, 'reset') ? 'now' : startPosition(invocation);
    const events = eventTypes(invocation);
    const api = openApi();
    const { apiKey } = readConnection(invocation.values, env, folders);
    const onConnection = connectionNotes(screen, api.baseUrl);
    const keyName = `key-${hash(apiKey).slice(0, 16)}`;
    const account = await findAccount(api, keyName, { signal, onConnection });
    if (signal.aborted) return 0;
    const secret = secretOf(api.baseUrl, account, folders);
    if (!url) {
      screen.print(secret);
      return 0;
    }
    if (account === keyName)
      screen.note(
        'The secret and the position belong to this API key, because it lacks the scope forms:read and so may not ' +
          'know its account. Another key has others.',
      );
    const positions = openPositionStore(
      { baseUrl: api.baseUrl, account, forward: url.href, events },
      folders,
    );
    await listen({
      api,
      events,
      url,
      secret,
      positions,
      from,
      waits: isOn(invocation, 'wait'),
      isJson: isOn(invocation, 'json'),
      screen,
      stdin,
      signal,
      quit,
      onConnection,
    });
    return 0;
  },
};

function forwardUrl(invocation: Invocation): URL {
  const given = text(invocation, 'forward');
  if (given === undefined) throw usageFailure('--forward is missing: the URL of your local server.');
  // `localhost:3000/hooks`, `:3000/hooks` and `3000` are as clear as URLs.
  const withHost = given.replace(/^:|^(?=\d+(?:[/?#]|$))/, 'localhost:');
  const url = parseUrl(given.includes('://') ? given : `http://${withHost}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw usageFailure('--forward must be a URL such as http://localhost:3000/hooks.');
  return url;
}
