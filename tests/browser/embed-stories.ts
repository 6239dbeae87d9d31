import type { Stage } from './stage.ts';
import { armingGuardStories } from './stories/arming-guard.ts';
import { consentStories } from './stories/consent.ts';
import { departureStories } from './stories/departure-signals.ts';
import { modalStories } from './stories/modal.ts';
import { openInterfaceStories } from './stories/open-interfaces.ts';
import { pageStories } from './stories/pages.ts';
import { rendererStories } from './stories/renderer.ts';
import { triggerStories } from './stories/trigger-strings.ts';
import { visitorRuleStories } from './stories/visitor-rules.ts';

/** Everything that the embed promises, in the order of the spec. */
export const EMBED_STORIES: readonly ((stage: () => Stage) => void)[] = [
  visitorRuleStories,
  triggerStories,
  consentStories,
  armingGuardStories,
  departureStories,
  openInterfaceStories,
  modalStories,
  rendererStories,
  pageStories,
];
