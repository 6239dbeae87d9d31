import { agentsScenarios } from './scenarios/agents.ts';
import { developersScenarios } from './scenarios/developers.ts';
import { inboundScenarios } from './scenarios/inbound.ts';
import { inboxScenarios } from './scenarios/inbox.ts';
import { loginScenarios } from './scenarios/login.ts';
import { payloadScenarios } from './scenarios/payload.ts';
import { secondFactorScenarios } from './scenarios/second-factor.ts';
import { settingsScenarios } from './scenarios/settings.ts';
import { slackScenarios } from './scenarios/slack.ts';
import { teamScenarios } from './scenarios/team.ts';
import { webhookFiltersScenarios } from './scenarios/webhook-filters.ts';
import { webhookHealthScenarios } from './scenarios/webhook-health.ts';
import { webhookRequestScenarios } from './scenarios/webhook-requests.ts';
import { webhooksScenarios } from './scenarios/webhooks.ts';
import { describeScenarios } from './support/describe-scenarios.ts';

// What an account connects and who belongs to it: webhooks, inbound endpoints, tasks and settings.
describeScenarios([
  webhooksScenarios,
  webhookRequestScenarios,
  webhookFiltersScenarios,
  webhookHealthScenarios,
  payloadScenarios,
  inboundScenarios,
  inboxScenarios,
  developersScenarios,
  agentsScenarios,
  settingsScenarios,
  slackScenarios,
  teamScenarios,
  secondFactorScenarios,
  // Last: it ends the sessions of the first account.
  loginScenarios,
]);
