import { z } from 'zod';
import { ERRORS, type AppError, type ErrorCode } from './errors.ts';
import { PROBLEM_MEMBERS } from './problem-members.ts';

const codes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** Body of every error response, as `application/problem+json` (RFC 9457). */
export const Problem = z
  .looseObject({
    type: z.string().meta({ description: 'URL of the description of this error' }),
    title: z.string().meta({ description: 'Title of the error code' }),
    status: z.int(),
    code: z.enum(codes).meta({ description: 'Error code, stable for programs' }),
    success: z.literal(false),
    message: z.string().meta({ description: 'What is wrong with this request and what to do, for people' }),
    requestId: z.string().meta({ description: 'Id of the request; include it in support requests' }),
    errors: z
      .array(z.strictObject({ pointer: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'Invalid values, by JSON pointer' }),
    ...PROBLEM_MEMBERS,
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof Problem>;

/** The response body for `error`. */
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
