import { kubectl } from './kubectl.ts';
import { adminInOwnPod, NAMESPACE } from './start-cluster.ts';

/** Runs the CronJob `backup` now. Returns what it printed. @throws Error with that if it fails */
async function runBackupJob(): Promise<string> {
  const job = 'job/backup-now';
  const ofNamespace = (...args: string[]) => kubectl(['-n', NAMESPACE, ...args]);
  await ofNamespace('create', 'job', 'backup-now', '--from=cronjob/backup');
  const printed = () => ofNamespace('logs', job);
  await ofNamespace('wait', '--for=condition=Complete', job, '--timeout=120s').catch(
    async (cause: unknown) => {
      throw new Error(`the backup did not complete: ${await printed()}`, { cause });
    },
  );
  const text = await printed();
  await ofNamespace('delete', job);
  return text;
}

/** The CronJob of components/backup, with the volume of components/backup-volume. */
export function backupScenarios(): void {
  it('stores a backup by its CronJob, with the credentials for backups, that the admin command verifies', async () => {
    const created = await runBackupJob();
    const [, name, documents] = /(svcforms-\w+-\w+\.ndjson\.gz)\D+(\d+) documents/.exec(created) ?? [];
    expect({ created, name }).toEqual({ created, name: expect.any(String) as string });
    expect(Number(documents)).toBeGreaterThan(0);
    const verified = await adminInOwnPod('backup', 'verify', name ?? '');
    expect(verified).toContain(name);
    expect(verified).toContain(`${documents} documents`);
  });
}
