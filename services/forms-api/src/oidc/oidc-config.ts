import { ROLES, type Role } from '@svcforms/contracts';
import { readSecret, SettingsError, type Settings } from '@svcforms/runtime';

/** The identity provider that users can log in with. */
export interface OidcConfig {
  issuer: string;
  clientId: string;
  /** Absent for a public client. */
  clientSecret?: string | undefined;
  scopes: string;
  /** The claim that has the groups or roles of a user. Absent: the provider decides no roles. */
  roleClaim?: string | undefined;
  /** The role of each group. Empty: groups are named like roles. */
  roleMap: ReadonlyMap<string, Role>;
  /** The role of users without a group in the map. Absent: they can't log in. */
  defaultRole?: Role | undefined;
  /** The account of the users. Absent: the only one. */
  accountId?: string | undefined;
}

/** Returns the configuration; `null` without a provider. @throws SettingsError */
export function oidcConfig(settings: Settings): OidcConfig | null {
  const { SVC_OIDC_ISSUER: issuer, SVC_OIDC_CLIENT_ID: clientId } = settings;
  if (issuer === undefined || clientId === undefined) {
    const [first, ...others] = setNames(settings);
    if (first === undefined) return null;
    const missing = (['SVC_OIDC_ISSUER', 'SVC_OIDC_CLIENT_ID'] as const).filter((name) => !settings[name]);
    throw new SettingsError(
      `${missing.join(' and ')} must be set too: single sign-on is half configured (${[first, ...others].join(', ')})`,
    );
  }
  if (settings.SVC_OIDC_ROLE_MAP.length > 0 && settings.SVC_OIDC_ROLE_CLAIM === undefined) {
    throw new SettingsError(
      'SVC_OIDC_ROLE_CLAIM must be set too: SVC_OIDC_ROLE_MAP maps the groups in that claim to roles',
    );
  }
  return {
    issuer,
    clientId,
    clientSecret: readSecret(settings, 'SVC_OIDC_CLIENT_SECRET'),
    scopes: settings.SVC_OIDC_SCOPES,
    roleClaim: settings.SVC_OIDC_ROLE_CLAIM,
    roleMap: new Map(settings.SVC_OIDC_ROLE_MAP),
    defaultRole: settings.SVC_OIDC_DEFAULT_ROLE,
    accountId: settings.SVC_OIDC_ACCOUNT,
  };
}

/** The settings of single sign-on that are set, without those that have a default. */
function setNames(settings: Settings): string[] {
  const names = [
    'SVC_OIDC_ISSUER',
    'SVC_OIDC_CLIENT_ID',
    'SVC_OIDC_CLIENT_SECRET',
    'SVC_OIDC_CLIENT_SECRET_FILE',
    'SVC_OIDC_ROLE_CLAIM',
    'SVC_OIDC_DEFAULT_ROLE',
    'SVC_OIDC_ACCOUNT',
  ] as const;
  return [
    ...names.filter((name) => settings[name] !== undefined),
    ...(settings.SVC_OIDC_ROLE_MAP.length > 0 ? ['SVC_OIDC_ROLE_MAP'] : []),
  ];
}

/**
 * Returns the role for the claims of a user: the one with the most rights among those of the
 * groups. `keep`: the provider decides no roles. `null`: the user may not log in.
 */
export function roleFor(
  claims: Readonly<Record<string, unknown>>,
  { roleClaim, roleMap, defaultRole }: Pick<OidcConfig, 'roleClaim' | 'roleMap' | 'defaultRole'>,
): Role | 'keep' | null {
  if (roleClaim === undefined) return 'keep';
  const groups = [claims[roleClaim]].flat();
  const isGranted = (role: Role) =>
    groups.some((group) => (roleMap.size === 0 ? group === role : roleMap.get(String(group)) === role));
  // In the order of their rights.
  return ROLES.find(isGranted) ?? defaultRole ?? null;
}
