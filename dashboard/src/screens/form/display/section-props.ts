import type { Popup } from '@svcforms/contracts';

/** What the sections of the display screen get. */
export interface SectionProps {
  popup: Popup;
  onChange: (popup: Popup) => void;
  /** The errors of the last save, by path below `settings.popup`. */
  error: (path: string) => string | undefined;
}
