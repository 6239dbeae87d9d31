import type { Stage } from './stage.ts';
import { buildStories } from './stories/build.ts';
import { displayStories } from './stories/display.ts';
import { everyScreenStories } from './stories/every-screen.ts';
import { firstLoadStories } from './stories/first-load.ts';
import { formsListStories } from './stories/forms-list.ts';
import { inboundStories } from './stories/inbound.ts';
import { inboxStories } from './stories/inbox.ts';
import { settingsStories } from './stories/settings.ts';
import { shellStories } from './stories/shell.ts';
import { submissionsStories } from './stories/submissions.ts';
import { webhooksStories } from './stories/webhooks.ts';

/** What a person does in each part of the dashboard, in the order of its navigation. */
export const DASHBOARD_STORIES: readonly ((stage: () => Stage) => void)[] = [
  firstLoadStories,
  shellStories,
  formsListStories,
  buildStories,
  displayStories,
  submissionsStories,
  webhooksStories,
  inboundStories,
  inboxStories,
  settingsStories,
  everyScreenStories,
];
