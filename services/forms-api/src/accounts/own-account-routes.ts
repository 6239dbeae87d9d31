import { AccountOut, AccountPatch, SlackTestOut } from '@svcforms/contracts';
import { route, type Route } from '@svcforms/http';
import type { createAccount } from './account.ts';
import type { createSlackTest } from './slack-test.ts';

interface OwnAccountRoutesDeps {
  account: ReturnType<typeof createAccount>;
  slackTest: ReturnType<typeof createSlackTest>;
}

/** The account of the caller. */
export function ownAccountRoutes({ account, slackTest }: OwnAccountRoutesDeps): Route[] {
  // prettier-ignore
  return [
    route({ method: 'GET', path: '/api/account', summary: 'Get the account', access: { scope: 'forms:read' },
      status: 200, response: AccountOut, handler: account.get }),
    route({ method: 'PATCH', path: '/api/account', summary: 'Update the account', operationId: 'changeAccount', access: { scope: 'forms:write', allForms: true },
      body: AccountPatch, status: 200, response: AccountOut, audit: 'account.updated', handler: account.change }),
    route({ method: 'POST', path: '/api/account/slack/test', summary: 'Send a test message to Slack', operationId: 'testSlack', access: { scope: 'forms:write', allForms: true },
      description: 'Posts a message to the Slack channel of the account. If Slack refuses it, the response is 409 with the reason.',
      status: 200, response: SlackTestOut, errors: ['CONFLICT'], audit: 'account.slack_tested', handler: slackTest }),
  ];
}
