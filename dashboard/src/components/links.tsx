import {
  Anchor,
  Button,
  NavLink,
  type AnchorProps,
  type ButtonProps,
  type NavLinkProps,
} from '@mantine/core';
import { createLink, useLocation } from '@tanstack/react-router';
import { useEffect, useRef, type ComponentPropsWithRef, type ReactNode } from 'react';
import './links.css';

type Own<P> = P & Omit<ComponentPropsWithRef<'a'>, keyof P>;

/** Router links with the look of the library's components. */
export const TextLink = createLink((props: Own<AnchorProps>) => <Anchor {...props} />);
export const ButtonLink = createLink((props: Own<ButtonProps>) => <Button component="a" {...props} />);

/** Active while its screen, or a child of it, is open. */
export const NavigationLink = createLink((props: Own<NavLinkProps>) => (
  <NavLink component="a" active={props['aria-current'] === 'page'} {...props} />
));

/**
 * A list of `TabLink`s. `label` is for screen readers. On a phone, it scrolls horizontally and
 * shows the current tab.
 */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  const list = useRef<HTMLElement>(null);
  const path = useLocation({ select: ({ pathname }) => pathname });
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-current="page"]');
    // The page itself must not scroll.
    if (tab)
      list.current?.scrollTo({ left: tab.offsetLeft - (list.current.clientWidth - tab.clientWidth) / 2 });
  }, [path]);
  return (
    <nav className="tabs" aria-label={label} ref={list}>
      {children}
    </nav>
  );
}

/** A tab that links to a screen, active while the screen is open. */
export const TabLink = createLink(({ children, ...props }: ComponentPropsWithRef<'a'>) => (
  <a {...props} className="tab-link">
    {children}
  </a>
));
