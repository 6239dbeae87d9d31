import { createContext } from 'react';

/** The ids of the submissions in the list, in its order, for the drawer beside it. */
export const ShownSubmissions = createContext<readonly string[]>([]);
