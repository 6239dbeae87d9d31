import { SettingsError, type Settings } from './settings.ts';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { publicOrigin } from './public-origin.ts';

/**
 * Reads the addresses that webhooks may reach, and the file of certificates.
 * @throws SettingsError when the file can't be read or has other content
 */
export function targetPolicy(settings: Settings): {
  allowedTargets: string[];
  allowHttp: boolean;
  ownOrigin: string;
  dnsServers: string[];
  ca?: string;
  proxy?: string;
} {
  const { SVC_TARGET_CA: caFile, SVC_OUTBOUND_PROXY: proxy } = settings;
  const ca = caFile === undefined ? undefined : readCertificates(caFile);
  return {
    allowedTargets: settings.SVC_ALLOWED_TARGETS,
    allowHttp: settings.SVC_ALLOW_HTTP,
    ownOrigin: publicOrigin(settings),
    dnsServers: settings.SVC_DNS_SERVERS,
    ...(ca === undefined ? {} : { ca }),
    ...(proxy === undefined ? {} : { proxy }),
  };
}

function readCertificates(path: string): string {
  let pem: string;
  try {
    pem = readFileSync(path, 'utf8');
  } catch (error) {
    throw new SettingsError(`SVC_TARGET_CA ${path} can't be read: ${(error as Error).message}`);
  }
  try {
    new X509Certificate(pem);
  } catch (error) {
    throw new SettingsError(`SVC_TARGET_CA ${path} holds no certificate in PEM: ${(error as Error).message}`);
  }
  return pem;
}
