import { SecretBoxError, type SecretBox } from '@svcforms/signing';

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
  box.seal(JSON.stringify(link), CONTEXT);

/** Returns what a token says; `null` if it isn't ours. */
export function readSlackLink(box: Pick<SecretBox, 'open'>, token: string): SlackLink | null {
  try {
    return JSON.parse(box.open(token, CONTEXT)) as SlackLink;
  } catch (error) {
    if (error instanceof SecretBoxError) return null;
    throw error;
  }
}
