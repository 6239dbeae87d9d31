import type { TriggerTable } from '../core/trigger.ts';
import { click } from './click.ts';
import { delay } from './delay.ts';
import { createExit, type ExitChunk } from './exit.ts';
import { inactivity } from './inactivity.ts';
import { intent } from './intent.ts';
import { scroll } from './scroll.ts';
import { visible } from './visible.ts';

/** All triggers. Each has a file of its own. */
export const createTriggers = (loadExit: () => Promise<ExitChunk>): TriggerTable => ({
  click,
  delay,
  exit: createExit(loadExit),
  inactivity,
  intent,
  scroll,
  visible,
});
