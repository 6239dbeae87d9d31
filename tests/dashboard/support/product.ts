import { dropCaches } from '@svcforms/document-store';
import { createEmbeddedStore, openEmbeddedDatabase } from '@svcforms/document-store/embedded';
import {
  INVITATIONS,
  LOGIN_CHALLENGES,
  OIDC_LOGINS,
  SESSIONS,
  USERS,
  type InvitationRecord,
  type OidcLoginRecord,
  type SessionRecord,
  type UserRecord,
} from '@svcforms/identity';
import { atEnd, freePort, startSlack, tempFolder, type SlackServer } from '@svcforms/test-kit';
import { join } from 'node:path';
import { startStandalone, type Stack } from '../../e2e/stack.ts';
import { startProvider } from '../../oidc/start-provider.ts';

/** Users of the identity provider, by login name. Their addresses are verified. */
export const PROVIDER_USERS = {
  olivia: 'owner@example.com',
  nora: 'nora@example.com',
  ivan: 'ivan@example.com',
  unverified: 'unverified@example.com',
} as const;

/** Makes time pass for what users are in the middle of. The product's clock can't be set. */
export interface Elapse {
  /** Everything that a link, a code or a login at the provider needs has expired. */
  links: () => Promise<void>;
  /** Every login was more than ten minutes ago. */
  logins: () => Promise<void>;
}

const ACCOUNT = 'acc_00000000000000000000000001';

/** Starts the standalone with an identity provider and a Slack app for the first account. */
export async function startWithProvider(): Promise<Stack & { elapse: Elapse; slack: SlackServer }> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const claims = Object.entries(PROVIDER_USERS).map(([login, email]) => [
    login,
    { email, email_verified: login !== 'unverified', name: `${login} of the provider` },
  ]);
  const provider = await startProvider({ baseUrl, claims: Object.fromEntries(claims) });
  const slack = await startSlack();
  const folder = tempFolder();
  const stack = await startStandalone({
    SVC_DATA_DIR: folder,
    SVC_PORT: String(port),
    SVC_BASE_URL: baseUrl,
    SVC_OIDC_ACCOUNT: ACCOUNT,
    SVC_OIDC_DEFAULT_ROLE: 'reviewer',
    ...provider.env,
    // Slack is served without TLS.
    SVC_ALLOW_HTTP: 'true',
    SVC_SLACK_ACCOUNT: ACCOUNT,
    SVC_SLACK_SIGNING_SECRET: slack.signingSecret,
    SVC_SLACK_BOT_TOKEN: slack.botToken,
    SVC_SLACK_API_URL: slack.apiUrl,
  });
  return { ...stack, slack, elapse: createElapse(folder) };
}

/** Writes earlier times into the store, beside the product. */
function createElapse(folder: string): Elapse {
  const past = () => new Date(Date.now() - 1000).toISOString();
  function open() {
    const database = openEmbeddedDatabase(join(folder, 'svcforms.db'), { shared: true });
    const opened = createEmbeddedStore(database);
    atEnd(async () => {
      await opened.close();
      await database.close();
    });
    return opened;
  }
  let opened: ReturnType<typeof open> | undefined;
  const store = () => (opened ??= open());

  return {
    async links() {
      const expired = { $set: { expireAt: past() } };
      await store().collection<OidcLoginRecord>(OIDC_LOGINS).updateMany({}, expired);
      await store().collection(LOGIN_CHALLENGES).updateMany({}, expired);
      const invitations = store().collection<InvitationRecord>(INVITATIONS);
      for (const { _id, links } of await invitations.find({})) {
        const old = links.map((link) => ({ ...link, expiresAt: past() }));
        await invitations.updateOne({ _id }, { $set: { links: old, expiresAt: past() } });
      }
      const users = store().collection<UserRecord>(USERS);
      for (const { _id, resets = [] } of await users.find({ resets: { $exists: true } })) {
        const old = resets.map((link) => ({ ...link, expiresAt: past() }));
        await users.updateOne({ _id }, { $set: { resets: old } });
      }
    },
    async logins() {
      const authenticatedAt = new Date(Date.now() - 11 * 60_000).toISOString();
      await store().collection<SessionRecord>(SESSIONS).updateMany({}, { $set: { authenticatedAt } });
      await dropCaches();
    },
  };
}
