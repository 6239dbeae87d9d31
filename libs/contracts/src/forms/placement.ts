import type { Issue } from '../errors/errors.ts';

/** How a form is shown: in the page, or as a popup of some style. */
export const PLACEMENTS = ['inline', 'modal', 'slide-in', 'bar', 'fullscreen'] as const;
export type Placement = (typeof PLACEMENTS)[number];

const CORNERS = ['bottom-right', 'bottom-left', 'top-right', 'top-left'] as const;
const EDGES = ['bottom', 'top'] as const;

export const POSITIONS = [...CORNERS, ...EDGES] as const;
export type Position = (typeof POSITIONS)[number];

/** Where the popups that don't cover the page can be, the default first. */
export const POSITIONS_OF: { readonly [P in Placement]?: readonly [Position, ...Position[]] } = {
  'slide-in': CORNERS,
  bar: EDGES,
};

interface Placed {
  placement?: Placement | undefined;
  position?: Position | undefined;
  popup?: { enabled?: boolean | undefined } | undefined;
}

/**
 * Whether visitors see the form as a popup. An explicit `inline` wins over popup mode. See
 * docs/reference/popups.md#placements.
 */
export function isPopup({ placement, popup }: Placed): boolean {
  return popup?.enabled === true && placement !== 'inline';
}

/**
 * Finds contradictions between placement, position and popup mode. The pointers of the issues refer
 * to the body of the form.
 */
export function checkPlacement(settings: Placed): Issue[] {
  const { placement, position } = settings;
  const issues: Issue[] = [];
  if (placement !== undefined && placement !== 'inline' && settings.popup?.enabled !== true) {
    issues.push({
      pointer: '/settings/placement',
      message: `${placement} is for popups; set settings.popup.enabled to true, or use inline`,
    });
  }
  const positions = placement && POSITIONS_OF[placement];
  if (position !== undefined && !positions?.includes(position)) {
    issues.push({
      pointer: '/settings/position',
      message: positions
        ? `must be one of these for the placement ${placement}: ${positions.join(', ')}`
        : 'is only for the placements slide-in and bar',
    });
  }
  return issues;
}
