/**
 * Of this page: styles that are made while it runs carry it. Browsers hide the attribute, hence the property.
 * Absent under the development server.
 */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// What locks the page behind dialogs (react-remove-scroll) asks for it by this name.
Object.assign(globalThis, { __webpack_nonce__: nonce });
