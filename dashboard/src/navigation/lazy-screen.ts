import { lazyRouteComponent } from '@tanstack/react-router';

/**
 * Loads a screen when it is opened. The router reloads the page if the screen's file is missing, as
 * after a deployment. While the browser is offline, that would replace the dashboard with the
 * browser's error page.
 */
export const lazyScreen: typeof lazyRouteComponent = (importer, exportName) =>
  lazyRouteComponent(
    () =>
      importer().catch((error: unknown) => {
        if (navigator.onLine) throw error;
        // The router knows the error of a missing file by its message.
        throw new Error('The browser is offline.', { cause: error });
      }),
    exportName,
  );
