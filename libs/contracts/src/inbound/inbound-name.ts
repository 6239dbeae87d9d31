/** Name of an inbound endpoint that was created without one, or before endpoints had names. */
export const DEFAULT_INBOUND_NAME = 'Inbound endpoint';
