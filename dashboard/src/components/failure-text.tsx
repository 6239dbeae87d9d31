import { Code, Text } from '@mantine/core';
import { isApiError } from '../api/api-error.ts';
import { shellTexts } from '../texts/shell.ts';

/** The error message, and the request id for the operator. */
export function FailureText({ error }: { error: Error }) {
  const requestId = isApiError(error) ? error.requestId : undefined;
  return (
    <>
      <Text component="span" display="block">
        {error.message}
      </Text>
      {requestId && (
        <Text size="xs" component="span" display="block">
          {shellTexts.requestId}: <Code>{requestId}</Code>
        </Text>
      )}
    </>
  );
}
