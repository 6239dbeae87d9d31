export { EventBusError } from './port.ts';
export type {
  BusMessage,
  ConsumeOptions,
  Consumption,
  ErasedEvents,
  EventBus,
  EventBusErrorCode,
  HandedMessage,
  Position,
  Unsettled,
} from './port.ts';
export { formatPosition, readPosition } from './position.ts';
