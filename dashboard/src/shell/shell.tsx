import { AppShell, Box, Burger, Group } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useRef, useState, type KeyboardEvent } from 'react';
import { hasScope, useMe } from '../api/session.ts';
import { NavigationLink } from '../components/links.tsx';
import { Loading } from '../components/loading.tsx';
import { Logo } from '../components/logo.tsx';
import { shellTexts } from '../texts/shell.ts';
import { ColorSchemeButton } from './color-scheme-button.tsx';
import { NoAccess } from './error-screen.tsx';
import { OtherUserGuard } from './other-user-guard.tsx';
import { ReloginDialog } from './relogin-dialog.tsx';
import { PendingTaskCount } from './pending-task-count.tsx';
import { ReauthenticationDialog } from './reauthentication-dialog.tsx';
import { NAVIGATION } from '../navigation/areas.ts';
import { useMayOpen } from '../navigation/use-may-open.ts';
import { PaletteButton } from '../palette/palette-button.tsx';

const GeneratedPasswordScreen = lazy(async () => ({
  default: (await import('./generated-password-screen.tsx')).GeneratedPasswordScreen,
}));

/** A menu needs the positioning of popovers, a tenth of the first load. */
const UserMenu = lazy(async () => ({ default: (await import('./user-menu.tsx')).UserMenu }));

/** The header, the navigation and the dialogs around every screen. */
export function Shell() {
  const me = useMe();
  const { pathname } = useLocation();
  /** The path on which a phone shows the navigation. */
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  // Not in an effect: the heading of a new screen can't get the focus while it's covered.
  if (openedAt !== null && openedAt !== pathname) setOpenedAt(null);
  const isOpen = openedAt === pathname;
  const close = () => setOpenedAt(null);
  const burger = useRef<HTMLButtonElement>(null);
  const closeByEscape = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || !isOpen) return;
    close();
    burger.current?.focus();
  };
  const mayOpen = useMayOpen(NAVIGATION);
  if (me.mustChangePassword) {
    return (
      <Suspense fallback={<Loading />}>
        <GeneratedPasswordScreen me={me} />
      </Suspense>
    );
  }
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 200, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a
        className="skip-link"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        {shellTexts.skipToContent}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="sm" wrap="nowrap">
            <Burger
              ref={burger}
              opened={isOpen}
              onClick={() => setOpenedAt(isOpen ? null : pathname)}
              onKeyDown={closeByEscape}
              hiddenFrom="sm"
              size="sm"
              aria-label={isOpen ? shellTexts.closeNavigation : shellTexts.openNavigation}
              aria-expanded={isOpen}
            />
            <Logo />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <PaletteButton />
            <ColorSchemeButton />
            <Suspense fallback={<Box w={34} h={34} />}>
              <UserMenu me={me} />
            </Suspense>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        p="xs"
        component="nav"
        aria-label={shellTexts.navigation.label}
        onKeyDown={closeByEscape}
      >
        {NAVIGATION.filter(({ scope }) => hasScope(me, scope)).map(({ to, label, icon: Icon }) => (
          <NavigationLink
            key={to}
            to={to}
            label={label}
            onClick={close}
            leftSection={<Icon size={18} aria-hidden />}
            rightSection={to === '/tasks' && <PendingTaskCount />}
          />
        ))}
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} className={isOpen ? 'covered' : undefined}>
        {mayOpen ? <Outlet /> : <NoAccess />}
      </AppShell.Main>
      <ReauthenticationDialog me={me} />
      <ReloginDialog me={me} />
      <OtherUserGuard me={me} />
    </AppShell>
  );
}

/** What a slow network shows before the user is known. */
export function PendingShell() {
  return (
    <Box component="main" p="lg">
      <Logo />
      <Box mt="lg">
        <Loading />
      </Box>
    </Box>
  );
}

/** The outermost component, around the login screen too. */
export function Root() {
  return (
    <ModalsProvider labels={{ confirm: shellTexts.confirm, cancel: shellTexts.cancel }}>
      <Outlet />
    </ModalsProvider>
  );
}
