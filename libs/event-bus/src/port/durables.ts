/**
 * The durable names of the product's consumers. The dispatcher consumes under both; other services
 * report how far behind it is, in case it can't do so itself.
 */
export const DURABLES = { fanOut: 'dispatcher', mail: 'notifier' } as const;
