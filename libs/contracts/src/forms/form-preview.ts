import type { PublicForm } from './public-form.ts';

/** A message from the dashboard to `/embed/preview` in a frame: what to show. */
export type PreviewRequest =
  /** The form as an inline form. Sent again after each change. */
  | { show: 'form'; form: PublicForm }
  /** What a visitor sees after submitting. */
  | { show: 'thankYou'; form: PublicForm }
  /**
   * A page on which the saved trigger is armed, once per load. `isGuardOver` simulates a visitor
   * for whom the arming guard has ended.
   */
  | { show: 'popup'; form: PublicForm; isGuardOver: boolean };

/** What the preview reports to the dashboard in the message `{svcPreview}`. */
export type PreviewEvent = 'ready' | 'armed' | 'opened' | 'converted' | 'declined' | 'closed';
