/**
 * Lengths are in em of the visitor's font size, colors come from the theme or the system, and sides
 * are logical. Errors use the text color so that they are legible on any background.
 */
export const STYLES = `
:host{all:initial!important;display:block!important}
:host(.modal){position:fixed!important}
*{box-sizing:border-box}
[hidden]{display:none!important}
.root{color-scheme:var(--scheme,light dark);background:var(--background,Canvas);color:var(--text,CanvasText);font:400 1em/1.5 var(--font,system-ui,sans-serif);border-radius:var(--radius,8px)}
dialog{position:fixed;inset:0;margin:auto;padding:0;border:0;width:min(32em,100vw - 2em);max-height:calc(100dvh - 2em);overflow:auto;overscroll-behavior:contain;box-shadow:0 1em 3em #0006}
dialog::backdrop{background:#0009}
form,.done{padding:1.5em;margin:0}
h1,h2{font-size:1.35em;line-height:1.3;margin:0 0 .8em;overflow-wrap:anywhere}
.modal h1,.modal h2{padding-inline-end:1.6em}
p{margin:0 0 1em;white-space:pre-line}
.field{margin:0 0 1.1em;padding:0;border:0;min-width:0}
label,legend{font-weight:600;padding:0;margin-bottom:.3em;display:block}
.option{font-weight:400;display:flex;gap:.6em;align-items:center;min-height:2em;margin:0;cursor:pointer}
.option input{width:1.25em;height:1.25em;margin:0;flex:none;accent-color:var(--accent,#1a56db)}
.rating{display:flex;flex-wrap:wrap;gap:.4em}
.rating .option{flex-direction:column;gap:.1em;min-width:2.75em;padding:.3em;border:1px solid;border-radius:calc(var(--radius,8px)/2)}
.text{font:inherit;color:inherit;background:transparent;border:1px solid;border-radius:calc(var(--radius,8px)/2);padding:.55em .7em;width:100%;min-height:2.75em;margin:0}
textarea.text{min-height:6em;resize:vertical}
select.text{background:var(--background,Canvas)}
.text::placeholder{color:inherit;opacity:.75}
small{display:block;font-size:.9em;margin-top:.25em;overflow-wrap:anywhere}
.error{font-weight:600;border-inline-start:4px solid #d32f2f;padding-inline-start:.5em;margin:.35em 0 0}
.error.whole{margin-bottom:1em}
.error:empty{display:none}
:focus-visible{outline:3px solid;outline-offset:2px}
.buttons{display:flex;flex-wrap:wrap;gap:.6em;align-items:center}
button{font:inherit;font-weight:600;cursor:pointer;min-height:2.75em;padding:.4em 1.2em;border-radius:calc(var(--radius,8px)/2);border:1px solid;background:transparent;color:inherit}
.primary{background:var(--accent,#1a56db);border-color:transparent;color:var(--on-accent,#fff)}
[aria-disabled=true]{cursor:progress}
.close{position:absolute;inset-block-start:.4em;inset-inline-end:.4em;width:44px;height:44px;min-height:44px;padding:0;border:0;font-size:1.4em;line-height:1;z-index:1}
.steps{display:flex;gap:.8em;align-items:center}
progress{flex:1;height:.5em;accent-color:var(--accent,#1a56db)}
.away{position:absolute;inset-inline-start:-99em;width:1px;height:1px;overflow:hidden}
@media(prefers-reduced-motion:no-preference){dialog[open]{animation:rise .18s ease-out}@keyframes rise{from{opacity:0;transform:translateY(1em)}}}
@media(forced-colors:active){.primary{border-color:ButtonText}}
`.replace(/\n/g, '');
