export { EventBusError } from './port.ts';
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
} from './port.ts';
export { formatPosition, readPosition } from './position.ts';
