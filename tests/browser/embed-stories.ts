import type { Product } from '../e2e/stack.ts';
import type { Stage } from './stage.ts';
import { armingGuardStories } from './stories/arming-guard.ts';
import { backForwardStories } from './stories/back-forward.ts';
import { consentPresetStories } from './stories/consent-presets.ts';
import { consentStories } from './stories/consent.ts';
import { deliveryStories } from './stories/delivery.ts';
import { departureStories } from './stories/departure-signals.ts';
import { hostilePageStories } from './stories/hostile-page.ts';
import { linkStories } from './stories/links.ts';
import { modalStories } from './stories/modal.ts';
import { moduleTagStories } from './stories/module-tag.ts';
import { openInterfaceStories } from './stories/open-interfaces.ts';
import { pageStories } from './stories/pages.ts';
import { rendererStories } from './stories/renderer.ts';
import { speedStories } from './stories/speed.ts';
import { triggerStories } from './stories/trigger-strings.ts';
import { visitorRuleStories } from './stories/visitor-rules.ts';

type Stories = (stage: () => Stage, product: () => Product) => void;

/** Everything that the embed promises, in the order of the spec. */
export const EMBED_STORIES: readonly Stories[] = [
  visitorRuleStories,
  triggerStories,
  consentStories,
  consentPresetStories,
  armingGuardStories,
  departureStories,
  openInterfaceStories,
  linkStories,
  moduleTagStories,
  modalStories,
  rendererStories,
  pageStories,
  hostilePageStories,
  speedStories,
  backForwardStories,
  deliveryStories,
];

/** Of these, what the way between browser and services has a part in; all with `EDGE_STORIES=all`, minutes more. */
export const EDGE_STORIES: readonly Stories[] =
  process.env['EDGE_STORIES'] === 'all'
    ? EMBED_STORIES
    : [openInterfaceStories, rendererStories, deliveryStories];
