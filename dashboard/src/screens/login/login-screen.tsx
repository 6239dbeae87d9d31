import { Button, Container, Group, Paper, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { sessionEnded } from '../../shell/session-ended.ts';
import { logIn, meQuery } from '../../api/session.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { Logo } from '../../components/logo.tsx';
import { Page } from '../../components/page.tsx';
import { loginTexts as texts } from '../../texts/login.ts';

export function LoginScreen() {
  const queryClient = useQueryClient();
  const router = useRouter();
  const { to = '/' } = useSearch({ from: '/login' });
  const form = useForm({ initialValues: { email: '', password: '' } });
  const login = useMutation({
    mutationFn: logIn,
    meta: { showsError: true },
    onSuccess(me) {
      // The cache may contain data of another user.
      queryClient.clear();
      queryClient.setQueryData(meQuery.queryKey, me);
      sessionEnded.set(false);
      router.history.replace(to);
    },
  });
  return (
    <Container component="main" size={420} py="xl">
      <Group justify="center" mb="lg">
        <Logo />
      </Group>
      <Paper withBorder p="lg">
        <Page title={texts.title}>
          <form onSubmit={form.onSubmit((values) => login.mutate(values))}>
            <Stack>
              <FailureAlert error={login.error} />
              <TextInput
                label={texts.email}
                type="email"
                autoComplete="username"
                required
                {...form.getInputProps('email')}
              />
              <PasswordInput
                label={texts.password}
                autoComplete="current-password"
                required
                {...form.getInputProps('password')}
              />
              <Button type="submit" loading={login.isPending}>
                {texts.logIn}
              </Button>
              <Text c="dimmed">{texts.forgotten}</Text>
            </Stack>
          </form>
        </Page>
      </Paper>
    </Container>
  );
}
