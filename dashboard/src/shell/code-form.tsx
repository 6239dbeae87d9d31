import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { MeOut } from '@svcforms/contracts';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { logInWithCode } from '../api/session.ts';
import { FailureAlert } from '../components/failure-alert.tsx';
import { loginTexts } from '../texts/login.ts';

const texts = loginTexts.secondFactor;

/** The second step of a login: a code of the authenticator app, or a recovery code. */
export function CodeForm({
  challenge,
  onLoggedIn,
  onBack,
}: {
  challenge: string;
  onLoggedIn: (me: MeOut) => unknown;
  onBack: () => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  // It replaces the form whose button had the focus.
  useEffect(() => input.current?.focus(), []);
  const form = useForm({ initialValues: { code: '' } });
  const login = useMutation({
    mutationFn: ({ code }: { code: string }) => logInWithCode({ challenge, code }),
    meta: { showsError: true },
    onSuccess: onLoggedIn,
  });
  return (
    <form onSubmit={form.onSubmit((values) => login.mutate(values))}>
      <Stack>
        <Text>{texts.text}</Text>
        <FailureAlert error={login.error} />
        <TextInput
          label={texts.code}
          autoComplete="one-time-code"
          maxLength={40}
          required
          ref={input}
          {...form.getInputProps('code')}
        />
        <Button type="submit" loading={login.isPending}>
          {loginTexts.logIn}
        </Button>
        <Button variant="subtle" onClick={onBack}>
          {texts.back}
        </Button>
      </Stack>
    </form>
  );
}
