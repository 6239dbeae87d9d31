import { messagePage } from '../pages/message-page.ts';

/** Tells the user why an agent can't be connected; `back` leads to the agent. */
export const refusedAgentPage = (
  reason: string,
  back: { href: string; text: string } | null = null,
): string =>
  messagePage(
    'The agent can’t be connected',
    `Start again in the agent. If that doesn’t help, tell its developer the reason: ${reason}`,
    back,
  );
