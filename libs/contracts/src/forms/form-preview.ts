import type { PublicForm } from './public-form.ts';

/** What `/embed/preview`, in a frame of the dashboard, is asked to show, as a message. */
export type PreviewRequest =
  /** The form as it stands in a page; again with each change. */
  | { show: 'form'; form: PublicForm }
  /** What a visitor gets after submitting. */
  | { show: 'thankYou'; form: PublicForm }
  /** A page on which the saved trigger is armed; once a load. `isGuardOver`: as if the visitor had been here for long. */
  | { show: 'popup'; form: PublicForm; isGuardOver: boolean };

/** What the preview tells the page around it, as `{svcPreview}`. */
export type PreviewEvent = 'ready' | 'armed' | 'opened' | 'converted' | 'declined' | 'closed';
