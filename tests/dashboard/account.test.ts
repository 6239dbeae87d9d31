import { agentsScenarios } from './scenarios/agents.ts';
import { developersScenarios } from './scenarios/developers.ts';
import { inboxScenarios } from './scenarios/inbox.ts';
import { loginScenarios } from './scenarios/login.ts';
import { secondFactorScenarios } from './scenarios/second-factor.ts';
import { settingsScenarios } from './scenarios/settings.ts';
import { slackScenarios } from './scenarios/slack.ts';
import { teamScenarios } from './scenarios/team.ts';
import { webhookHealthScenarios } from './scenarios/webhook-health.ts';
import { webhookRequestScenarios } from './scenarios/webhook-requests.ts';
import { webhooksScenarios } from './scenarios/webhooks.ts';
import { describeScenarios } from './support/describe-scenarios.ts';

// What an account connects and who belongs to it: webhooks, tasks and settings.
describeScenarios([
  webhooksScenarios,
  webhookRequestScenarios,
  webhookHealthScenarios,
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
