import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { startWebhookEndpoint, type EndpointResponse, type ReceivedRequest } from './webhook-endpoint.ts';

/**
 * How the Web API behaves: as documented, as in an outage, or slowly: it handles the call and
 * responds after `respondsAfterMs`. `retryAfter`: seconds.
 */
export type SlackState =
  | 'up'
  | 'hang'
  | 'reset'
  | { status: number; retryAfter?: number }
  | { error: string }
  | { respondsAfterMs: number };

export interface SlackMessage {
  channel: string;
  ts: string;
  text: string;
  blocks: Block[];
}

interface Block {
  type: string;
  text?: { type: string; text: string };
  elements?: Element[];
}

interface Element {
  type: string;
  action_id?: string;
  value?: string;
  url?: string;
  text?: { type: string; text: string } | string;
}

interface SlackMember {
  id: string;
  teamId: string;
  email: string;
  deleted?: boolean;
  is_stranger?: boolean;
  enterprise_user?: { enterprise_id: string };
}

/** Where the app is installed. */
interface SlackWorkspace {
  /** Default: `T0123456789`. */
  teamId?: string;
  enterpriseId?: string;
  /** Whether it has `auth.test`, which a proxy may not know. Default: true. */
  hasAuthTest?: boolean;
}

/** A signed request, as Slack sends it to the Request URL of an app. */
export interface SlackRequest {
  body: string;
  headers: Record<string, string>;
}

export interface SlackServer {
  /** The values of `SVC_SLACK_API_URL` and of the two secrets. */
  apiUrl: string;
  signingSecret: string;
  botToken: string;
  /** The messages that exist, and all texts that only one person saw. */
  messages: SlackMessage[];
  ephemeral: string[];
  /** All calls of the Web API, including those that failed: `chat.postMessage` and so on. */
  calls: string[];
  /** What was wrong with requests that Slack would have refused. */
  problems: string[];
  set(state: SlackState): void;
  addMember(member: SlackMember): void;
  /** The buttons of a message by their `action_id`. */
  buttonsOf(message: SlackMessage): Record<string, Element>;
  /**
   * The signed request of a click. `secret` and `at` (milliseconds) are for forged and stale ones.
   */
  click(
    who: { id: string; teamId: string },
    button: { action_id?: string | undefined; value?: string | undefined },
    options?: { secret?: string; at?: number },
  ): SlackRequest;
  close(): Promise<void>;
}

/**
 * A workspace of Slack as its documentation describes it: https://docs.slack.dev. With
 * `enterpriseId`, it belongs to an organization on Enterprise Grid.
 */
