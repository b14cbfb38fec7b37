/** `lifehook doctor`: gathers facts, decides what each means, and prints one line for each. Changes nothing. */
import process from 'node:process';

import type { ClusterChoice } from '../cluster/cluster-options.ts';
import { colourOf } from '../colour.ts';
import { exitCodes } from '../exit-codes.ts';
import type { KubeOptions } from '../kube-connection.ts';
import type { OutputFormat } from '../output-option.ts';
import { printed } from '../printed.ts';
import type { QuietOptions } from '../quiet-option.ts';
import { diagnose } from './checks.ts';
import type { Finding } from './finding.ts';
import { gatherCluster } from './gather/cluster.ts';
import { gatherLocal } from './gather/local.ts';
import { type Report, reportOf, reportText } from './report.ts';

export interface DoctorOptions extends KubeOptions, ClusterChoice, QuietOptions {
  readonly output: OutputFormat;
}

const COLOURS = { ok: 'green', warning: 'yellow', error: 'red' } as const;

export async function runDoctor(options: DoctorOptions): Promise<number> {
  const [local, cluster] = await Promise.all([gatherLocal(options), gatherCluster(options)]);
  const report = reportOf(diagnose({ local, cluster }));
  const shown = options.quiet === true ? withoutOk(report) : report;
  process.stdout.write(printed(shown, options.output, () => reportText(shown, printing())));
  return report.healthy ? exitCodes.done : exitCodes.failed;
}

/** Those that a person has to do something about. */
function withoutOk(report: Report): Report {
  return { ...report, findings: report.findings.filter(({ result }) => result !== 'ok') };
}

function printing(): Parameters<typeof reportText>[1] {
  const { stdout } = process;
  const colour = colourOf(stdout);
  const paint = (result: Finding['result'], text: string): string => colour(COLOURS[result], text);
  return { paint, width: stdout.isTTY ? stdout.columns : Infinity };
}
