// npm run bench [-- all|embedded|engines] [scenario …] [--profile]: publishes by inbound POST and measures at the listener, with
// whbench, the load script that measured the peers in docs/benchmarks.md. Prints one JSON line a run; with --profile also whose
// time it was, which makes everything slower.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { API_KEY, checkWord, PRODUCTS, startMeasured, stopAll } from './measured-product.mjs';
import { post } from './product.mjs';
import { ensureInstalled, root, runTool } from './setup.mjs';
import { printSummary, summariseProfile } from './summarise-profile.mjs';

const SCENARIOS = {
  throughput: ['-scenario', 'throughput', '-n', '5000', '-conns', '32'],
  rate: ['-scenario', 'rate', '-rate', '50', '-dur', '30s'],
  noisy: ['-scenario', 'rate', '-rate', '50', '-dur', '30s', '-targets', 'good,hang', '-quiet', '5s'],
  // Accepted alone: nobody listens to this form, so nothing is waited for.
  accept: ['-scenario', 'throughput', '-n', '20000', '-conns', '64', '-targets', 'unheard', '-quiet', '1s'],
};
const SINK = 'http://127.0.0.1:9900';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { profile: { type: 'boolean', default: false } },
});

const [mode = 'all', ...only] = positionals;
checkWord('bench', 'product', mode, ['all', ...PRODUCTS]);
for (const scenario of only) checkWord('bench', 'scenario', scenario, Object.keys(SCENARIOS));
const modes = mode === 'all' ? PRODUCTS : [mode];
const scenarios = only.length > 0 ? only : Object.keys(SCENARIOS);

const source = `${root}../shared/tools/whbench`;
if (!existsSync(source)) {
  console.error('bench: whbench is not there (../shared/tools/whbench); nothing was measured');
  process.exit(1);
}
ensureInstalled();
runTool('build');

const folder = mkdtempSync(join(tmpdir(), 'svcforms-bench-'));
const whbench = join(folder, 'whbench');
execFileSync('go', ['build', '-o', whbench, '.'], { cwd: source, stdio: ['ignore', 2, 2] });

/** One scenario on a product that was made for it, so that no run meets what another left behind. */
async function measure(name, scenario) {
  const profile = values.profile ? mkdtempSync(join(folder, 'profile-')) : undefined;
  const { baseUrl, groups } = await startMeasured(name, { folder, profile });
  const adapter = JSON.parse(readFileSync(`${root}tests/bench/whbench.json`, 'utf8'));
  for (const [targetName, target] of Object.entries(adapter.targets)) {
    const form = await post(`${baseUrl}/api/forms`, API_KEY, { name: target.path });
    const { token } = await post(`${baseUrl}/api/forms/${form.id}/inbound`, API_KEY, {});
    if (targetName !== 'unheard') {
      await post(`${baseUrl}/api/forms/${form.id}/webhooks`, API_KEY, {
        url: SINK + target.path,
        events: ['form.submission.new'],
      });
    }
    target.vars = { base: baseUrl, form: form.id, token };
  }
  const adapterFile = join(folder, 'adapter.json');
  writeFileSync(adapterFile, JSON.stringify(adapter));
  const out = join(folder, 'results.jsonl');
  rmSync(out, { force: true });
  const args = [
    '-adapter',
    adapterFile,
    '-groups',
    groups,
    '-label',
    name,
    '-out',
    out,
    ...SCENARIOS[scenario],
  ];
  const { status } = spawnSync(whbench, args, { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`whbench ${scenario} on ${name} ended with ${status}`);
  const result = JSON.parse(readFileSync(out, 'utf8').trim());
  console.log(JSON.stringify(result));
  await stopAll();
  if (profile) {
    for (const file of readdirSync(profile)) printSummary(summariseProfile(join(profile, file)));
  }
}

try {
  for (const name of modes) {
    for (const scenario of scenarios) await measure(name, scenario);
  }
} finally {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
}
