import type { Product } from '../e2e/stack.ts';
import type { Fixture } from './fixture.ts';
import { armingGuardScenarios } from './scenarios/arming-guard.ts';
import { backForwardScenarios } from './scenarios/back-forward.ts';
import { closedFormScenarios } from './scenarios/closed-forms.ts';
import { consentPresetScenarios } from './scenarios/consent-presets.ts';
import { consentScenarios } from './scenarios/consent.ts';
import { contentScenarios } from './scenarios/content.ts';
import { deliveryScenarios } from './scenarios/delivery.ts';
import { departureScenarios } from './scenarios/departure-signals.ts';
import { eventScenarios } from './scenarios/events.ts';
import { hostilePageScenarios } from './scenarios/hostile-page.ts';
import { languageScenarios } from './scenarios/languages.ts';
import { linkScenarios } from './scenarios/links.ts';
import { logicScenarios } from './scenarios/logic.ts';
import { modalScenarios } from './scenarios/modal.ts';
import { moduleTagScenarios } from './scenarios/module-tag.ts';
import { openInterfaceScenarios } from './scenarios/open-interfaces.ts';
import { pageScenarios } from './scenarios/pages.ts';
import { placementScenarios } from './scenarios/placements.ts';
import { reactScenarios } from './scenarios/react.ts';
import { renderScenarios } from './scenarios/render.ts';
import { rendererScenarios } from './scenarios/renderer.ts';
import { singlePageScenarios } from './scenarios/single-page.ts';
import { spamScenarios } from './scenarios/spam.ts';
import { speedScenarios } from './scenarios/speed.ts';
import { themeScenarios } from './scenarios/themes.ts';
import { triggerScenarios } from './scenarios/trigger-strings.ts';
import { updateScenarios } from './scenarios/updates.ts';
import { visitorRuleScenarios } from './scenarios/visitor-rules.ts';

type Scenarios = (fixture: () => Fixture, product: () => Product) => void;

/**
 * All scenarios of the embed, in the order of docs/reference/triggers.md and
 * docs/reference/popups.md.
 */
export const EMBED_SCENARIOS: readonly Scenarios[] = [
  visitorRuleScenarios,
  triggerScenarios,
  consentScenarios,
  consentPresetScenarios,
  armingGuardScenarios,
  departureScenarios,
  openInterfaceScenarios,
  linkScenarios,
  moduleTagScenarios,
  modalScenarios,
  placementScenarios,
  rendererScenarios,
  logicScenarios,
  contentScenarios,
  closedFormScenarios,
  languageScenarios,
  themeScenarios,
  eventScenarios,
  singlePageScenarios,
  renderScenarios,
  reactScenarios,
  pageScenarios,
  hostilePageScenarios,
  speedScenarios,
  backForwardScenarios,
  updateScenarios,
  deliveryScenarios,
  spamScenarios,
];

const OF_WINDOWS: ReadonlySet<Scenarios> = new Set([
  visitorRuleScenarios,
  triggerScenarios,
  armingGuardScenarios,
  departureScenarios,
  backForwardScenarios,
]);

/**
 * Whether scenarios leave pages and windows, or load frames, in ways that Chromium's headless shell
 * doesn't imitate. There, a test that expects nothing to happen would always pass.
 */
export function needWholeChromium(scenarios: Scenarios): boolean {
  return OF_WINDOWS.has(scenarios);
}

/**
 * The scenarios that depend on the edge between browser and services. `EDGE_SCENARIOS=all` runs all
 * of them, which takes minutes longer.
 */
export const EDGE_SCENARIOS: readonly Scenarios[] =
  process.env['EDGE_SCENARIOS'] === 'all'
    ? EMBED_SCENARIOS
    : [openInterfaceScenarios, rendererScenarios, deliveryScenarios];
