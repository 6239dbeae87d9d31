export { EventBusError } from './port/port.ts';
export type {
  BusMessage,
  ConsumeOptions,
  Consumption,
  DeferredAck,
  DeliveredMessage,
  ErasedEvents,
  EventBus,
  EventBusErrorCode,
  Position,
} from './port/port.ts';
export { formatPosition, readPosition } from './port/position.ts';
