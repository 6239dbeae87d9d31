import { POSITIONS_OF, type PublicForm } from '@svcforms/contracts';
import { closest } from '../core/click-target.ts';
import { element } from '../ui/dom.ts';

/** Elements of the page in which Escape has a meaning of its own. */
const TAKING = 'input,textarea,select,[contenteditable]:not([contenteditable=false]),dialog[open]';

const hasModal = () => CSS.supports('selector(:modal)') && document.querySelector('dialog:modal');

/**
 * Places the dialog in the window. A popup that doesn't cover the page is shown at once, and the
 * page stays usable: the focus stays where it is, and Escape on the page closes the popup too.
 * @returns what to undo when that popup closes; undefined if the dialog is to be shown as a modal
 */
export function place(
  dialog: HTMLDialogElement,
  { placement = 'modal', position }: PublicForm,
  dismiss: () => void,
): (() => void) | undefined {
  const positions = POSITIONS_OF[placement];
  // The usual corner is where a line ends; a chosen corner is the same in every language.
  const usual = positions?.[dialog.dir === 'rtl' && placement === 'slide-in' ? 1 : 0] ?? '';
  dialog.classList.add(placement, ...(position ?? usual).split('-').filter(Boolean));
  // Everything outside of the page's modal dialog is inert, except a modal that opens later.
  if (!positions || hasModal()) return undefined;
  const { host } = dialog.getRootNode() as ShadowRoot;
  // Popovers are in the top layer, above any z-index, but below a modal dialog that the page opens.
  (host as HTMLElement).popover = 'manual';
  (host as HTMLElement).showPopover?.();
  // `show()` would move the focus.
  dialog.open = true;

  // Screen readers read the name of a dialog only when it gets the focus.
  const status = element('p', { className: 'away', role: 'status' });
  dialog.append(status);
  // As the visitor sees it, with answers.
  const show = () => (status.textContent = dialog.querySelector('h1,h2')?.textContent ?? '');
  const timer = setTimeout(show, 100);

  const onKey = (event: KeyboardEvent) => {
    const isTaken = event.defaultPrevented || event.isComposing || closest(event, TAKING) || hasModal();
    if (event.key === 'Escape' && !isTaken) dismiss();
  };
  document.addEventListener('keydown', onKey);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('keydown', onKey);
  };
}

export const styles = `
:host(.svc-modal){z-index:2147483647!important}
dialog:is(.slide-in,.bar){position:fixed;z-index:1}
.slide-in,.bar{---from:0,1.5em}
dialog.slide-in{inset:auto;margin:0;width:min(var(--svc-width,var(---width,25em)),100vw - 2em)!important}
.slide-in.top{top:1em}.slide-in.bottom{bottom:calc(1em + env(safe-area-inset-bottom,0px))}
.slide-in.right{right:1em;---from:1.5em,0}.slide-in.left{left:1em;---from:-1.5em,0}
.slide-in :is(form,.done){padding:calc(var(---s)*1.4)}
.slide-in :is(h1,h2){font-size:1.2em}
:is(.slide-in,.fullscreen) .buttons>:not(.primary){margin-inline:auto}
.slide-in textarea.text{min-height:5em}
dialog.bar{inset:auto 0;margin:0;width:100%!important;max-width:none;max-height:min(70dvh,100dvh - 3em);border-radius:0;border-width:0;box-shadow:0 0 2em -.5em #0006}
.bar.top{top:0;border-bottom-width:1px;---from:0,-1.5em;padding-top:env(safe-area-inset-top,0px)}
.bar.bottom{bottom:0;border-top-width:1px;padding-bottom:env(safe-area-inset-bottom,0px)}
.bar .cover{display:none}
.bar form{display:flex;flex-wrap:wrap;align-items:end;gap:.8em 1em;max-width:72em;margin:auto;padding:.9em 4em .9em 1.5em;padding-inline:1.5em 4em}
.bar form :is(h1,h2){flex:1 1 11em;align-self:center;margin:0;padding:0;font-size:1.15em}
.bar .logo{height:2em;margin:0;align-self:center}
.bar .field{flex:1 1 13em;margin:0}
.bar div.field:not([hidden]){display:flex;flex-direction:column}
.bar div.field>:is(.text,.select){order:1}
.bar div.field>:is(small,.error){margin:0 0 .4em}
.bar textarea.text{min-height:0;height:calc(1.75em + var(---s))}
.bar .buttons{margin:0;margin-inline-start:auto}
.bar .buttons button{min-height:max(2.7em + 2px,1.75em + var(---s))}
.bar :is(.steps,.error.whole){flex:1 0 100%;margin:0}
.bar .close{align-self:center}
.bar .done{display:flex;flex-wrap:wrap;align-items:center;justify-content:center;gap:.3em .8em;padding:.9em 4em}
.bar .ok::before{margin:0;font-size:1em}
.bar .done :is(h1,h2){margin:0;font-size:1.15em}
dialog.fullscreen{width:100%!important;height:100%;max-width:none;max-height:none;border:0;border-radius:0;box-shadow:none;grid-auto-rows:minmax(max-content,1fr)}
.fullscreen>div{display:grid;grid-template-columns:100%;align-content:center;width:min(100%,var(--svc-width,var(---width,38em)));margin:0 auto;padding:3em 0;font-size:1.0625em}
.fullscreen :is(h1,h2){font-size:1.9em;padding:0}
.fullscreen .done :is(h1,h2){font-size:1.6em}
.fullscreen .cover{border-radius:var(---r)}
@media(max-width:40em){
.bar form{padding:.9em 1.1em;gap:.7em}
.bar form :is(h1,h2){flex:1 0 100%;padding-inline-end:2.4em;font-size:1.1em}
.bar .field{flex:1 0 100%}
.bar .buttons{flex:1 0 100%}
.bar .close{align-self:start;inset-block-start:.2em;margin:.2em}
.fullscreen :is(h1,h2){font-size:1.5em}}
@media(prefers-reduced-motion:no-preference){dialog[open]:is(.slide-in,.bar){animation:slide .3s cubic-bezier(.2,.8,.2,1)}dialog[open].fullscreen{animation:appear .2s}@keyframes slide{from{opacity:0;transform:translate(var(---from))}}@keyframes appear{from{opacity:0}}}
@media(forced-colors:active){dialog:is(.slide-in,.bar){border:2px solid CanvasText}}
`.replace(/\n/g, '');
