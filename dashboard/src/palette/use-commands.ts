import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { formQuery, matchingFormsQuery } from '../api/forms.ts';
import { hasScope, useMe } from '../api/session.ts';
import { matchingTasksQuery } from '../api/tasks.ts';
import { FORM_TABS } from '../navigation/form-tabs.ts';
import { SETTINGS_TABS } from '../navigation/settings-tabs.ts';
import { paletteTexts as texts } from '../texts/palette.ts';
import { shellTexts } from '../texts/shell.ts';
import { NAVIGATION } from '../navigation/areas.ts';
import { useLogOut } from '../api/use-log-out.ts';
import { matches } from './matches.ts';

export interface Command {
  id: string;
  label: string;
  run: () => unknown;
}

interface CommandGroup {
  label: string;
  commands: Command[];
}

interface Found {
  groups: CommandGroup[];
  isSearching: boolean;
  /** Why forms or tasks may be missing. */
  error: Error | null;
  retry: () => unknown;
}

/**
 * The commands that match a text, in groups. Forms and tasks are searched by the server, with
 * `searched`, a debounced text.
 */
export function useCommands(text: string, searched: string): Found {
  const navigate = useNavigate();
  const me = useMe();
  const found = useFound(searched);
  const groups: CommandGroup[] = [
    ...useFormCommands(),
    {
      label: texts.groups.navigation,
      commands: [
        ...NAVIGATION.filter(({ scope }) => hasScope(me, scope)).map(({ to, label }) => ({
          id: to,
          label,
          run: () => navigate({ to }),
        })),
        ...SETTINGS_TABS.filter(({ scope }) => hasScope(me, scope)).map(({ to, label }) => ({
          id: `section ${to}`,
          label: texts.settings(label),
          run: () => navigate({ to }),
        })),
      ],
    },
    { label: texts.groups.actions, commands: useActions() },
  ].map(({ label, commands }) => ({
    label,
    commands: commands.filter((command) => matches(`${label} ${command.label}`, text)),
  }));
  return {
    ...found,
    isSearching: found.isSearching || searched !== text,
    groups: [...groups.slice(0, -2), ...found.groups, ...groups.slice(-2)].filter(
      ({ commands }) => commands.length > 0,
    ),
  };
}

/** The screens of the form that is open. */
function useFormCommands(): CommandGroup[] {
  const { formId } = useParams({ strict: false });
  const navigate = useNavigate();
  const me = useMe();
  const form = useQuery({ ...formQuery(formId ?? ''), enabled: formId !== undefined });
  if (formId === undefined || !form.data) return [];
  return [
    {
      label: texts.groups.form(form.data.name),
      commands: FORM_TABS.filter(({ scope }) => hasScope(me, scope)).map(({ to, label }) => ({
        id: to,
        label,
        run: () => navigate({ to, params: { formId } }),
      })),
    },
  ];
}

function useActions(): Command[] {
  const navigate = useNavigate();
  const me = useMe();
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  const leave = useLogOut();
  const newForm = {
    id: 'new form',
    label: texts.newForm,
    run: () => navigate({ to: '/forms', search: { new: true } }),
  };
  return [
    ...(hasScope(me, 'forms:write') ? [newForm] : []),
    {
      id: 'color scheme',
      label: isDark ? shellTexts.useLight : shellTexts.useDark,
      run: () => setColorScheme(isDark ? 'light' : 'dark'),
    },
    { id: 'log out', label: shellTexts.logOut, run: () => leave.mutate() },
  ];
}

/** The forms and the tasks that the server finds. */
function useFound(searched: string): Found {
  const navigate = useNavigate();
  const me = useMe();
  const options = (scope: 'forms:read' | 'tasks:read') => ({
    enabled: searched !== '' && hasScope(me, scope),
    placeholderData: keepPreviousData,
  });
  const forms = useQuery({ ...matchingFormsQuery(searched), ...options('forms:read') });
  const tasks = useQuery({ ...matchingTasksQuery(searched), ...options('tasks:read') });
  const failed = [forms, tasks].filter(({ isError }) => isError);
  const retry = () => failed.map(({ refetch }) => refetch());
  if (searched === '') return { groups: [], isSearching: false, error: null, retry };
  return {
    isSearching: forms.isFetching || tasks.isFetching,
    error: failed[0]?.error ?? null,
    retry,
    groups: [
      {
        label: texts.groups.forms,
        commands: (forms.data ?? []).map(({ id, name }) => ({
          id,
          label: name,
          run: () => navigate({ to: '/forms/$formId', params: { formId: id } }),
        })),
      },
      {
        label: texts.groups.tasks,
        commands: (tasks.data ?? []).map(({ id, title }) => ({
          id,
          label: title ?? texts.untitledTask,
          // A decided task isn't in the list of pending ones.
          run: () => navigate({ to: '/tasks/$taskId', params: { taskId: id }, search: { status: 'any' } }),
        })),
      },
    ],
  };
}
