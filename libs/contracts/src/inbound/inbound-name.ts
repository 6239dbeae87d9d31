/** Name of an inbound endpoint whose owner gave it none, and of those stored before endpoints had names. */
export const DEFAULT_INBOUND_NAME = 'Inbound endpoint';
