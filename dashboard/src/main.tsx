import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './app/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { keepButtonFocus } from './app/keep-button-focus.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root element');
keepButtonFocus();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
