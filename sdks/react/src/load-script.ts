/** A form that is shown, or that will be when the script has loaded. */
interface Rendered {
  destroy: () => void;
}

/** The options of `SvcForms.render`. */
export interface RenderOptions {
  lang?: string | undefined;
  prefill?: boolean | undefined;
  page?: boolean | undefined;
  shareValues?: boolean | undefined;
  dataLayer?: boolean | string | undefined;
}

type Target = [element: Element, formId: string, options?: RenderOptions];

interface Call extends Rendered {
  args: Target;
  isOver?: boolean;
}

/** `window.SvcForms`: the script, or a stub that keeps calls until it has loaded. */
export interface SvcForms {
  render: (...args: Target) => Rendered;
  open?: (formId: string) => Promise<boolean>;
  close?: () => void;
  /** Only the stub has it. */
  calls?: Call[];
}

type Page = typeof window & { SvcForms?: SvcForms };

/** Resolve when the script of an address has loaded. */
const loading = new Map<string, Promise<void>>();

/**
 * Loads the script once per page, and returns `SvcForms`: the one of the script, or a stub until
 * then. Must only run in browsers.
 * @param src the address of `embed.js`
 * @param nonce of the page's content security policy
 */
export function loadScript(src: string, nonce?: string): { forms: SvcForms; loaded: Promise<void> } {
  const page = window as Page;
  page.SvcForms ??= createStub();
  let loaded = loading.get(src);
  if (!loaded) {
    loaded = page.SvcForms.calls ? addScript(src, nonce) : Promise.resolve();
    loading.set(src, loaded);
    // A later component tries again.
    loaded.catch(() => loading.delete(src));
  }
  return { forms: page.SvcForms, loaded };
}

function createStub(): SvcForms {
  const calls: Call[] = [];
  return {
    calls,
    render(...args) {
      const call: Call = {
        args,
        destroy() {
          call.isOver = true;
        },
      };
      calls.push(call);
      return call;
    },
  };
}

function addScript(src: string, nonce: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.async = true;
    if (nonce) script.nonce = nonce;
    script.src = src;
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => {
      script.remove();
      reject(new Error(`SvcForms: ${src} could not be loaded`));
    });
    document.head.append(script);
  });
}
