import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { InvitationCreatedOut } from '@svcforms/contracts';
import { useQuery } from '@tanstack/react-query';
import { loginMethodsQuery } from '../../api/login-links.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { OpenedModal } from '../../components/opened-modal.tsx';
import { settingsTexts } from '../../texts/settings.ts';

const texts = settingsTexts.invitations;

/** Shows the link of an invitation, which only this response of the API has. */
export function InvitationLinkDialog({
  invitation: { email, link },
  onDone,
}: {
  invitation: InvitationCreatedOut;
  onDone: () => void;
}) {
  const { data: methods } = useQuery(loginMethodsQuery);
  const sendsEmail = methods?.passwordReset === 'email';
  return (
    <OpenedModal onClose={onDone} title={texts.createdTitle} closeOnClickOutside={false} size="lg">
      {link === null ? (
        <Text>{texts.lost}</Text>
      ) : (
        <Stack>
          {methods && <Text>{sendsEmail ? texts.emailed(email) : texts.notEmailed(email)}</Text>}
          <TextInput
            label={texts.link(email)}
            value={link}
            readOnly
            onFocus={(event) => event.currentTarget.select()}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          />
          <Group justify="space-between">
            <CopyButton text={link} what={texts.link(email)} size="sm" />
            <Button onClick={onDone}>{texts.done}</Button>
          </Group>
        </Stack>
      )}
    </OpenedModal>
  );
}
