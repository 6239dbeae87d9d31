import { SimpleGrid, Stack, Table, Text } from '@mantine/core';
import type { Plan } from '@svcforms/contracts';
import { useMe } from '../../api/session.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { Page } from '../../components/page.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { exactTime } from '../../components/time-format.ts';
import { settingsTexts } from '../../texts/settings.ts';
import { LoginPolicy } from './login-policy.tsx';
import { SlackChannelForm } from './slack-channel-form.tsx';

const texts = settingsTexts.account;
/** docs/reference/authentication.md#plans */
const WITH_INBOUND: readonly Plan[] = ['pro', 'business'];

export function AccountScreen() {
  const { account } = useMe();
  const facts = [
    [texts.name, account.name],
    [texts.id, account.id],
    [texts.plan, texts.plans[account.plan]],
    [texts.since, exactTime(account.createdAt)],
  ] as const;
  const includes = [
    [texts.includes.rest, true],
    [texts.includes.inbound, WITH_INBOUND.includes(account.plan)],
  ] as const;
  return (
    <Page title={texts.title} of={settingsTexts.title}>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl" verticalSpacing="lg">
        <Table variant="vertical" maw={640} style={{ alignSelf: 'start' }}>
          <Table.Tbody>
            {facts.map(([label, value]) => (
              <Table.Tr key={label}>
                <Table.Th w={120}>{label}</Table.Th>
                <Table.Td>{value}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Stack gap="xs" maw={640}>
          <Text fw={600}>{texts.feature}</Text>
          {includes.map(([feature, isIncluded]) => (
            <Stack key={feature} gap={4} align="flex-start">
              <Text>{feature}</Text>
              <StatusBadge tone={isIncluded ? 'good' : 'neutral'}>
                {isIncluded ? texts.included : texts.notIncluded}
              </StatusBadge>
            </Stack>
          ))}
          <Text c="dimmed">{texts.change}</Text>
          {!WITH_INBOUND.includes(account.plan) && (
            <CodeBlock title={texts.command} code={`npm run admin -- account set-plan ${account.id} pro`} />
          )}
        </Stack>
        <SlackChannelForm />
        <LoginPolicy />
      </SimpleGrid>
    </Page>
  );
}
