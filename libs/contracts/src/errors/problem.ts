import { z } from 'zod';
import { ERRORS, type AppError, type ErrorCode } from './errors.ts';

const codes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** Body of every error response, as `application/problem+json` (RFC 9457). */
export const Problem = z
  .looseObject({
    type: z.string().meta({ description: 'Where this kind of failure is explained' }),
    title: z.string().meta({ description: 'The same for every failure of this code' }),
    status: z.int(),
    code: z.enum(codes).meta({ description: 'Stable, for programs' }),
    success: z.literal(false),
    message: z.string().meta({ description: 'What was wrong here and what to do instead, for people' }),
    requestId: z.string().meta({ description: 'Name it when you ask for help' }),
    errors: z
      .array(z.strictObject({ pointer: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'The refused values, by JSON pointer' }),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof Problem>;

/** Returns the response body for an error. */
export function problemOf(error: AppError, request: { id: string; baseUrl: string }): Problem {
  return {
    type: `${request.baseUrl}/docs/errors#${error.code}`,
    title: ERRORS[error.code].title,
    status: error.status,
    code: error.code,
    success: false,
    message: error.message,
    requestId: request.id,
    ...error.details.members,
    ...(error.details.issues ? { errors: [...error.details.issues] } : {}),
  };
}
