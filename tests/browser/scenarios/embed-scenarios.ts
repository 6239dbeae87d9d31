import type { Product } from '../../e2e/stack.ts';
import type { Fixture } from '../fixture.ts';
import { armingGuardScenarios } from './arming-guard.ts';
import { backForwardScenarios } from './back-forward.ts';
import { closedFormScenarios } from './closed-forms.ts';
import { consentPresetScenarios } from './consent-presets.ts';
import { consentScenarios } from './consent.ts';
import { contentScenarios } from './content.ts';
import { deliveryScenarios } from './delivery.ts';
import { departureScenarios } from './departure-signals.ts';
import { eventScenarios } from './events.ts';
import { hostilePageScenarios } from './hostile-page.ts';
import { languageScenarios } from './languages.ts';
import { linkScenarios } from './links.ts';
import { logicScenarios } from './logic.ts';
import { modalScenarios } from './modal.ts';
import { moduleTagScenarios } from './module-tag.ts';
import { openInterfaceScenarios } from './open-interfaces.ts';
import { pageScenarios } from './pages.ts';
import { placementScenarios } from './placements.ts';
import { reactScenarios } from './react.ts';
import { renderScenarios } from './render.ts';
import { rendererScenarios } from './renderer.ts';
import { singlePageScenarios } from './single-page.ts';
import { spamScenarios } from './spam.ts';
import { speedScenarios } from './speed.ts';
import { themeScenarios } from './themes.ts';
import { triggerScenarios } from './trigger-strings.ts';
import { updateScenarios } from './updates.ts';
import { visitorRuleScenarios } from './visitor-rules.ts';

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
