import { SettingsError, type Settings } from '@svcforms/contracts';
import { readFileSync } from 'node:fs';

/**
 * Which addresses webhooks may reach, from the environment; the CA file is read here.
 * @throws SettingsError when the file can't be read.
 */
export function targetPolicy(settings: Settings): {
  allowedTargets: string[];
  allowHttp: boolean;
  ca?: string;
  proxy?: string;
} {
  const { SVC_TARGET_CA: caFile, SVC_OUTBOUND_PROXY: proxy } = settings;
  let ca: string | undefined;
  try {
    if (caFile) ca = readFileSync(caFile, 'utf8');
  } catch (error) {
    throw new SettingsError(`SVC_TARGET_CA ${caFile} can not be read: ${(error as Error).message}`);
  }
  return {
    allowedTargets: settings.SVC_ALLOWED_TARGETS,
    allowHttp: settings.SVC_ALLOW_HTTP,
    ...(ca === undefined ? {} : { ca }),
    ...(proxy === undefined ? {} : { proxy }),
  };
}
