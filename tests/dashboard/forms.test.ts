import { addressScenarios } from './scenarios/addresses.ts';
import { buildScenarios } from './scenarios/build.ts';
import { buildEditsScenarios } from './scenarios/build-edits.ts';
import { displayScenarios } from './scenarios/display.ts';
import { everyScreenScenarios } from './scenarios/every-screen.ts';
import { firstLoadScenarios } from './scenarios/first-load.ts';
import { firstStepsScenarios } from './scenarios/first-steps.ts';
import { formsListScenarios } from './scenarios/forms-list.ts';
import { inboundScenarios } from './scenarios/inbound.ts';
import { journeyScenarios } from './scenarios/journeys.ts';
import { overviewScenarios } from './scenarios/overview.ts';
import { paletteScenarios } from './scenarios/palette.ts';
import { payloadScenarios } from './scenarios/payload.ts';
import { publishScenarios } from './scenarios/publish.ts';
import { shellScenarios } from './scenarios/shell.ts';
import { slowNetworkScenarios } from './scenarios/slow-network.ts';
import { submissionsScenarios } from './scenarios/submissions.ts';
import { webhookFiltersScenarios } from './scenarios/webhook-filters.ts';
import { describeScenarios } from './support/describe-scenarios.ts';

// What all screens share, and the screens of a form: what arrives there, what its webhooks send,
// and its submissions. Two test files of about the same duration run beside each other.
describeScenarios([
  firstLoadScenarios,
  shellScenarios,
  addressScenarios,
  paletteScenarios,
  everyScreenScenarios,
  formsListScenarios,
  firstStepsScenarios,
  journeyScenarios,
  overviewScenarios,
  buildScenarios,
  buildEditsScenarios,
  displayScenarios,
  publishScenarios,
  inboundScenarios,
  webhookFiltersScenarios,
  payloadScenarios,
  submissionsScenarios,
  slowNetworkScenarios,
]);
