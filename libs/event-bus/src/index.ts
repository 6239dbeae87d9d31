export { DURABLES } from './port/durables.ts';
export { EventBusError } from './port/port.ts';
export type {
  BroadcastListener,
  BusMessage,
  ConsumeOptions,
  Consumption,
  DeferredAck,
  DeliveredMessage,
  ErasedEvents,
  EventBus,
  Position,
  SharedValue,
  SharedValues,
} from './port/port.ts';
export { formatPosition, readPosition, sequenceOf } from './port/position.ts';
