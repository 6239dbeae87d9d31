import type { PublicForm } from '@svcforms/contracts';

/** The input of the UI chunk. */
export interface FormView {
  form: PublicForm;
  /** Origin of the service. */
  base: string;
  /** Whether fields are prefilled from the page's query string. */
  prefill: boolean;
  /** Whether the submission contains the page's URL. */
  page: boolean;
  onConverted: () => void;
  /** Whether events may be counted. Absent in cached loaders of earlier versions. */
  mayCount?: () => Promise<boolean>;
}

export type CloseKind = 'passive' | 'declined' | 'other';

/** The input of a popup. */
export interface PopupView extends FormView {
  /** Whether the visitor asked for it. Absent in cached loaders of earlier versions. */
  isWanted?: boolean;
  onClose: (kind: CloseKind) => void;
}

/** Shows forms, with all the parts that the form needs. */
export interface Ui {
  openModal: (view: PopupView) => { close: () => void };
  /** Returns a function that removes the form. */
  renderInline: (view: FormView & { tag: Element }) => () => void;
}

/** The exports of the UI chunk. */
export interface UiChunk {
  /**
   * Loads the parts of the renderer that the form needs, and the texts in its language. Cached
   * loaders of earlier versions send no tag. `isInline`: whether `renderInline` will be called.
   */
  prepare: (form: PublicForm, tag?: Element | null, isInline?: boolean) => Promise<Ui>;
}
