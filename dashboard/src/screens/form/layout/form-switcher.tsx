import { ActionIcon, Combobox, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSelector } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMatches, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { matchingFormsQuery } from '../../../api/forms.ts';
import { FailureAlert } from '../../../components/failure-alert.tsx';
import { FORM_TABS } from '../../../navigation/form-tabs.ts';
import { formTexts } from '../../../texts/form.ts';
import { formsTexts } from '../../../texts/forms.ts';

const texts = formTexts.switcher;
const DEBOUNCE_MS = 200;

/** A button that opens a list of the other forms, and goes to the same screen of the chosen one. */
export function FormSwitcher({ formId }: { formId: string }) {
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), DEBOUNCE_MS);
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose() {
      combobox.resetSelectedOption();
      combobox.focusTarget();
      setText('');
    },
  });
  const search = useQuery({
    ...matchingFormsQuery(q),
    enabled: combobox.dropdownOpened,
    placeholderData: keepPreviousData,
  });
  const navigate = useNavigate();
  const screen = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' });
  const others = (search.data ?? []).filter(({ id }) => id !== formId);

  function goTo(otherId: string): void {
    combobox.closeDropdown();
    // A submission, a webhook or an endpoint belongs to this form: its list is the nearest screen.
    const tab = FORM_TABS.findLast(({ to }) => screen.startsWith(to)) ?? FORM_TABS[0];
    void navigate({ to: tab.to, params: { formId: otherId } });
  }

  return (
    <Combobox
      store={combobox}
      width={300}
      position="bottom-start"
      // Everything on a page is in a landmark.
      withinPortal={false}
      onOptionSubmit={goTo}
    >
      <Combobox.Target targetType="button" withAriaAttributes={false}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={texts.open}
          title={texts.open}
          aria-haspopup="listbox"
          aria-expanded={combobox.dropdownOpened}
          onClick={() => combobox.toggleDropdown()}
        >
          <IconSelector size={18} aria-hidden />
        </ActionIcon>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          role="combobox"
          aria-expanded={combobox.dropdownOpened}
          aria-controls={combobox.listId ?? undefined}
          aria-label={texts.search}
          placeholder={texts.search}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            combobox.resetSelectedOption();
          }}
        />
        <Combobox.Options aria-label={texts.list} mah={320} style={{ overflowY: 'auto' }}>
          {others.map(({ id, name }) => (
            <Combobox.Option key={id} value={id}>
              {name}
            </Combobox.Option>
          ))}
        </Combobox.Options>
        {search.isError && (
          <FailureAlert
            error={search.error}
            retry={() => {
              // The alert disappears with its focused button.
              combobox.focusSearchInput();
              void search.refetch();
            }}
          />
        )}
        {others.length === 0 && search.isSuccess && (
          <Combobox.Empty role="status">{q === '' ? texts.none : formsTexts.nothingFound(q)}</Combobox.Empty>
        )}
      </Combobox.Dropdown>
    </Combobox>
  );
}
