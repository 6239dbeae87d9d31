import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './app/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';

const place = document.getElementById('root');
if (!place) throw new Error('index.html has no place for the dashboard');
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
