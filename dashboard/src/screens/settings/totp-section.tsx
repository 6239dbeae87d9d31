import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import type { TotpSetupOut } from '@svcforms/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { meQuery, useMe } from '../../api/session.ts';
import { beginTotp, disableTotp, replaceRecoveryCodes, totpQuery } from '../../api/totp.ts';
import { DeleteButton } from '../../components/delete-button.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { exactTime } from '../../components/time-format.ts';
import { toastSuccess } from '../../components/toast.tsx';
import { settingsTexts } from '../../texts/settings.ts';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { TotpDialog } from './totp-dialog.tsx';

const texts = settingsTexts.secondFactor;

/** Two-factor authentication of the current user. */
export function TotpSection() {
  const me = useMe();
  const queryClient = useQueryClient();
  const totp = useQuery(totpQuery);
  const [setup, setSetup] = useState<TotpSetupOut | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const reload = () =>
    Promise.all([totpQuery, meQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })));
  const begin = useMutation({ mutationFn: beginTotp, onSuccess: setSetup });
  const replace = useMutation({
    mutationFn: replaceRecoveryCodes,
    onSuccess: ({ recoveryCodes }) => setCodes(recoveryCodes),
    onSettled: reload,
  });
  const disable = useMutation({
    mutationFn: disableTotp,
    onSuccess: () => toastSuccess(texts.turnedOff),
    onSettled: reload,
  });

  return (
    <Stack maw={480} align="flex-start">
      <Title order={3} size="h4">
        {texts.title}
      </Title>
      {me.mustSetUpSecondFactor && (
        <Alert variant="outline" color="orange" role="alert">
          {texts.required}
        </Alert>
      )}
      {totp.isError && <FailureAlert error={totp.error} retry={totp.refetch} />}
      {totp.data && !totp.data.isEnabled && me.account.singleSignOnRequired && (
        <Text>{texts.bySingleSignOn}</Text>
      )}
      {totp.data && !totp.data.isEnabled && !me.account.singleSignOnRequired && (
        <>
          <Text>{texts.off}</Text>
          <Button onClick={() => begin.mutate()} loading={begin.isPending}>
            {texts.setUp}
          </Button>
        </>
      )}
      {totp.data?.isEnabled && (
        <>
          <Text>
            {texts.on(exactTime(totp.data.enabledAt ?? ''))} {texts.codesLeft(totp.data.recoveryCodesLeft)}
          </Text>
          <Group gap="xs">
            <Button variant="default" onClick={() => replace.mutate()} loading={replace.isPending}>
              {texts.newCodes}
            </Button>
            {!totp.data.isRequired && (
              <DeleteButton
                loading={disable.isPending}
                question={{
                  title: texts.turnOffTitle,
                  text: texts.turnOffText,
                  confirm: texts.turnOff,
                  onConfirm: () => disable.mutate(),
                }}
              />
            )}
          </Group>
        </>
      )}
      {setup && (
        <TotpDialog
          setup={setup}
          onClose={() => setSetup(null)}
          onEnabled={(recoveryCodes) => {
            setSetup(null);
            setCodes(recoveryCodes);
            toastSuccess(texts.turnedOn);
            return reload();
          }}
        />
      )}
      {codes && <RecoveryCodesDialog codes={codes} onDone={() => setCodes(null)} />}
    </Stack>
  );
}
