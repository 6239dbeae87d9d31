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

/** Links to other screens that look like the library's components. */
export const TextLink = createLink((props: Own<AnchorProps>) => <Anchor {...props} />);
export const ButtonLink = createLink((props: Own<ButtonProps>) => <Button component="a" {...props} />);

/** Marked while its screen, or one below it, is shown. */
export const NavigationLink = createLink((props: Own<NavLinkProps>) => (
  <NavLink component="a" active={props['aria-current'] === 'page'} {...props} />
));

/** The parts of a thing, each a `TabLink`. `label`: for those who hear it. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className="tabs" aria-label={label}>
      {children}
    </nav>
  );
}

/** One of the parts of a thing; marked while it is shown. */
export const TabLink = createLink(({ children, ...props }: ComponentPropsWithRef<'a'>) => (
  <a {...props} className="tab-link">
    {children}
  </a>
));
