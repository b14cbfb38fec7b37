/** A plan in words. Pure. */
import type { Container } from 'kubernetes-types/core/v1.js';

import { textTable } from '../text-table.ts';
import { hookContainerOf, type PlannedHook, type RolloutPlan } from './planned-rollout.ts';

const DIGEST_SHOWN = 12;

export function planText(plan: RolloutPlan): string {
  const { steps, hooks, obstacles, gate } = plan;
  const parts = [`Deployment ${plan.namespace}/${plan.deployment}\n`, ...headLines(plan)];
  parts.push(`  gate       ${gate.mode}${gateText(plan)}\n`);
  if (steps.length > 0) parts.push(`  steps      ${steps.join(' > ')}\n`);
  for (const hook of hooks) parts.push('\n', hookText(hook));
  if (steps.length > 0 && hooks.length === 0) parts.push('\nNo hook would run.\n');
  for (const obstacle of obstacles) parts.push(`\nIn the way: ${obstacle}\n`);
  if (plan.missingPermissions.length > 0) {
    const list = plan.missingPermissions.map(({ verb, resource }) => `${verb} ${resource}`);
    parts.push(`\nYou may not: ${list.join(', ')}\n(the controller needs to)\n`);
  }
  parts.push('\nNothing was changed.\n');
  return parts.join('');
}

function headLines({
  change,
  changed,
  fromDigest = '',
  toDigest,
  number,
  direction,
}: RolloutPlan): string[] {
  const shown = (digest: string): string => digest.slice(0, DIGEST_SHOWN);
  switch (change) {
    case 'None':
      return ['  change     none of the template: nothing is rolled out\n'];
    case 'New':
      return [`  change     it is created, template ${shown(toDigest)}\n  rollout    ${number}\n`];
    case 'Assumed':
      return [`  change     any other template than ${shown(toDigest)}\n  rollout    ${number}\n`];
    case 'Template':
      return [
        `  change     template ${shown(fromDigest)} > ${shown(toDigest)}\n`,
        ...changed.map((path) => `             ${path}\n`),
        `  rollout    ${number}, direction ${direction}\n`,
      ];
    default:
      return change satisfies never;
  }
}

function gateText({ gate: { proof } }: RolloutPlan): string {
  if (proof === null) return '';
  if (proof.reason === 'Conflict') return ' (not proven: other writers were faster, run it again)';
  return proof.armed ? ' (proven now by a dry run)' : ` (${proof.reason}: NOT armed)`;
}

function hookText(hook: PlannedHook): string {
  const { stage, failurePolicy, timeoutSeconds, deadlineSeconds } = hook;
  const within = timeoutSeconds === undefined ? '' : `, each attempt within ${timeoutSeconds} s`;
  const head = `Hook ${stage}: ${failurePolicy}, within ${deadlineSeconds} s${within}\n`;
  const container = hookContainerOf(hook);
  if (container === undefined) return `${head}  no pod can be made\n`;
  const { serviceAccountName = 'default', volumes = [] } = hook.pod?.spec ?? {};
  const [first, ...rest] = [
    ...containerRows(container),
    ['  volumes', volumes.map(({ name }) => name).join(', ') || 'none'],
    ['  service account', serviceAccountName],
  ];
  return `${head}${textTable(first, rest)}`;
}

function containerRows({ image = '-', command = [], args = [], ...rest }: Container): string[][] {
  const { env = [], envFrom = [] } = rest;
  const from = envFrom.map(({ secretRef, configMapRef }) => secretRef?.name ?? configMapRef?.name);
  const names = [...env.map(({ name }) => name), ...from.map((name = '?') => `all of ${name}`)];
  return [
    ['  image', image],
    ['  command', [...command, ...args].join(' ') || 'that of the image'],
    ['  env', names.join(', ')],
  ];
}
