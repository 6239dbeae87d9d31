// npm run bench [-- all|embedded|backends] [scenario …] [--quick] [--rounds 3] [--profile]:
// publishes by inbound POST and measures at the webhook endpoint, alternating with a skeleton that
// does the same I/O and nothing else. Prints a JSON line for each run, a table with ratios to the
// skeleton, and the goals. --quick compares the ratio of CPU time with the recorded one. --profile
// also says which code took the time, and makes everything slower. See tests/bench/README.md.
import { tempFolder } from '@svcforms/test-kit';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PRODUCTS } from '../lib/measured-product.ts';
import { median } from '../lib/statistics.ts';
import { checkWord, runTool } from '../lib/tool.ts';
import { buildProduct } from '../setup/install.mjs';
import { isRegression, missesGoals, type Medians } from './goals.ts';
import { measure, type Measurement } from './measure.ts';
import { printSummary, summarizeProfile } from './profile.ts';
import { startPublisher, startSink } from './programs.ts';
import { PAUSES, QUICK_PAUSES, QUICK_SCENARIOS, SCENARIOS, type Scenario } from './scenarios.ts';
import { startProduct, startReference } from './subjects.ts';

const SKELETON = 'skeleton';

interface Run {
  product: string;
  scenario: string;
  measurement: Measurement;
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    profile: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
  },
});
const scenarios = values.quick ? QUICK_SCENARIOS : SCENARIOS;
const [mode = values.quick ? 'embedded' : 'all', ...only] = positionals;
checkWord('bench', 'product', mode, ['all', ...PRODUCTS]);
for (const name of only) checkWord('bench', 'scenario', name, Object.keys(scenarios));
const products = mode === 'all' ? PRODUCTS : [mode];
const chosen = Object.entries(scenarios).filter(([name]) => only.length === 0 || only.includes(name));

/** The columns of the table; a ratio says how many times the skeleton's value it is. */
const COLUMNS: Readonly<Record<string, (measurement: Measurement) => number | null>> = {
  'Accepted/s': ({ publish_per_s }) => publish_per_s,
  'Delivered/s': ({ delivered_per_s }) => delivered_per_s,
  'CPU-s per 1 000': ({ cpu_s_per_1000 }) => total(cpu_s_per_1000.to_drain),
  'p50, ms': (measurement) => latencyOf(measurement).p50_ms,
  'p99, ms': (measurement) => latencyOf(measurement).p99_ms,
  'Memory idle, MiB': ({ memory_before_mb }) => total(memory_before_mb),
  'Memory after, MiB': ({ memory_after_mb }) => total(memory_after_mb),
  'Disk, bytes/event': ({ disk_bytes_per_event }) => disk_bytes_per_event,
};

await runTool(async () => {
  buildProduct();
  const [publisher, sink] = [await startPublisher(), await startSink()];
  const pauses = values.quick ? QUICK_PAUSES : PAUSES;
  const runs: Run[] = [];

  /** Each run has a subject of its own, so that none depends on what another left behind. */
  async function runOnce(product: string, name: string, scenario: Scenario): Promise<void> {
    const profileFolder = values.profile && product !== SKELETON ? tempFolder() : undefined;
    const options = { sinkPort: sink.port, profileFolder };
    const subject =
      product === SKELETON
        ? await startReference(scenario, options)
        : await startProduct(product, scenario, options);
    const measurement = await measure(subject, scenario, { publisher, sink, pauses });
    runs.push({ product, scenario: name, measurement });
    const when = new Date().toISOString();
    console.log(JSON.stringify({ product, scenario: name, when, ...measurement }));
    if (profileFolder === undefined) return;
    for (const file of readdirSync(profileFolder)) printSummary(summarizeProfile(join(profileFolder, file)));
  }

  for (const [name, scenario] of chosen) {
    const subjects = scenario.hasReference ? [SKELETON, ...products] : products;
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const product of subjects) await runOnce(product, name, scenario);
    }
  }
  const medians = mediansOf(runs);
  printTable(medians);
  const isTooSlow = values.quick ? isRegression(medians) : missesGoals(medians);
  return isTooSlow || runs.some(({ measurement }) => measurement.missing > 0) ? 1 : 0;
});

function printTable({ value, ratio }: Medians): void {
  const names = Object.keys(COLUMNS);
  console.log(`\n| Scenario | Measured | ${names.join(' | ')} |`);
  console.log(`| --- | --- | ${names.map(() => '--:').join(' | ')} |`);
  for (const [scenario] of chosen) {
    for (const product of [SKELETON, ...products]) {
      if (names.every((name) => value(scenario, product, name) === null)) continue;
      const cells = names.map((name) =>
        cellOf(value(scenario, product, name), product === SKELETON ? null : ratio(scenario, product, name)),
      );
      console.log(`| ${scenario} | ${product} | ${cells.join(' | ')} |`);
    }
  }
  console.log('');
}

function mediansOf(runs: readonly Run[]): Medians {
  function numbersOf(scenario: string, product: string, column: string): number[] {
    const own = runs.filter((run) => run.scenario === scenario && run.product === product);
    return own.flatMap(({ measurement }) => COLUMNS[column]?.(measurement) ?? []);
  }
  const ratioBy =
    (pick: (numbers: readonly number[]) => number): Medians['ratio'] =>
    (scenario, product, column) => {
      const [own, base] = [product, SKELETON].map((name) => numbersOf(scenario, name, column));
      return own?.length && base?.length ? pick(own) / pick(base) : null;
    };
  return {
    value(scenario, product, column) {
      const numbers = numbersOf(scenario, product, column);
      return numbers.length === 0 ? null : median(numbers);
    },
    ratio: ratioBy(median),
    lowestRatio: ratioBy((numbers) => Math.min(...numbers)),
  };
}

function cellOf(value: number | null, ratio: number | null): string {
  if (value === null) return '–';
  const text = value >= 100 ? value.toFixed(0) : value.toFixed(2);
  return ratio === null ? text : `${text} (${ratio.toFixed(2)}×)`;
}

/** Until the arrival at the sink; until the response where nothing is delivered. */
function latencyOf({ publish_ack, publish_to_sink }: Measurement): Measurement['publish_ack'] {
  return publish_to_sink['good'] ?? publish_ack;
}

function total(values: Readonly<Record<string, number>>): number {
  return Object.values(values).reduce((sum, each) => sum + each, 0);
}
