import type { ConsentChunk } from './consent.ts';
import type { NavigationChunk } from './navigation.ts';
import type { TriggersChunk } from './placement.ts';
import type { RenderChunk } from './render.ts';
import type { TriggerTable } from './trigger.ts';
import type { UiChunk } from './ui.ts';

/** The exports of the chunks that load by name. */
interface Chunks {
  consent: ConsentChunk;
  exit: Pick<TriggerTable, 'exit'>;
  navigation: NavigationChunk;
  render: RenderChunk;
  states: Pick<TriggerTable, 'scroll' | 'visible'>;
  triggers: TriggersChunk;
  ui: UiChunk;
}

/** Loads one of these chunks. */
export type Load<Names extends keyof Chunks = keyof Chunks> = <Name extends Names>(
  name: Name,
) => Promise<Chunks[Name]>;
