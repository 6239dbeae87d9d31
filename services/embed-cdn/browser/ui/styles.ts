/**
 * Lengths are in em of the visitor's font size, and sides are logical. All colors derive from the
 * accent, the background and the text, which come from the page, the theme or the system. Internal
 * custom properties begin with three dashes, because those of the page are inherited and its
 * `@property` rules reach into shadow trees.
 * docs/reference/themes.md#css-custom-properties
 */
export const STYLES = `
:host{all:initial!important;color:inherit!important;color-scheme:inherit!important;transition:color 1ms!important;font-family:inherit!important;display:block!important}
:host(.svc-modal){position:fixed!important}
*{box-sizing:border-box}
[hidden]{display:none!important}
.root{font:400 1em/1.5 var(--svc-font,var(---font,system-ui,sans-serif));---a:var(--svc-accent,var(---accent,#4f46e5));---r:var(--svc-radius,var(---radius,8px));---b:var(--svc-background,var(---background,Canvas));---t:var(--svc-text,var(---text,color-mix(in srgb,CanvasText 88%,Canvas)));---line:color-mix(in srgb,var(---t) 52%,var(---b));---hair:color-mix(in srgb,var(---t) 18%,var(---b));---soft:color-mix(in srgb,var(---t) 8%,var(---b));color:var(---t);border:1px solid var(---hair);border-radius:var(---r);background:var(---b);width:min(100%,var(--svc-width,var(---width,40em)));---on:var(--svc-accent-text,var(---on-accent,#fff));---s:var(--svc-space,var(---space,1em));margin-inline:auto;overflow-wrap:anywhere}
dialog{box-shadow:0 1.5em 4em -1em #0008;max-height:calc(100dvh - 2em);overflow:auto;overscroll-behavior:contain;width:min(var(--svc-width,var(---width,29em)),100vw - 2em)!important;padding:0}
dialog[open]{display:grid}
dialog>*{grid-area:1/1;min-width:0}
dialog::backdrop{background:#0b0d1299}
form,.done{padding:calc(var(---s)*1.75);margin:0}
h1,h2{letter-spacing:-.012em;font-weight:650;margin:0 0 calc(var(---s)*1.1);text-wrap:balance;line-height:1.25;font-size:1.4em}
.modal :is(h1,h2){padding-inline-end:1.4em}
:lang(ar){letter-spacing:0}
p{white-space:pre-line;margin:0}
.field{padding:0;margin:0 0 calc(var(---s)*1.2);border:0;min-width:0}
label,legend{padding:0;font-weight:550;margin-bottom:.4em;font-size:.9375em;display:block}
.mark{color:var(---e)}
.text,button{color:inherit;font:inherit;border-radius:var(---r);min-height:calc(1.75em + var(---s))}
.text{padding:.6em .85em;accent-color:var(---a);border:1px solid var(---line);background:var(---b);width:100%;margin:0}
textarea.text{resize:vertical;min-height:6.5em;display:block}
.text::placeholder{color:var(---m);opacity:1}
.wrong .text{box-shadow:inset 0 0 0 1px var(---e);border-color:var(---e)}
small{color:var(---m);margin-top:.4em;font-size:.875em;display:block}
.error{color:var(---e);font-weight:550;gap:.5em;display:flex;margin-top:.45em;font-size:.875em}
.error::before{color:var(---b);width:1.3em;content:"!";height:1.3em;content:"!"/"";font-weight:700;border-radius:50%;line-height:1.3;text-align:center;flex:none;background:var(---e);margin-top:.1em}
.error.whole{margin:0 0 1em}
.error:empty{display:none}
:focus-visible,.text:focus-within{outline:2px solid var(---mark);outline-offset:2px}
.text:focus-within{border-color:var(---mark);outline-offset:0}
.buttons{align-items:center;flex-wrap:wrap;gap:.5em;display:flex;margin-top:calc(var(---s)*1.5)}
button{cursor:pointer;background:none;padding:.5em 1.2em;font-weight:600;border:0}
.primary{color:var(---on);background:var(---a);border:1px solid #0000}
.modal .primary{flex:auto}
[aria-disabled=true]{cursor:progress;opacity:.75}
.close{color:var(---m);inset-block-start:.5em;justify-self:end;min-height:0;border-radius:50%;line-height:1;background:var(---b);width:44px;margin:.5em;z-index:1;height:44px;position:sticky;font-size:1.5em;padding:0;font-weight:400}
.done{padding-block:calc(var(---s)*2.5);outline:0;text-align:center}
.done :is(h1,h2){padding:0;margin:0 0 .4em}
.done p{color:var(---m)}
.ok::before{width:2em;content:"✓";content:"✓"/"";font-weight:700;border-radius:50%;line-height:2;font-size:1.75em;color:var(---on);background:var(---a);margin:0 auto .6em;display:block}
.away{overflow:hidden;height:1px;margin:-1px;clip-path:inset(50%);width:1px;position:absolute}
@media(max-width:30em){.buttons{justify-content:center}.primary{flex:auto}form,.done{padding-inline:calc(var(---s)*1.25)}}
@media(hover:hover){.text:hover{border-color:var(---t)}button:hover{background:var(---soft)}.primary:hover{box-shadow:0 0 0 3px color-mix(in srgb,var(---a) 30%,#0000);background:var(---a)}}
@media(prefers-reduced-motion:no-preference){dialog[open]{animation:rise .2s cubic-bezier(.2,.8,.2,1)}.ok::before{animation:rise .3s}.text,button{transition:border-color .12s,background .12s,box-shadow .12s}@keyframes rise{from{transform:translateY(1em);opacity:0}}}
@media print{:host(.svc-modal){display:none!important}}
@media(forced-colors:active){.error::before{color:CanvasText}}
`.replace(/\n/g, '');
