import type { SlackApi } from './slack-api.ts';

/** What we use of the user object of Slack. https://docs.slack.dev/reference/objects/user-object */
export interface SlackMember {
  id?: string;
  team_id?: string;
  enterprise_user?: { enterprise_id?: string };
  deleted?: boolean;
  is_bot?: boolean;
  is_stranger?: boolean;
  profile?: { email?: string };
}

/** Where the app is installed. */
interface Home {
  /** Undefined if the method that tells it doesn't exist. */
  teamId: string | undefined;
  /** The organization of the workspace, on Enterprise Grid. */
  enterpriseId: string | undefined;
}

/** What Slack responded in place of a result. */
interface Failure {
  error: string;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export type SlackMembers = ReturnType<typeof createSlackMembers>;

/**
 * The responses of a proxy, instead of Slack, that knows only the methods which earlier versions
 * called. The user object alone then tells members from other people, as it did for them.
 */
const UNKNOWN_METHOD = new Set(['unknown_method', 'HTTP 404']);

/**
 * Tells the members of the app's workspace from other people: channels can be shared with foreign
 * workspaces, whose members see and click the same buttons. On Enterprise Grid, all workspaces of
 * the organization count as one.
 */
export function createSlackMembers(api: Pick<SlackApi, 'call'>) {
  let home: Promise<Home | Failure> | undefined;

  async function readHome(): Promise<Home | Failure> {
    const reply = await api.call('auth.test', { form: {} });
    if (!reply.ok && !UNKNOWN_METHOD.has(reply.error)) return { error: reply.error };
    const { team_id: teamId, enterprise_id: enterpriseId } = reply.ok ? reply.body : {};
    return { teamId: textOf(teamId), enterpriseId: textOf(enterpriseId) };
  }

  /** Reads it once. A failure is read again by the next call. */
  async function homeOfApp(): Promise<Home | Failure> {
    home ??= readHome();
    const read = await home;
    if ('error' in read) home = undefined;
    return read;
  }

  /** Returns the user object; `null` unless it is of a member. `slackUser`: `T…|U…`. */
  async function find(slackUser: string): Promise<{ member: SlackMember | null } | Failure> {
    const own = await homeOfApp();
    if ('error' in own) return own;
    const [teamId, id = ''] = slackUser.split('|');
    const reply = await api.call('users.info', { form: { user: id } });
    if (!reply.ok) return reply.error === 'user_not_found' ? { member: null } : { error: reply.error };
    const member = (reply.body['user'] ?? {}) as SlackMember;
    const isOfHome =
      own.teamId === undefined ||
      teamId === own.teamId ||
      (own.enterpriseId !== undefined && member.enterprise_user?.enterprise_id === own.enterpriseId);
    const isMember =
      isOfHome &&
      member.id === id &&
      member.team_id === teamId &&
      member.deleted !== true &&
      member.is_bot !== true &&
      member.is_stranger !== true;
    return { member: isMember ? member : null };
  }

  return {
    find,
    /**
     * Whether the user belongs to the app's workspace or organization. `slackUser` is from Slack,
     * so the own workspace needs no further proof.
     */
    async isOwn(slackUser: string): Promise<{ isOwn: boolean } | Failure> {
      const own = await homeOfApp();
      if ('error' in own) return own;
      if (own.teamId === undefined || slackUser.startsWith(`${own.teamId}|`)) return { isOwn: true };
      if (own.enterpriseId === undefined) return { isOwn: false };
      const found = await find(slackUser);
      return 'error' in found ? found : { isOwn: found.member !== null };
    },
  };
}
