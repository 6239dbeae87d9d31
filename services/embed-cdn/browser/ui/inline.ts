import type { FormView } from '../core/ui.ts';
import { renderForm } from './form.ts';
import { parts } from './parts.ts';
import { createHost } from './shadow.ts';
import type { SpokenView } from './spoken.ts';
import { applyTheme } from './theme.ts';

/**
 * Shows a form in the page. The code for it is a part, because popups don't need it.
 * @returns removes it
 */
export const renderInline = (view: SpokenView<FormView & { tag: Element }>): (() => void) =>
  (parts.inline as NonNullable<typeof parts.inline>).placeInline(
    view,
    // The class of the form distinguishes it from others in the page.
    createHost(`svc-inline ${view.form.id}`),
    renderForm,
    applyTheme,
  );
