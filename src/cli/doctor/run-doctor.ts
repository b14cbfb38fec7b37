/** `lifehook doctor`: reads facts, decides what each fact means, and prints one line for each. It changes nothing. */
import process from 'node:process';

import { countText } from '../../model/count-text.ts';
import type { ClusterChoice } from '../cluster/up-command.ts';
import { exitCodes } from '../exit-codes.ts';
import type { KubeOptions } from '../kube-connection.ts';
import { printed } from '../listing.ts';
import type { OutputFormat, QuietOptions } from '../shared-options.ts';
import { colourOf, printable } from '../terminal-text.ts';
import { controllerAtWork, controllerRights, userRights } from './checks/controller.ts';
import { ownKinds } from './checks/kinds.ts';
import { diskSpace, kubectlSkew, nodeVersion, strayProcesses } from './checks/local.ts';
import { clockSkew, kubeconfig, reachable, serverVersion } from './checks/server.ts';
import type { Check, Facts, Section } from './facts.ts';
import type { Finding } from './finding.ts';
import { gatherCluster } from './gather/cluster.ts';
import { gatherLocal } from './gather/local.ts';

export interface DoctorOptions extends KubeOptions, ClusterChoice, QuietOptions {
  readonly output: OutputFormat;
}

const COLOURS = { ok: 'green', warning: 'yellow', error: 'red' } as const;

export async function runDoctor(options: DoctorOptions): Promise<number> {
  const [local, cluster] = await Promise.all([gatherLocal(options), gatherCluster(options)]);
  return printReport({ local, cluster }, options);
}

/** Returns the exit code. */
export function printReport(
  facts: Facts,
  { output, quiet }: Pick<DoctorOptions, 'output' | 'quiet'>,
): number {
  const report = reportOf(diagnose(facts));
  const shown = quiet === true ? withoutOk(report) : report;
  // The text form has printable findings already, and its colours must stay.
  const text = output === 'text' ? reportText(shown, terminal()) : printed(shown, output, () => '');
  process.stdout.write(text);
  return report.healthy ? exitCodes.done : exitCodes.failed;
}

function withoutOk(report: Report): Report {
  return { ...report, findings: report.findings.filter(({ result }) => result !== 'ok') };
}

function terminal(): Parameters<typeof reportText>[1] {
  const { stdout } = process;
  const colour = colourOf(stdout);
  const paint = (result: Finding['result'], text: string): string => colour(COLOURS[result], text);
  return { paint, width: stdout.isTTY ? stdout.columns : Infinity };
}

const CHECKS: readonly Check[] = [
  nodeVersion,
  kubeconfig,
  reachable,
  serverVersion,
  kubectlSkew,
  ownKinds,
  ofLifecycles('kinds'),
  controllerAtWork,
  controllerRights,
  ofLifecycles('webhooks'),
  userRights,
  ofLifecycles('objects'),
  clockSkew,
  strayProcesses,
  diskSpace,
];

function ofLifecycles(section: Section): Check {
  return ({ cluster }) =>
    cluster.kind === 'reached'
      ? cluster.lifecycles.flatMap((judge) => judge(cluster)[section] ?? [])
      : [];
}

/** All checks, in the order of the report. */
export function diagnose(facts: Facts): readonly Finding[] {
  return CHECKS.flatMap((check) => check(facts));
}

/** The findings, in the form that is printed as text, JSON or YAML. */
export interface Report {
  /** True: no finding is an error. */
  readonly healthy: boolean;
  readonly ok: number;
  readonly warnings: number;
  readonly errors: number;
  readonly findings: readonly Finding[];
}

export function reportOf(findings: readonly Finding[]): Report {
  const count = (result: Finding['result']): number =>
    findings.filter((finding) => finding.result === result).length;
  const errors = count('error');
  const counts = { ok: count('ok'), warnings: count('warning'), errors };
  return { healthy: errors === 0, ...counts, findings };
}

export interface Printing {
  readonly paint: (result: Finding['result'], text: string) => string;
  /** Maximum columns of a line; Infinity: lines are never broken. */
  readonly width: number;
}

const RESULT_WIDTH = 'warning'.length;
const GAP = '  ';
const NARROWEST = 24;

export function reportText(report: Report, printing: Printing): string {
  const { findings, ok, warnings, errors } = report;
  const checkWidth = Math.max(0, ...findings.map(({ check }) => check.length));
  const indent = RESULT_WIDTH + checkWidth + 2 * GAP.length;
  const width = Math.max(NARROWEST, printing.width - indent);
  const lines = findings.flatMap(({ check, result, found, next }) => {
    const text = [
      ...broken(printable(found), width),
      ...(next === undefined ? [] : nextLines(printable(next), width)),
    ];
    return text.map((line, index) => {
      if (index > 0) return `${' '.repeat(indent)}${line}`;
      const head = printing.paint(result, result.padEnd(RESULT_WIDTH));
      return `${head}${GAP}${check.padEnd(checkWidth)}${GAP}${line}`;
    });
  });
  const summary = `${ok} ok, ${countText(warnings, 'warning')}, ${countText(errors, 'error')}.`;
  return `${[...lines, '', summary].join('\n')}\n`;
}

/** The next step in lines of this width. A command stays on one line, so that it can be copied. */
function nextLines(next: string, width: number): string[] {
  return broken(`Next: ${next}`, COMMAND.test(next) ? Infinity : width);
}

const COMMAND = /^(lifehook|kubectl|export|kill) /u;

/** Breaks between words; a word longer than a line, such as a command or a path, stays whole. */
function broken(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && longer.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}
