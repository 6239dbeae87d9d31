import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The server behind the development server (`npx vite dashboard`). */
const BACKEND = 'http://localhost:8080';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // forms-api replaces this with the nonce of each response: services/forms-api/src/dashboard.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    target: 'es2022',
    // Inlined files would be data: URLs, which the content security policy allows only for images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1024,
  },
  server: { proxy: Object.fromEntries(['/api', '/embed', '/f/', '/docs'].map((path) => [path, BACKEND])) },
});
