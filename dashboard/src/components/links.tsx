import {
  Anchor,
  Button,
  NavLink,
  type AnchorProps,
  type ButtonProps,
  type NavLinkProps,
} from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import './links.css';

type Own<P> = P & Omit<ComponentPropsWithRef<'a'>, keyof P>;

/** Router links with the look of the library's components. */
export const TextLink = createLink((props: Own<AnchorProps>) => <Anchor {...props} />);
export const ButtonLink = createLink((props: Own<ButtonProps>) => <Button component="a" {...props} />);

/** Active while its screen, or a child of it, is open. */
export const NavigationLink = createLink((props: Own<NavLinkProps>) => (
  <NavLink component="a" active={props['aria-current'] === 'page'} {...props} />
));

/** A list of `TabLink`s. `label` is for screen readers. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className="tabs" aria-label={label}>
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
