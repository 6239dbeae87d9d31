import { Code, Stack, Text } from '@mantine/core';
import { shownJson, shownText, type TaskOut } from '@svcforms/contracts';
import { CodeBlock } from '../../components/code-block.tsx';
import { Time } from '../../components/time.tsx';
import { inboxTexts as texts } from '../../texts/inbox.ts';

/** The action that runs after the approval, exactly as it runs. */
export function TaskAction({ task }: { task: TaskOut }) {
  if (!task.action) return null;
  return (
    <Stack gap={4}>
      <CodeBlock title={texts.action(shownText(task.action.tool))} code={shownJson(task.action.args)} />
      <Text size="sm" c="dimmed">
        {texts.actionHelp} {texts.digest}: <Code>{task.actionDigest}</Code>
      </Text>
      {task.receiptRedeemedAt && (
        <Text size="sm">
          {texts.receiptRedeemed} <Time at={task.receiptRedeemedAt} />
        </Text>
      )}
    </Stack>
  );
}
