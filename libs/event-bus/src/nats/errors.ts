import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import {
  AuthorizationError,
  NoRespondersError,
  PermissionViolationError,
  RequestError,
  UserAuthenticationExpiredError,
} from '@nats-io/transport-node';
import { EventBusError } from '../port/port.ts';

/** Error codes of the server that the client library doesn't define. */
const ACCOUNT_LIMIT = 10002;
const INSUFFICIENT_RESOURCES = 10023;
const INSUFFICIENT_STORAGE = 10047;
const STORE_FAILED = 10077;

/** Too few servers of the cluster respond for the number of replicas. */
const NO_PEERS = 10005;
/** A server that isn't part of a cluster can't have replicas. */
const NOT_CLUSTERED = 10074;

const NO_MESSAGE = 10037;
const NO_SEQUENCE = 10043;
const DELETE_FAILED = 10057;

function apiCode(error: unknown): number | undefined {
  return error instanceof JetStreamApiError ? error.code : undefined;
}

export function isStreamNotFound(error: unknown): boolean {
  return apiCode(error) === JetStreamApiCodes.StreamNotFound;
}

export function isConsumerNotFound(error: unknown): boolean {
  return apiCode(error) === JetStreamApiCodes.ConsumerNotFound;
}

/** Whether the message to delete doesn't exist. */
export function isMessageNotFound(error: unknown): boolean {
  const code = apiCode(error);
  if (code === DELETE_FAILED) return error instanceof Error && /not found|no message/.test(error.message);
  return code === NO_MESSAGE || code === NO_SEQUENCE;
}

/** Whether no stream has the subject of the publish, or responds to the request. */
export function isNoResponders(error: unknown): boolean {
  if (error instanceof RequestError) return error.isNoResponders();
  return error instanceof NoRespondersError;
}

/** Whether the server refused to reserve or use storage. */
export function isNoRoom(error: unknown): boolean {
  const code = apiCode(error);
  if (code === STORE_FAILED) return error instanceof Error && error.message.includes('maximum bytes');
  return code === ACCOUNT_LIMIT || code === INSUFFICIENT_RESOURCES || code === INSUFFICIENT_STORAGE;
}

/** Whether the cluster has too few servers, now or in general. */
export function hasTooFewServers(error: unknown): boolean {
  return apiCode(error) === NO_PEERS;
}

export function isNotClustered(error: unknown): boolean {
  return apiCode(error) === NOT_CLUSTERED;
}

/** Whether the permissions of the user don't include the subject. */
export function isForbidden(error: unknown): boolean {
  const { cause } = error instanceof Error ? error : {};
  return error instanceof PermissionViolationError || cause instanceof PermissionViolationError;
}

function isDenied(error: unknown): boolean {
  if (error instanceof UserAuthenticationExpiredError) return true;
  // A slow connection can't finish in time, whatever its credentials are.
  return error instanceof AuthorizationError && !/timeout/i.test(error.message);
}

/**
 * Converts an error of the client library to one of the port. `what` describes the failed
 * operation.
 */
export function busErrorFrom(error: unknown, what: string): EventBusError {
  if (error instanceof EventBusError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const code = isNoRoom(error) ? 'FULL' : isDenied(error) ? 'DENIED' : 'UNAVAILABLE';
  return new EventBusError(code, `${what}: ${reason}`, { cause: error });
}
