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
  exit: later(() => loadExit().then(({ exit }) => exit)),
  inactivity,
  intent,
  scroll: later(() => loadStates().then(({ scroll }) => scroll)),
  visible: later(() => loadStates().then(({ visible }) => visible)),
});

/** A trigger whose code loads when it's armed. If that fails, it never fires. */
const later =
  <C extends Condition>(load: () => Promise<Trigger<C>>): Trigger<C> =>
  (condition, arming) => {
    // Throws if the selector is invalid.
    if ('selector' in condition) document.querySelector(condition.selector);
    let isOver: boolean | undefined;
    arming.scope.add(() => (isOver = true));
    load().then(
      (trigger) => isOver || trigger(condition, arming),
      () => {},
    );
  };
