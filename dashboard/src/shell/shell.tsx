import { AppShell, Box, Burger, Group } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
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
  const [isOpen, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  const mayOpen = useMayOpen(NAVIGATION);
  useEffect(close, [pathname, close]);
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
              opened={isOpen}
              onClick={toggle}
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
      <AppShell.Navbar p="xs" component="nav" aria-label={shellTexts.navigation.label}>
        {NAVIGATION.filter(({ scope }) => hasScope(me, scope)).map(({ to, label, icon: Icon }) => (
          <NavigationLink
            key={to}
            to={to}
            label={label}
            leftSection={<Icon size={18} aria-hidden />}
            rightSection={to === '/tasks' && <PendingTaskCount />}
          />
        ))}
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
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
