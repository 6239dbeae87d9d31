import type { Condition } from '@svcforms/contracts';
import type { Load } from '../core/chunks.ts';
import type { Trigger, TriggerTable } from '../core/trigger.ts';
import { click } from './click.ts';
import { delay } from './delay.ts';
import { inactivity } from './inactivity.ts';
import { intent } from './intent.ts';

/** All triggers. Each has a file of its own. Some load while the guard holds them. */
export const createTriggers = (load: Load<'exit' | 'states'>): TriggerTable => ({
  click,
  delay,
  exit: later('exit', () => load('exit')),
  inactivity,
  intent,
  scroll: later('scroll', () => load('states')),
  visible: later('visible', () => load('states')),
});

/** A trigger whose code loads when it's armed. If that fails, it never fires. */
const later =
  <Name extends 'exit' | 'scroll' | 'visible'>(
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
