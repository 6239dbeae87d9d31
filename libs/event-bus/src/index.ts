export { DURABLES } from './port/durables.ts';
export { EventBusError } from './port/port.ts';
export type {
  BusMessage,
  ConsumeOptions,
  Consumption,
  DeferredAck,
  DeliveredMessage,
  EventBus,
  Position,
} from './port/port.ts';
export { formatPosition, readPosition, sequenceOf } from './port/position.ts';
