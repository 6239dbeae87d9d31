import { Alert, Button, Checkbox, Group, Paper, Stack, Table, Text } from '@mantine/core';
import type { AgentConsentOut, AgentConsentResultOut, AgentScope } from '@svcforms/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { agentConsentQuery, approveAgent, denyAgent } from '../../api/agents.ts';
import { useMe } from '../../api/session.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { agentTexts } from '../../texts/agents.ts';

const texts = agentTexts.consent;

/** Asks the user whether an agent may have access. docs/reference/mcp.md#connect-an-agent */
export function ConnectScreen() {
  const { consentId } = useParams({ from: '/shell/connect/$consentId' });
  const consent = useQuery(agentConsentQuery(consentId));
  return (
    <Page title={texts.title}>
      {consent.isPending && <Loading />}
      <FailureAlert error={consent.error} />
      {consent.data && <Consent id={consentId} consent={consent.data} />}
    </Page>
  );
}

function Consent({ id, consent }: { id: string; consent: AgentConsentOut }) {
  const me = useMe();
  const { name, account, redirectHost, clientHost, scopes, missingScopes } = consent;
  const [granted, setGranted] = useState<readonly AgentScope[]>(scopes);
  const leave = ({ redirectTo }: AgentConsentResultOut) => window.location.assign(redirectTo);
  const approve = useMutation({
    mutationFn: () => approveAgent(id, { scopes: scopes.filter((scope) => granted.includes(scope)) }),
    meta: { showsError: true },
    onSuccess: leave,
  });
  const deny = useMutation({
    mutationFn: () => denyAgent(id),
    meta: { showsError: true },
    onSuccess: leave,
  });
  const isLeaving = approve.isPending || deny.isPending || approve.isSuccess || deny.isSuccess;
  return (
    <Paper withBorder p="lg" maw={640}>
      <Stack>
        <Text fw={600} size="lg">
          {texts.question(name, account.name)}
        </Text>
        <Alert variant="outline">
          {clientHost === null ? texts.unverified : texts.publishedBy(clientHost)}
        </Alert>
        <Table variant="vertical" layout="fixed">
          <Table.Tbody>
            {[
              [texts.account, account.name],
              ...(clientHost === null ? [] : [[texts.published, clientHost]]),
              [texts.user, `${me.name} (${me.email})`],
              [texts.returnsTo, redirectHost === 'localhost' ? agentTexts.localhost : redirectHost],
            ].map(([label, value]) => (
              <Table.Tr key={label}>
                <Table.Th w="34%" scope="row">
                  {label}
                </Table.Th>
                <Table.Td>{value}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {scopes.length === 0 && <Text>{texts.noScopes}</Text>}
        {scopes.length > 0 && (
          <Checkbox.Group
            label={texts.scopes}
            value={[...granted]}
            onChange={(chosen) => setGranted(chosen as AgentScope[])}
            error={granted.length === 0 && texts.scopesMissing}
          >
            <Stack gap="xs" mt="xs">
              {scopes.map((scope) => (
                <Checkbox
                  key={scope}
                  value={scope}
                  label={agentTexts.scopeTexts[scope]}
                  description={scope}
                />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
        {missingScopes.length > 0 && <Text c="dimmed">{texts.missing(missingScopes.join(', '))}</Text>}
        <Text>{texts.neverDecides}</Text>
        <FailureAlert error={approve.error ?? deny.error} />
        <Group>
          <Button
            loading={approve.isPending || approve.isSuccess}
            disabled={granted.length === 0 || isLeaving}
            onClick={() => approve.mutate()}
          >
            {texts.approve}
          </Button>
          <Button variant="default" disabled={isLeaving} onClick={() => deny.mutate()}>
            {texts.deny}
          </Button>
        </Group>
        <Text size="sm" c="dimmed">
          {texts.later}
        </Text>
      </Stack>
    </Paper>
  );
}
