import type { Condition } from '@svcforms/contracts';
import type { Trigger, TriggerTable } from '../core/trigger.ts';
import { click } from './click.ts';
import { delay } from './delay.ts';
import { inactivity } from './inactivity.ts';
import { intent } from './intent.ts';

/** The exports of the chunks that are loaded while the guard holds their triggers. */
export type ExitChunk = Pick<TriggerTable, 'exit'>;
export type StatesChunk = Pick<TriggerTable, 'scroll' | 'visible'>;

interface Loaders {
  loadExit: () => Promise<ExitChunk>;
  loadStates: () => Promise<StatesChunk>;
}

/** All triggers. Each has a file of its own. */
export const createTriggers = ({ loadExit, loadStates }: Loaders): TriggerTable => ({
  click,
  delay,
  exit: later('exit', loadExit),
  inactivity,
  intent,
  scroll: later('scroll', loadStates),
  visible: later('visible', loadStates),
});

/** A trigger whose code loads when it's armed. If that fails, it never fires. */
const later =
  <Name extends keyof (ExitChunk & StatesChunk)>(
    name: Name,
    load: () => Promise<Pick<TriggerTable, Name>>,
  ): Trigger<Extract<Condition, { trigger: Name }>> =>
  (condition, arming) => {
    // Throws if the selector is invalid.
    if ('selector' in condition) document.querySelector(condition.selector);
    let isOver: boolean | undefined;
    arming.scope.add(() => (isOver = true));
    load().then(
      (chunk) => isOver || chunk[name](condition, arming),
      () => {},
    );
  };
