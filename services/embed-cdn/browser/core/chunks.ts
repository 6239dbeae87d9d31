import type { ExitChunk, StatesChunk } from '../triggers/table.ts';
import type { ConsentChunk } from './consent.ts';
import type { NavigationChunk } from './navigation.ts';
import type { TriggersChunk } from './placement.ts';
import type { RenderChunk } from './render.ts';
import type { UiChunk } from './ui.ts';

/** What the loader loads when a form needs it, with its exports. */
export interface Chunks {
  ui: UiChunk;
  consent: ConsentChunk;
  triggers: TriggersChunk;
  render: RenderChunk;
  navigation: NavigationChunk;
  exit: ExitChunk;
  states: StatesChunk;
}

export type LoadChunk<Name extends keyof Chunks = keyof Chunks> = <N extends Name>(
  name: N,
) => Promise<Chunks[N]>;
