/** All checks, in the order of the report. */
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

export function diagnose(facts: Facts): readonly Finding[] {
  return CHECKS.flatMap((check) => check(facts));
}
