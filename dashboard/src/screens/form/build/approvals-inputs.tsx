import { NativeSelect, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core';
import type { FormSettings } from '@svcforms/contracts';
import { useQuery } from '@tanstack/react-query';
import { allGroupsQuery } from '../../../api/groups.ts';
import { slackQuery } from '../../../api/slack.ts';
import { useHasScope } from '../../../api/session.ts';
import { idChoices } from '../../../components/id-choices.ts';
import { GroupsInput, UsersInput } from '../../../components/people-input.tsx';
import { approvalsTexts as texts } from '../../../texts/groups.ts';
import { slackTexts } from '../../../texts/slack.ts';
import { NumberField } from '../draft/number-field.tsx';
import { undefinedIfEmpty, withProperty } from '../draft/with-property.ts';

type TaskSettings = NonNullable<FormSettings['tasks']>;
type Policy = NonNullable<TaskSettings['policy']>;

const HOUR = 3600;
const IN_HOURS = {
  store: (hours: number) => (hours > 0 ? Math.round(hours * HOUR) : undefined),
  show: (seconds: number) => seconds / HOUR,
};
const NUMBERS = Array.from({ length: 10 }, (_, index) => String(index + 1));

/** Who decides the tasks of the form, and what happens if nobody does. */
export function ApprovalsInputs({
  settings,
  onChange,
  error,
}: {
  settings: FormSettings;
  onChange: (settings: FormSettings) => void;
  error: (path: string) => string | undefined;
}) {
  const managesUsers = useHasScope('users:manage');
  const groups = useQuery({ ...allGroupsQuery, enabled: managesUsers });
  const slack = useQuery(slackQuery);
  const tasks = settings.tasks ?? {};
  const { policy } = tasks;
  const set = (changed: TaskSettings) => onChange(withProperty(settings, 'tasks', undefinedIfEmpty(changed)));
  const setPolicy = (changed: Policy | undefined) => set(withProperty(tasks, 'policy', changed));
  return (
    <Stack gap="sm">
      <Text c="dimmed">{texts.about}</Text>
      {managesUsers && (
        <GroupsInput
          label={texts.access}
          description={texts.accessAbout}
          value={settings.reviewers?.groups ?? []}
          error={error('reviewers.groups')}
          onChange={(ids) =>
            onChange(withProperty(settings, 'reviewers', ids.length > 0 ? { groups: ids } : undefined))
          }
        />
      )}
      <Switch
        label={texts.policy}
        checked={policy !== undefined}
        onChange={({ currentTarget }) => setPolicy(currentTarget.checked ? { approvals: 1 } : undefined)}
      />
      {policy && (
        <>
          <NativeSelect
            label={texts.approvals}
            data={[...NUMBERS.map((value) => ({ value, label: value })), { value: 'all', label: texts.all }]}
            value={String(policy.approvals ?? 1)}
            error={error('tasks.policy.approvals')}
            onChange={({ currentTarget: { value } }) =>
              setPolicy({ ...policy, approvals: value === 'all' ? 'all' : Number(value) })
            }
          />
          {managesUsers && (
            <>
              <UsersInput
                label={texts.users}
                description={texts.anybody}
                value={policy.users ?? []}
                error={error('tasks.policy.users')}
                onChange={(users) => setPolicy({ ...policy, users })}
              />
              <GroupsInput
                label={texts.groups}
                value={policy.groups ?? []}
                error={error('tasks.policy.groups')}
                onChange={(ids) => setPolicy({ ...policy, groups: ids })}
              />
            </>
          )}
        </>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberField
          label={texts.remind}
          min={0}
          value={tasks.remindAfterSeconds}
          {...IN_HOURS}
          error={error('tasks.remindAfterSeconds')}
          onChange={(value) => set(withProperty(tasks, 'remindAfterSeconds', value))}
        />
        <NumberField
          label={texts.escalate}
          min={0}
          value={tasks.escalateAfterSeconds}
          {...IN_HOURS}
          error={error('tasks.escalateAfterSeconds')}
          onChange={(value) => set(withProperty(tasks, 'escalateAfterSeconds', value))}
        />
        <NativeSelect
          label={texts.escalateTo}
          data={[
            { value: '', label: texts.nobody },
            ...idChoices(groups.data ?? [], tasks.escalateTo ? [tasks.escalateTo] : []),
          ]}
          value={tasks.escalateTo ?? ''}
          error={error('tasks.escalateTo')}
          onChange={({ currentTarget: { value } }) => set(withProperty(tasks, 'escalateTo', value))}
        />
      </SimpleGrid>
      {slack.data?.isAvailable && (
        <TextInput
          label={slackTexts.formChannel}
          description={slackTexts.formChannelHint}
          value={tasks.slackChannel ?? ''}
          error={error('tasks.slackChannel')}
          onChange={({ currentTarget: { value } }) =>
            set(withProperty(tasks, 'slackChannel', value.trim() || undefined))
          }
        />
      )}
    </Stack>
  );
}
