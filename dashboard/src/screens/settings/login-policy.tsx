import { Stack, Switch, Text, Title } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { loginMethodsQuery } from '../../api/login-links.ts';
import { meQuery, useMe } from '../../api/session.ts';
import { updateLoginPolicy } from '../../api/totp.ts';
import { toastSuccess } from '../../components/toast.tsx';
import { settingsTexts } from '../../texts/settings.ts';
import { shellTexts } from '../../texts/shell.ts';

const { secondFactor, singleSignOn } = settingsTexts;

/** How users of the account log in. Only owners change it. */
export function LoginPolicy() {
  const me = useMe();
  const { data: methods } = useQuery({ ...loginMethodsQuery, enabled: me.role === 'owner' });
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: updateLoginPolicy,
    onSuccess: () => toastSuccess(settingsTexts.saved),
    onSettled: () => queryClient.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
  if (me.role !== 'owner') return null;
  const { secondFactorRequired, singleSignOnRequired } = me.account;
  const mayRequireCode = secondFactorRequired || me.hasSecondFactor;
  const mayRequireProvider =
    singleSignOnRequired || (methods?.singleSignOn === true && me.loginMethod === 'single_sign_on');
  const whyNot = methods?.singleSignOn === false ? singleSignOn.noProvider : singleSignOn.policyFirst;

  function requireSingleSignOn(isRequired: boolean): void {
    if (!isRequired) return save.mutate({ singleSignOnRequired: false });
    modals.openConfirmModal({
      title: singleSignOn.confirmTitle,
      children: <Text>{singleSignOn.confirmText}</Text>,
      labels: { confirm: singleSignOn.confirm, cancel: shellTexts.cancel },
      onConfirm: () => save.mutate({ singleSignOnRequired: true }),
    });
  }

  return (
    <Stack gap="xs" maw={640}>
      <Title order={3} size="h4">
        {secondFactor.policyTitle}
      </Title>
      <Switch
        label={secondFactor.policy}
        description={mayRequireCode ? secondFactor.policyHint : secondFactor.policyFirst}
        checked={secondFactorRequired}
        disabled={!mayRequireCode || save.isPending}
        onChange={(event) => save.mutate({ secondFactorRequired: event.currentTarget.checked })}
      />
      <Switch
        label={singleSignOn.policy}
        description={mayRequireProvider ? singleSignOn.policyHint : whyNot}
        checked={singleSignOnRequired}
        disabled={!mayRequireProvider || save.isPending}
        onChange={(event) => requireSingleSignOn(event.currentTarget.checked)}
      />
    </Stack>
  );
}
