/** `lifehook doctor`: gathers facts, decides what each means, and prints one line for each. Changes nothing. */
import process from 'node:process';

import type { ClusterChoice } from '../cluster/cluster-options.ts';
import { colourOf } from '../colour.ts';
import { exitCodes } from '../exit-codes.ts';
import type { KubeOptions } from '../kube-connection.ts';
import { printed } from '../listing.ts';
import type { OutputFormat, QuietOptions } from '../shared-options.ts';
import {
  controllerAtWork,
  controllerRights,
  userRights,
  webhookArmed,
} from './checks/controller.ts';
import { ownKinds, snapshotClasses, snapshotKinds } from './checks/kinds.ts';
import { diskSpace, kubectlSkew, nodeVersion, strayProcesses } from './checks/local.ts';
import { frozenNow, templates } from './checks/objects.ts';
import { clockSkew, kubeconfig, reachable, serverVersion } from './checks/server.ts';
import type { Facts } from './facts.ts';
import type { Check, Finding } from './finding.ts';
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

const CHECKS: readonly Check[] = [
  nodeVersion,
  kubeconfig,
  reachable,
  serverVersion,
  kubectlSkew,
  ownKinds,
  snapshotKinds,
  snapshotClasses,
  controllerAtWork,
  controllerRights,
  webhookArmed,
  userRights,
  templates,
  frozenNow,
  clockSkew,
  strayProcesses,
  diskSpace,
];

/** All checks, in the order of the report. */
export function diagnose(facts: Facts): readonly Finding[] {
  return CHECKS.flatMap((check) => check(facts));
}
