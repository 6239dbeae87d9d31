import { useEffect, useRef, type HTMLAttributes, type ReactElement } from 'react';
import type { ErrorDetail, FormDetail, FormEvents, StepDetail, SubmittedDetail } from './events.ts';
import { loadScript, type RenderOptions } from './load-script.ts';

type Handled = 'onError';

/** Other props go to the `div` around the form. */
export interface SvcFormProps extends Omit<HTMLAttributes<HTMLDivElement>, Handled | 'children' | 'lang'> {
  /** The form, `frm_…`. */
  formId: string;
  /** The address of `embed.js`, such as `https://forms.example.com/embed.js`. */
  src: string;
  /** The language of the form. Default: that of the page. */
  lang?: string | undefined;
  /** Fills fields from the query of the page's URL. */
  prefill?: boolean | undefined;
  /** Sends the page's URL with each submission. */
  sendPage?: boolean | undefined;
  /** Adds what the visitor submitted to `onSubmitted`, and to the event `svc:submitted`. */
  shareValues?: boolean | undefined;
  /** Pushes the events to `dataLayer`, or to the array with this name. */
  dataLayer?: boolean | string | undefined;
  /** The nonce of the page's content security policy. */
  nonce?: string | undefined;
  onShown?: ((detail: FormDetail) => void) | undefined;
  onStep?: ((detail: StepDetail) => void) | undefined;
  onSubmitted?: ((detail: SubmittedDetail) => void) | undefined;
  /** The browser or the service refused what the visitor sent. */
  onError?: ((detail: ErrorDetail) => void) | undefined;
  /** The script can't be loaded. */
  onLoadError?: ((error: Error) => void) | undefined;
}

type Handlers = { [Name in keyof FormEvents]: ((detail: FormEvents[Name]) => void) | undefined };

/**
 * Shows a form. On a server it renders an empty `div`. The form is rendered again only if one of
 * its own props changes; handlers may change at any time.
 */
export function SvcForm({
  formId,
  src,
  lang,
  prefill,
  sendPage,
  shareValues,
  dataLayer,
  nonce,
  onShown,
  onStep,
  onSubmitted,
  onError,
  onLoadError,
  ...rest
}: SvcFormProps): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  const handlers = useRef<Handlers & { load: SvcFormProps['onLoadError'] }>(null);
  useEffect(() => {
    handlers.current = {
      shown: onShown,
      step: onStep,
      submitted: onSubmitted,
      error: onError,
      load: onLoadError,
    };
  });
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    let isOver = false;
    const stopListening = listen(formId, (name, detail) => handlers.current?.[name]?.(detail as never));
    const { forms, loaded } = loadScript(src, nonce);
    const options: RenderOptions = { lang, prefill, page: sendPage, shareValues, dataLayer };
    const rendered = forms.render(element, formId, options);
    loaded.catch((error: unknown) => isOver || handlers.current?.load?.(error as Error));
    return () => {
      isOver = true;
      stopListening();
      rendered.destroy();
    };
  }, [formId, src, lang, prefill, sendPage, shareValues, dataLayer, nonce]);
  return <div {...rest} ref={place} />;
}

/** Listens to the events of the inline form. Events of its popups have another placement. */
function listen(formId: string, hear: (name: keyof FormEvents, detail: FormDetail) => void): () => void {
  const listeners = (['shown', 'step', 'submitted', 'error'] as const).map((name) => {
    const listener = (event: Event) => {
      const { detail } = event as CustomEvent<FormDetail>;
      if (detail.formId === formId && detail.placement === 'inline') hear(name, detail);
    };
    document.addEventListener(`svc:${name}`, listener);
    return [`svc:${name}`, listener] as const;
  });
  return () => listeners.forEach(([type, listener]) => document.removeEventListener(type, listener));
}
