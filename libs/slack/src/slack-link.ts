import { openJson, sealJson, type SecretBox } from '@svcforms/signing';

const CONTEXT = 'slack_links';

/** A Slack user who clicked and wants to be connected. Only they see the link that holds it. */
interface SlackLink {
  /** Workspace and user: `T…|U…`. */
  slackUser: string;
  /** ISO 8601. */
  expiresAt: string;
}

/** Creates the token of a link that connects a Slack user. It belongs in the fragment of a URL. */
export const newSlackLink = (box: Pick<SecretBox, 'seal'>, link: SlackLink): string =>
  sealJson(box, link, CONTEXT);

/** Returns what a token says; `null` if it isn't ours. */
export const readSlackLink = (box: Pick<SecretBox, 'open'>, token: string): SlackLink | null =>
  openJson<SlackLink>(box, token, CONTEXT);
