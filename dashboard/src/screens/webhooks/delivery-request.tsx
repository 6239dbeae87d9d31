import { Alert, Box, Group, Stack, Text, Title } from '@mantine/core';
import type { DeliveryRequestOut } from '@svcforms/contracts';
import { CodeBlock } from '../../components/code-block.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { shellWord } from '../../components/shell-word.ts';
import { webhooksTexts } from '../../texts/webhooks.ts';

const texts = webhooksTexts.delivery;

/** The request that an attempt of the delivery sends now. */
export function DeliveryRequest({
  request,
  erasedAt,
}: {
  request: DeliveryRequestOut;
  erasedAt: string | undefined;
}) {
  const { url, headers, body, message } = request;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <Box component="section" aria-label={texts.request}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" wrap="nowrap">
          <Box>
            <Title order={3} size="h4">
              {texts.request}
            </Title>
            <Text c="dimmed">{texts.requestText}</Text>
          </Box>
          {body !== null && (
            <CopyButton
              text={curlCommand(request)}
              what={texts.request}
              label={texts.curl}
              miw="max-content"
            />
          )}
        </Group>
        <CodeBlock title={texts.requestHeaders} code={[`POST ${url}`, ...lines].join('\n')} />
        {body !== null && <CodeBlock title={texts.requestBody} code={indented(body)} />}
        {body === null && (
          <Alert variant="outline" color={erasedAt ? 'gray' : 'red'}>
            <Text>{erasedAt ? texts.erased : texts.notRendered}</Text>
            {message && <Text>{message}</Text>}
          </Alert>
        )}
      </Stack>
    </Box>
  );
}

/** The request as a command for a POSIX shell, with the bytes of the body. */
function curlCommand({ url, headers, body }: DeliveryRequestOut): string {
  return [
    `curl ${shellWord(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    `--data-binary ${shellWord(body ?? '')}`,
  ].join(' \\\n  ');
}

/** JSON with indentation, as it is easier to read. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
