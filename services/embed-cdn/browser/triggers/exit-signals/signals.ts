import { addressBarKey } from './address-bar-key.ts';
import { cursorLeaves } from './cursor-leaves.ts';
import { fastScroll } from './fast-scroll.ts';
import { tabHides } from './tab-hides.ts';
import { windowBlurs } from './window-blurs.ts';
import type { ExitSignal } from './signal.ts';

/** All exit signals. Each has a file of its own. */
export const signals: readonly ExitSignal[] = [
  cursorLeaves,
  tabHides,
  windowBlurs,
  fastScroll,
  addressBarKey,
];
