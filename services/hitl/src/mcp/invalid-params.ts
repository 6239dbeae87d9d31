import { readInput, type Issue } from '@svcforms/contracts';
import { z } from 'zod';

const metadata = {
  _meta: z.looseObject({ progressToken: z.union([z.string(), z.int()]).optional() }).optional(),
};
const cursor = z.string().optional();
const list = z.looseObject({ ...metadata, cursor }).optional();
/** The SDK parses it as a URL, which takes minutes for a very long host. */
const uri = z.string().max(2_000);
const byTaskId = z.looseObject({ ...metadata, taskId: z.string() });

/** What the protocol requires of the params of a request, by method. */
const PARAMS = new Map<string, z.ZodType>(
  Object.entries({
    initialize: z.looseObject({
      ...metadata,
      protocolVersion: z.string(),
      capabilities: z.looseObject({}),
      clientInfo: z.looseObject({ name: z.string(), version: z.string() }),
    }),
    'tools/call': z.looseObject({
      ...metadata,
      name: z.string(),
      arguments: z.record(z.string(), z.unknown()).optional(),
      task: z.looseObject({ ttl: z.number().optional() }).optional(),
    }),
    'tools/list': list,
    'resources/read': z.looseObject({ ...metadata, uri }),
    'resources/list': list,
    'resources/templates/list': list,
    'tasks/get': byTaskId,
    'tasks/result': byTaskId,
    'tasks/cancel': byTaskId,
    'tasks/update': byTaskId,
    'tasks/list': list,
  }),
);

const Request = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int()]),
  method: z.string(),
});

/** A request whose params the SDK would refuse, in the words of its schema library. */
interface RefusedRequest {
  id: string | number;
  issues: Issue[];
}

/** Finds invalid params. Anything but a request of a known method is for the SDK. */
export function findInvalidParams(message: unknown): RefusedRequest | undefined {
  const request = Request.safeParse(message);
  const params = request.success ? PARAMS.get(request.data.method) : undefined;
  if (!request.success || !params) return undefined;
  const reading = readInput(z.looseObject({ params }), message);
  return reading.ok ? undefined : { id: request.data.id, issues: reading.issues };
}
