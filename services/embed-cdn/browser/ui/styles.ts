/**
 * Lengths are in em of the visitor's font size, and sides are logical. All colors derive from the
 * accent, the background and the text, which come from the page, the theme or the system. Internal
 * custom properties begin with three dashes, because those of the page are inherited and its
 * `@property` rules reach into shadow trees.
 * docs/reference/themes.md#css-custom-properties
 */
export const STYLES = `
:host{all:initial!important;display:block!important;color:inherit!important;font-family:inherit!important;color-scheme:inherit!important;transition:color 1ms!important}
:host(.svc-modal){position:fixed!important}
*{box-sizing:border-box}
[hidden]{display:none!important}
.root{---a:var(--svc-accent,var(---accent,#4f46e5));---b:var(--svc-background,var(---background,Canvas));---t:var(--svc-text,var(---text,color-mix(in srgb,CanvasText 88%,Canvas)));---r:var(--svc-radius,var(---radius,8px));---s:var(--svc-space,var(---space,1em));---on:var(--svc-accent-text,var(---on-accent,#fff));---line:color-mix(in srgb,var(---t) 52%,var(---b));---hair:color-mix(in srgb,var(---t) 18%,var(---b));---soft:color-mix(in srgb,var(---t) 8%,var(---b));background:var(---b);color:var(---t);font:400 1em/1.5 var(--svc-font,var(---font,system-ui,sans-serif));border:1px solid var(---hair);border-radius:var(---r);width:min(100%,var(--svc-width,var(---width,40em)));margin-inline:auto;overflow-wrap:anywhere}
dialog{padding:0;width:min(var(--svc-width,var(---width,29em)),100vw - 2em)!important;max-height:calc(100dvh - 2em);overflow:auto;overscroll-behavior:contain;box-shadow:0 1.5em 4em -1em #0008}
dialog[open]{display:grid}
dialog>*{grid-area:1/1;min-width:0}
dialog::backdrop{background:#0b0d1299}
form,.done{padding:calc(var(---s)*1.75);margin:0}
h1,h2{font-size:1.4em;font-weight:650;line-height:1.25;letter-spacing:-.012em;margin:0 0 calc(var(---s)*1.1);text-wrap:balance}
.modal :is(h1,h2){padding-inline-end:1.4em}
:lang(ar){letter-spacing:0}
p{margin:0;white-space:pre-line}
.field{margin:0 0 calc(var(---s)*1.2);padding:0;border:0;min-width:0}
label,legend{font-weight:550;font-size:.9375em;padding:0;margin-bottom:.4em;display:block}
.mark{color:var(---e)}
.text,button{font:inherit;color:inherit;border-radius:var(---r);min-height:calc(1.75em + var(---s))}
.text{background:var(---b);border:1px solid var(---line);padding:.6em .85em;width:100%;margin:0;accent-color:var(---a)}
textarea.text{min-height:6.5em;resize:vertical;display:block}
.text::placeholder{color:var(---m);opacity:1}
.wrong .text{border-color:var(---e);box-shadow:inset 0 0 0 1px var(---e)}
small{display:block;font-size:.875em;color:var(---m);margin-top:.4em}
.error{display:flex;gap:.5em;color:var(---e);font-size:.875em;font-weight:550;margin-top:.45em}
.error::before{content:"!";content:"!"/"";flex:none;width:1.3em;height:1.3em;margin-top:.1em;border-radius:50%;background:var(---e);color:var(---b);font-weight:700;line-height:1.3;text-align:center}
.error.whole{margin:0 0 1em}
.error:empty{display:none}
:focus-visible,.text:focus-within{outline:2px solid var(---mark);outline-offset:2px}
.text:focus-within{border-color:var(---mark);outline-offset:0}
.buttons{display:flex;flex-wrap:wrap;gap:.5em;align-items:center;margin-top:calc(var(---s)*1.5)}
button{font-weight:600;cursor:pointer;padding:.5em 1.2em;border:0;background:none}
.primary{background:var(---a);color:var(---on);border:1px solid #0000}
.modal .primary{flex:auto}
[aria-disabled=true]{cursor:progress;opacity:.75}
.close{position:sticky;inset-block-start:.5em;justify-self:end;margin:.5em;width:44px;height:44px;min-height:0;padding:0;font-size:1.5em;font-weight:400;line-height:1;color:var(---m);background:var(---b);border-radius:50%;z-index:1}
.done{text-align:center;outline:0;padding-block:calc(var(---s)*2.5)}
.done :is(h1,h2){padding:0;margin:0 0 .4em}
.done p{color:var(---m)}
.ok::before{content:"✓";content:"✓"/"";display:block;width:2em;margin:0 auto .6em;border-radius:50%;background:var(---a);color:var(---on);font-size:1.75em;font-weight:700;line-height:2}
.away{position:absolute;clip-path:inset(50%);width:1px;height:1px;margin:-1px;overflow:hidden}
@media(max-width:30em){.buttons{justify-content:center}.primary{flex:auto}form,.done{padding-inline:calc(var(---s)*1.25)}}
@media(hover:hover){.text:hover{border-color:var(---t)}button:hover{background:var(---soft)}.primary:hover{background:var(---a);box-shadow:0 0 0 3px color-mix(in srgb,var(---a) 30%,#0000)}}
@media(prefers-reduced-motion:no-preference){dialog[open]{animation:rise .2s cubic-bezier(.2,.8,.2,1)}.ok::before{animation:rise .3s}.text,button{transition:border-color .12s,background .12s,box-shadow .12s}@keyframes rise{from{opacity:0;transform:translateY(1em)}}}
@media print{:host(.svc-modal){display:none!important}}
@media(forced-colors:active){.error::before{color:CanvasText}}
`.replace(/\n/g, '');
