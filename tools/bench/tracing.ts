// npm run bench:tracing [-- --rounds 5]: the CPU time of an event with OpenTelemetry at 10 %
// sampling, alternating with the same without it. The product without it runs twice in each round;
// their ratio says how much the machine varies. Prints a JSON line for each round, and the medians.
import { startWebhookEndpoint } from '@svcforms/test-kit';
import { parseArgs } from 'node:util';
import { median, rounded } from '../lib/statistics.ts';
import { runTool } from '../lib/tool.ts';
import { buildProduct } from '../setup/install.mjs';
import { measure } from './measure.ts';
import { startPublisher, startSink } from './programs.ts';
import { QUICK_PAUSES, SCENARIOS } from './scenarios.ts';
import { startProduct } from './subjects.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const scenario = SCENARIOS['throughput']!;

await runTool(async () => {
  buildProduct();
  const [publisher, sink] = [await startPublisher(), await startSink()];
  const collector = await startWebhookEndpoint();
  const tracing = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.1',
  };

  /** The CPU seconds of 1 000 events. */
  async function cpuWith(settings: Record<string, string>): Promise<number> {
    const subject = await startProduct('embedded', scenario, { sinkPort: sink.port, settings });
    const { cpu_s_per_1000 } = await measure(subject, scenario, { publisher, sink, pauses: QUICK_PAUSES });
    await subject.stop();
    return cpu_s_per_1000.to_drain['server'] ?? NaN;
  }

  const rounds: { off: number; on: number; offAgain: number }[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    rounds.push({ off: await cpuWith({}), on: await cpuWith(tracing), offAgain: await cpuWith({}) });
    console.log(JSON.stringify(rounds.at(-1)));
  }
  const sameRatios = rounds.map(({ off, offAgain }) => rounded(offAgain / off, 3));
  console.log(
    JSON.stringify({
      ratioOnToOff: rounded(median(rounds.map(({ off, on, offAgain }) => (2 * on) / (off + offAgain))), 3),
      ratioOffToOff: {
        least: Math.min(...sameRatios),
        median: median(sameRatios),
        most: Math.max(...sameRatios),
      },
      exports: collector.requests.length,
    }),
  );
});
