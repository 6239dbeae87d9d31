import { Button, Group, Stack, Text } from '@mantine/core';
import { isEmail, type NotificationAddressOut } from '@svcforms/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { loginMethodsQuery } from '../../../api/login-links.ts';
import { notificationAddressesQuery, verifyAddress } from '../../../api/notification-addresses.ts';
import { StatusBadge, type Tone } from '../../../components/status-badge.tsx';
import { toastSuccess } from '../../../components/toast.tsx';
import { formSettingsTexts } from '../../../texts/form-settings.ts';
import { useSavedDraft, useSavedForm } from '../layout/use-saved-form.ts';

const texts = formSettingsTexts.notifications;
const TONES: Readonly<Record<NotificationAddressOut['status'], Tone>> = {
  verified: 'good',
  pending: 'open',
  unsubscribed: 'neutral',
};

/** Whether each address gets emails. An address must be verified first. */
export function AddressStatus({ emails }: { emails: readonly string[] }) {
  const published = useSavedForm();
  const draft = useSavedDraft();
  // A publication creates the records of new addresses.
  const { data = [] } = useQuery(notificationAddressesQuery(published.version));
  const verify = useMutation({
    mutationFn: verifyAddress,
    onSuccess: ({ email }) => toastSuccess(texts.sent(email)),
  });
  const { data: methods } = useQuery(loginMethodsQuery);
  // No email is ever sent to what isn't an address.
  const addresses = [...new Set(emails)].filter(isEmail);
  if (addresses.length === 0) return null;
  const isSaved = new Set(draft.settings.notifications?.emails);
  // A form that was never published is its draft.
  const isPublished = new Set(published.version > 0 ? published.settings.notifications?.emails : []);
  if (methods?.passwordReset === 'operator') return <Text c="dimmed">{texts.noEmail}</Text>;
  return (
    <Stack gap="xs" component="ul" m={0} p={0} aria-label={texts.status} style={{ listStyle: 'none' }}>
      {addresses.map((email) => {
        const address = data.find((known) => known.email.toLowerCase() === email.toLowerCase());
        return (
          <Group key={email} component="li" gap="xs">
            <Text>{email}</Text>
            {!isPublished.has(email) && (
              <Text c="dimmed">{isSaved.has(email) ? texts.unpublished : texts.unsaved}</Text>
            )}
            {isPublished.has(email) && address && (
              <StatusBadge tone={TONES[address.status]}>{texts[address.status]}</StatusBadge>
            )}
            {isPublished.has(email) && address?.status === 'pending' && (
              <Button
                size="compact-sm"
                variant="default"
                loading={verify.isPending && verify.variables === address.id}
                onClick={() => verify.mutate(address.id)}
              >
                {texts.verify}
              </Button>
            )}
          </Group>
        );
      })}
    </Stack>
  );
}
