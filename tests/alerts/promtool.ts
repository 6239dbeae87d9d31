import { root, tempFolder } from '@svcforms/test-kit';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ALERTS = readFileSync(`${root}k8s/components/alerts/alerts.yaml`, 'utf8');

/** The rules in the format of Prometheus: the `spec` of the PrometheusRule. */
export const RULES = ALERTS.slice(ALERTS.indexOf('\nspec:\n') + '\nspec:\n'.length).replaceAll(/^ {2}/gm, '');

/** The names of all alerts, each with the address of its runbook. */
export const alerts = ALERTS.split('- alert: ')
  .slice(1)
  .map((text) => ({
    name: text.slice(0, text.indexOf('\n')),
    runbook: /runbook_url: (\S+)/.exec(text)?.[1] ?? '',
  }));

/**
 * Samples of a series in the notation of promtool: `0x5` is six zeros, `1+2x5` six rising values.
 */
export type Series = Readonly<Record<string, string>>;

/** What Prometheus says of an alert that fires. */
export interface Fired {
  labels: Readonly<Record<string, string>>;
  summary: string;
}

/** Runs promtool on the rules: checks their syntax. @throws Error with what it printed */
export function checkRules(): Promise<string> {
  return promtool('check', { 'rules.yaml': RULES });
}

/**
 * Runs promtool on an alert: with these series, exactly `fired` fires after that time.
 * @param at such as `5m`
 * @param every the time from one sample to the next, and between two evaluations. promtool
 *   evaluates all rules each time, so days need long steps.
 * @throws Error with what promtool printed if it doesn't
 */
export async function expectAlert(
  name: string,
  {
    series,
    at,
    every = '1m',
    fired,
  }: { series: Series; at: string; every?: string | undefined; fired: readonly Fired[] },
): Promise<void> {
  const runbook = alerts.find((alert) => alert.name === name)?.runbook;
  const test = {
    rule_files: ['rules.yaml'],
    evaluation_interval: every,
    tests: [
      {
        interval: every,
        input_series: Object.entries(series).map(([labels, values]) => ({ series: labels, values })),
        alert_rule_test: [
          {
            alertname: name,
            eval_time: at,
            exp_alerts: fired.map(({ labels, summary }) => ({
              exp_labels: labels,
              exp_annotations: { summary, runbook_url: runbook },
            })),
          },
        ],
      },
    ],
  };
  // JSON is YAML.
  await promtool('test', { 'test.yaml': JSON.stringify(test), 'rules.yaml': RULES });
}

/** Runs `promtool <command> rules` on the first of these files. */
async function promtool(command: string, files: Readonly<Record<string, string>>): Promise<string> {
  const cwd = tempFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  const [first = ''] = Object.keys(files);
  try {
    return (await promisify(execFile)('promtool', [command, 'rules', first], { cwd })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`promtool ${command} rules failed:\n${stdout}${stderr}`, { cause: error });
  }
}
