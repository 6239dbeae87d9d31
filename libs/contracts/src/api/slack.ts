import { z } from 'zod';
import { timeOut } from './schema-parts.ts';

/** A channel that the bot of the Slack app is in. See docs/reference/tasks.md#slack. */
export const slackChannel = z
  .string()
  .regex(/^[CG][A-Z0-9]{6,30}$/, 'must be the id of a Slack channel, such as C0123456789')
  .meta({ description: 'Id of a Slack channel that gets new tasks.', example: 'C0123456789' });

/** Response data of GET and POST /api/auth/slack. */
export const SlackConnectionOut = z
  .object({
    isAvailable: z
      .boolean()
      .meta({ description: 'Whether your account can use the Slack app.', example: true }),
    slackUserId: z
      .string()
      .nullable()
      .meta({ description: 'Your Slack user; null if none is connected.', example: 'U0123456789' }),
    connectedAt: timeOut('When you connected your Slack user.').nullable().meta({
      description: 'When you connected your Slack user; null if none is connected.',
      example: '2026-11-22T23:57:43.970Z',
    }),
  })
  .meta({ id: 'SlackConnection', description: 'Your connection to Slack.' });
export type SlackConnectionOut = z.output<typeof SlackConnectionOut>;

/** Request body of POST /api/auth/slack. */
export const SlackConnectIn = z
  .strictObject({
    token: z
      .string()
      .max(2_000)
      .meta({ description: 'Token of the link that you got in Slack.', example: 'v1.c2VhbGVk.dG9rZW4' }),
  })
  .meta({ id: 'SlackConnectIn', description: 'The link that you got in Slack.' });
export type SlackConnectIn = z.output<typeof SlackConnectIn>;

/** Response data of POST /api/account/slack/test. */
export const SlackTestOut = z
  .object({
    channel: z
      .string()
      .meta({ description: 'Id of the channel that has the message.', example: 'C0123456789' }),
  })
  .meta({ id: 'SlackTest', description: 'A test message that Slack has taken.' });
export type SlackTestOut = z.output<typeof SlackTestOut>;
