import { AppError } from '@svcforms/contracts';
import { jsonObject } from '@svcforms/slack';
import { z } from 'zod';

/**
 * What we use of Slack's payload.
 * https://docs.slack.dev/reference/interaction-payloads/block_actions-payload
 */
const BlockActions = z.object({
  type: z.literal('block_actions'),
  user: z.object({ id: z.string().regex(/^[UW][A-Z0-9]{1,30}$/), team_id: z.string().optional() }),
  team: z.object({ id: z.string() }).nullish(),
  response_url: z.string().max(2_000).optional(),
  actions: z
    .array(z.object({ action_id: z.string(), value: z.string().max(2_000).optional() }))
    .min(1)
    .max(10),
});

/** A click on a button in a message. */
export interface Click {
  /** Workspace and user: `T…|U…`. */
  slackUser: string;
  /** The value of the button; absent for one that only opens a page. */
  value: string | undefined;
  responseUrl: string | undefined;
}

/**
 * Reads the form-encoded body of an interaction; `null` for other kinds than a click on a button.
 * @throws AppError `INVALID_BODY`
 */
export function readClick(rawBody: Buffer): Click | null {
  const payload = jsonObject(new URLSearchParams(rawBody.toString()).get('payload') ?? '');
  if (!payload) throw new AppError('INVALID_BODY', 'The body must have a payload with a JSON object');
  if (payload['type'] !== 'block_actions') return null;
  const read = BlockActions.safeParse(payload);
  const action = read.data?.actions[0];
  if (!read.success || !action) throw new AppError('INVALID_BODY', 'The payload is not a button click');
  const { user, team, response_url: responseUrl } = read.data;
  return { slackUser: `${user.team_id ?? team?.id ?? ''}|${user.id}`, value: action.value, responseUrl };
}
