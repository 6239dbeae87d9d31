// A separate file, so that the dashboard doesn't bundle the schemas of inbound endpoints.

/** The name of inbound endpoints that were created without one. */
export const DEFAULT_INBOUND_NAME = 'Inbound endpoint';
