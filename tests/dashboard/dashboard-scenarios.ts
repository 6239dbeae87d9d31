import type { Fixture } from './support/fixture.ts';
import { addressScenarios } from './scenarios/addresses.ts';
import { agentsScenarios } from './scenarios/agents.ts';
import { buildScenarios } from './scenarios/build.ts';
import { developersScenarios } from './scenarios/developers.ts';
import { displayScenarios } from './scenarios/display.ts';
import { everyScreenScenarios } from './scenarios/every-screen.ts';
import { firstLoadScenarios } from './scenarios/first-load.ts';
import { firstStepsScenarios } from './scenarios/first-steps.ts';
import { formsListScenarios } from './scenarios/forms-list.ts';
import { inboundScenarios } from './scenarios/inbound.ts';
import { inboxScenarios } from './scenarios/inbox.ts';
import { journeyScenarios } from './scenarios/journeys.ts';
import { loginScenarios } from './scenarios/login.ts';
import { overviewScenarios } from './scenarios/overview.ts';
import { paletteScenarios } from './scenarios/palette.ts';
import { payloadScenarios } from './scenarios/payload.ts';
import { publishScenarios } from './scenarios/publish.ts';
import { secondFactorScenarios } from './scenarios/second-factor.ts';
import { settingsScenarios } from './scenarios/settings.ts';
import { shellScenarios } from './scenarios/shell.ts';
import { slackScenarios } from './scenarios/slack.ts';
import { submissionsScenarios } from './scenarios/submissions.ts';
import { teamScenarios } from './scenarios/team.ts';
import { webhookHealthScenarios } from './scenarios/webhook-health.ts';
import { webhookRequestScenarios } from './scenarios/webhook-requests.ts';
import { webhookFiltersScenarios } from './scenarios/webhook-filters.ts';
import { webhooksScenarios } from './scenarios/webhooks.ts';

/** The scenarios of each area of the dashboard, in the order of the navigation. */
export const DASHBOARD_SCENARIOS: readonly ((fixture: () => Fixture) => void)[] = [
  firstLoadScenarios,
  shellScenarios,
  addressScenarios,
  paletteScenarios,
  formsListScenarios,
  firstStepsScenarios,
  journeyScenarios,
  overviewScenarios,
  buildScenarios,
  displayScenarios,
  publishScenarios,
  submissionsScenarios,
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
  everyScreenScenarios,
  // Last: it ends the sessions of the first account.
  loginScenarios,
];
