import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Of the product that `npx vite dashboard` shows, while the screens change under one's hands. */
const PRODUCT = 'http://localhost:8080';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // forms-api puts the nonce of each answer in this place: services/forms-api/src/dashboard.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    target: 'es2022',
    // Inlined files would be data: addresses, which the policy lets only images be.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1024,
  },
  server: { proxy: Object.fromEntries(['/api', '/embed', '/f/', '/docs'].map((path) => [path, PRODUCT])) },
});