export async function startSlack(workspace: SlackWorkspace = {}): Promise<SlackServer> {
  const signingSecret = randomUUID().replaceAll('-', '');
  const botToken = `xoxb-${randomUUID()}`;
  const members = new Map<string, SlackMember>();
  const messages: SlackMessage[] = [];
  const [ephemeral, calls, problems]: [string[], string[], string[]] = [[], [], []];
  let state: SlackState = 'up';
  let count = 0;

  const refuse = (error: string, problem = error): EndpointResponse => {
    problems.push(problem);
    return json({ ok: false, error });
  };

  function respond(request: ReceivedRequest): EndpointResponse {
    if (request.path.startsWith('/hooks/')) return receiveResponse(request);
    const method = request.path.replace('/api/', '');
    calls.push(method);
    if (state === 'hang' || state === 'reset') return state;
    if (typeof state === 'object' && 'status' in state) return outage(state);
    if (typeof state === 'object' && 'error' in state) return json({ ok: false, error: state.error });
    if (request.method !== 'POST') return refuse('invalid_post_type');
    if (request.headers.authorization !== `Bearer ${botToken}`) return refuse('invalid_auth');
    const type = request.headers['content-type'] ?? '';
    if (method === 'auth.test') {
      const isKnown = workspace.hasAuthTest ?? true;
      return json(isKnown ? identityOf(workspace) : { ok: false, error: 'unknown_method' });
    }
    if (method === 'users.info') {
      // The documentation has no JSON for it.
      if (!type.startsWith('application/x-www-form-urlencoded')) return refuse('invalid_arguments', type);
      const member = members.get(new URLSearchParams(request.rawBody.toString()).get('user') ?? '');
      if (!member) return json({ ok: false, error: 'user_not_found' });
      const { id, teamId: team_id, email, ...more } = member;
      return json({ ok: true, user: { id, team_id, is_bot: false, ...more, profile: { email } } });
    }
    if (type !== 'application/json; charset=utf-8') return refuse('missing_charset', type);
    const body = JSON.parse(request.rawBody.toString()) as SlackMessage;
    const index = messages.findIndex(({ channel, ts }) => channel === body.channel && ts === body.ts);
    switch (method) {
      case 'chat.postMessage': {
        const problem = problemOf(body);
        if (problem) return refuse('invalid_blocks', problem);
        const ts = `${Math.floor(Date.now() / 1000)}.${String(++count).padStart(6, '0')}`;
        messages.push({ channel: body.channel, ts, text: body.text, blocks: body.blocks });
        return json({ ok: true, channel: body.channel, ts });
      }
      case 'chat.update': {
        const problem = problemOf(body);
        if (problem) return refuse('invalid_blocks', problem);
        if (index < 0) return refuse('message_not_found');
        messages[index] = { channel: body.channel, ts: body.ts, text: body.text, blocks: body.blocks };
        return json({ ok: true, channel: body.channel, ts: body.ts });
      }
      case 'chat.delete':
        if (index < 0) return refuse('message_not_found');
        messages.splice(index, 1);
        return json({ ok: true, channel: body.channel, ts: body.ts });
      default:
        return refuse('unknown_method', method);
    }
  }

  function receiveResponse({ rawBody }: ReceivedRequest): EndpointResponse {
    const body = JSON.parse(rawBody.toString()) as {
      response_type?: string;
      replace_original?: boolean;
      text?: string;
    };
    if (body.response_type === 'ephemeral' && body.replace_original === false && body.text)
      ephemeral.push(body.text);
    else problems.push(`response_url: ${rawBody.toString()}`);
    return { body: 'ok' };
  }

  const endpoint = await startWebhookEndpoint({ respond: (request) => inTime(respond(request), state) });
  return {
    apiUrl: `${endpoint.url}/api`,
    signingSecret,
    botToken,
    messages,
    ephemeral,
    calls,
    problems,
    set: (next) => void (state = next),
    addMember: (member) => void members.set(member.id, member),
    buttonsOf,
    click(
      { id, teamId },
      { action_id = 'approved', value },
      { secret = signingSecret, at = Date.now() } = {},
    ) {
      const payload = {
        type: 'block_actions',
        team: { id: teamId, domain: 'example' },
        user: { id, username: 'someone', team_id: teamId },
        api_app_id: 'A0123456789',
        trigger_id: randomUUID(),
        response_url: `${endpoint.url}/hooks/${randomUUID()}`,
        actions: [{ type: 'button', action_id, block_id: 'b', value, action_ts: String(at / 1000) }],
      };
      const body = `payload=${encodeURIComponent(JSON.stringify(payload))}`;
      const timestamp = String(Math.floor(at / 1000));
      const hash = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
      return {
        body,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'x-slack-request-timestamp': timestamp,
          'x-slack-signature': `v0=${hash}`,
        },
      };
    },
    close: () => endpoint.close(),
  };
}

const json = (body: object): EndpointResponse => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** The response of `auth.test`. */
const identityOf = ({ teamId = 'T0123456789', enterpriseId }: SlackWorkspace) => ({
  ok: true,
  team_id: teamId,
  enterprise_id: enterpriseId,
  user_id: 'U0APP',
  bot_id: 'B0APP',
});

async function inTime(response: EndpointResponse, state: SlackState): Promise<EndpointResponse> {
  if (typeof state === 'object' && 'respondsAfterMs' in state) await pause(state.respondsAfterMs);
  return response;
}

function outage({ status, retryAfter }: { status: number; retryAfter?: number }): EndpointResponse {
  const headers: Record<string, string> =
    retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return { status, headers, body: 'upstream error' };
}

function buttonsOf({ blocks }: SlackMessage): Record<string, Element> {
  const elements = blocks.flatMap((block) => (block.type === 'actions' ? (block.elements ?? []) : []));
  return Object.fromEntries(elements.map((element) => [element.action_id ?? '', element]));
}

/** What Slack would refuse in a message: the documented limits of Block Kit. */
function problemOf({ channel, text, blocks }: SlackMessage): string | undefined {
  if (!/^[CG][A-Z0-9]+$/.test(channel)) return `channel ${channel}`;
  if (typeof text !== 'string' || text === '') return 'no text for notifications';
  if (!Array.isArray(blocks) || blocks.length === 0 || blocks.length > 50) return 'blocks';
  for (const block of blocks) {
    const length = block.text?.text.length ?? 1;
    if (block.type === 'header' && (length > 150 || block.text?.type !== 'plain_text')) return 'header';
    if (block.type === 'section' && (length < 1 || length > 3_000)) return 'section';
    if (block.type === 'context' && (block.elements?.length ?? 0) > 10) return 'context';
    if (block.type !== 'actions') continue;
    const ids = (block.elements ?? []).map(({ action_id }) => action_id);
    if (ids.length > 25 || new Set(ids).size !== ids.length) return 'action_id';
    const isBad = block.elements?.some(
      ({ value, url, text: label }) =>
        (value?.length ?? 0) > 2_000 ||
        (url?.length ?? 0) > 3_000 ||
        typeof label !== 'object' ||
        label.text.length > 75,
    );
    if (isBad) return 'button';
  }
  return undefined;
}
