import { CloseButton, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { isPopup, type FormOut } from '@svcforms/contracts';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { statsOfFormsQuery } from '../../../api/forms.ts';
import { useHasScope, useMe } from '../../../api/session.ts';
import { receivesFrom, webhookListQuery } from '../../../api/webhooks.ts';
import { ButtonLink } from '../../../components/links.tsx';
import { firstStepsTexts as texts } from '../../../texts/first-steps.ts';

const REFRESH_MS = 10_000;

/** The steps in order, with the screen on which each is done. */
const STEPS = [
  { name: 'build', to: '/forms/$formId/build' },
  { name: 'display', to: '/forms/$formId/display' },
  { name: 'embed', to: '/forms/$formId/share' },
  { name: 'submission', to: '/forms/$formId/submissions' },
  { name: 'webhook', to: '/forms/$formId/webhooks' },
] as const;
type Step = (typeof STEPS)[number]['name'];

interface FirstStepsState {
  isDone: Readonly<Record<Step, boolean>>;
  isPublished: boolean;
  mayManageWebhooks: boolean;
  dismiss: () => void;
}

/**
 * What is left until a form works. Undefined while it loads, and null if there is nothing to show:
 * everything is done, or the user has dismissed it.
 */
export function useFirstSteps(form: FormOut, today: string): FirstStepsState | null | undefined {
  const me = useMe();
  const [dismissed, setDismissed] = useLocalStorage<readonly string[]>({
    key: `svcforms-first-steps-${me.id}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const mayWrite = useHasScope('forms:write');
  const mayManageWebhooks = useHasScope('forms:webhooks:manage');
  const isVisible = mayWrite && !dismissed.includes(form.id);
  const stats = useQuery({
    ...statsOfFormsQuery([form.id], today),
    enabled: isVisible,
    refetchInterval: REFRESH_MS,
  });
  const own = useQuery({ ...webhookListQuery(form.id), enabled: isVisible && mayManageWebhooks });
  const ofAccount = useQuery({ ...webhookListQuery(), enabled: isVisible && mayManageWebhooks });
  const needed = [stats, ...(mayManageWebhooks ? [own, ofAccount] : [])];
  if (!isVisible || needed.some(({ isError }) => isError)) return null;
  if (needed.some(({ isPending }) => isPending)) return undefined;
  const hasSubmissions = (stats.data?.[0]?.totalSubmissions ?? 0) > 0;
  const isDone: Readonly<Record<Step, boolean>> = {
    build: form.fields.length > 0,
    display: isPopup(form.settings) || form.settings.popup !== undefined || form.scriptLastSeen !== undefined,
    // Forms that are shared as a link, or get inbound requests only, need no script.
    embed: form.scriptLastSeen !== undefined || hasSubmissions,
    submission: hasSubmissions,
    webhook: [...(own.data ?? []), ...(ofAccount.data ?? [])].some(
      (one) => one.isEnabled && receivesFrom(one, form.id),
    ),
  };
  const isEverythingDone = Object.entries(isDone).every(
    ([name, done]) => done || (name === 'webhook' && !mayManageWebhooks),
  );
  if (isEverythingDone) return null;
  const isPublished = form.version > 0;
  return { isDone, isPublished, mayManageWebhooks, dismiss: () => setDismissed([...dismissed, form.id]) };
}

/** The checklist of what is left. */
export function FirstSteps({
  formId,
  steps: { isDone, isPublished, mayManageWebhooks, dismiss },
}: {
  formId: string;
  steps: FirstStepsState;
}) {
  const steps = STEPS.filter(({ name }) => name !== 'webhook' || mayManageWebhooks).map(({ name, to }) =>
    name === 'embed' && !isPublished
      ? ({ name, text: texts.steps.unpublished, to: '/forms/$formId/publish' } as const)
      : { name, text: texts.steps[name], to },
  );
  const done = steps.filter(({ name }) => isDone[name]).length;
  const next = steps.find(({ name }) => !isDone[name]);
  return (
    <Paper withBorder p="md" component="section" aria-label={texts.title}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Title order={3} size="h4">
            {texts.title}
          </Title>
          <Group gap="xs" wrap="nowrap">
            <Text c="dimmed">{texts.progress(done, steps.length)}</Text>
            <CloseButton aria-label={texts.dismiss} title={texts.dismiss} onClick={dismiss} />
          </Group>
        </Group>
        <Progress value={(done / steps.length) * 100} size="sm" aria-hidden />
        <Stack gap="xs" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
          {steps.map(({ name, text, to }) => (
            <Group key={name} component="li" gap="sm" wrap="nowrap" mih={36}>
              <StepIcon isDone={isDone[name]} />
              <Text
                flex={1}
                miw={0}
                fw={isDone[name] ? undefined : 500}
                c={isDone[name] ? 'dimmed' : undefined}
              >
                {text.title}
                {!isDone[name] && (
                  <Text span c="dimmed" fw={400} display="block">
                    {text.text}
                  </Text>
                )}
              </Text>
              {!isDone[name] && (
                <ButtonLink
                  to={to}
                  params={{ formId }}
                  size="compact-sm"
                  variant={name === next?.name ? 'filled' : 'default'}
                >
                  {text.action}
                </ButtonLink>
              )}
            </Group>
          ))}
        </Stack>
      </Stack>
    </Paper>
  );
}

function StepIcon({ isDone }: { isDone: boolean }) {
  const Icon = isDone ? IconCircleCheckFilled : IconCircle;
  return (
    <Icon
      size={20}
      color={isDone ? 'var(--mantine-color-teal-6)' : 'var(--mantine-color-dimmed)'}
      aria-label={isDone ? texts.done : texts.open}
      role="img"
      style={{ flex: 'none' }}
    />
  );
}
