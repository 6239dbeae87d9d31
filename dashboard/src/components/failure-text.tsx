import { Code, Text } from '@mantine/core';
import { isApiError, otherErrors } from '../api/api-error.ts';
import { shellTexts } from '../texts/shell.ts';

/**
 * The error message, and the request id for the operator. Errors of single values are listed,
 * except for the paths of `inputs`, which show their errors themselves. `nameOf` says what users
 * call the value at a path. `conflict` says in the words of the screen what somebody else did
 * meanwhile.
 */
export function FailureText({
  error,
  inputs = [],
  nameOf,
  conflict,
}: {
  error: Error;
  inputs?: readonly string[];
  nameOf?: ((parts: readonly string[]) => string) | undefined;
  conflict?: string | undefined;
}) {
  const requestId = isApiError(error) ? error.requestId : undefined;
  return (
    <>
      <Text component="span" display="block">
        {isApiError(error) && error.code === 'CONFLICT' && conflict ? conflict : error.message}
      </Text>
      {otherErrors(error, inputs, nameOf).map((text) => (
        <Text key={text} component="span" display="block">
          {text}
        </Text>
      ))}
      {requestId && (
        <Text size="xs" component="span" display="block">
          {shellTexts.requestId}: <Code>{requestId}</Code>
        </Text>
      )}
    </>
  );
}
