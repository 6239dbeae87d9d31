/**
 * The CSP nonce of the page, for styles that scripts add. Browsers hide the attribute, but not the
 * property. Empty on the development server.
 */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// react-remove-scroll, which locks the page behind dialogs, reads the nonce from this global.
Object.assign(globalThis, { __webpack_nonce__: nonce });
