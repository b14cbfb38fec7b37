/** Converts the hooks of a DeploymentConfig's strategy to those of a DeploymentLifecycle. Pure. */
import { fieldsAt, textAt } from '../../kube/fields.ts';
import {
  at,
  changed,
  dropped,
  type Fields,
  kept,
  part,
  type Placed,
  type Remark,
} from '../convert/conversion.ts';
import type { Strategy } from './deployment-config.ts';

export interface ConvertedHooks {
  readonly block: 'rollingUpdate' | 'recreate';
  readonly stages: Fields;
  readonly remarks: readonly Remark[];
}

const STAGES = ['pre', 'mid', 'post'] as const;

export function convertHooks(strategy: Strategy): ConvertedHooks {
  const block = strategy.type === 'Recreate' ? 'recreate' : 'rollingUpdate';
  const stages: Record<string, Fields> = {};
  const remarks: Remark[] = [];
  for (const stage of STAGES) {
    const hook = part(strategy.params, stage);
    if (Object.keys(hook.value).length === 0) continue;
    remarks.push(...hookRemarks(hook));
    if (hook.value['execNewPod'] === undefined) continue;
    const policy = policyOf(hook, { stage, block });
    remarks.push(...policy.remarks);
    stages[stage] = { ...policy.fields, execNewPod: execNewPod(hook, strategy.whole) };
  }
  return { block, stages, remarks };
}

/**
 * Keeps the labels and annotations of the strategy, because OpenShift sets them on all pods that its deployer creates.
 */
function execNewPod(hook: Placed, whole: Placed): Fields {
  const made = part(hook, 'execNewPod').value;
  const marks = kept(whole.value, ['labels', 'annotations']);
  const filled = Object.entries(marks).filter(
    ([, value]) => Object.keys(fieldsAt(value)).length > 0,
  );
  return {
    ...kept(made, ['containerName', 'command', 'env', 'volumes']),
    ...Object.fromEntries(filled),
  };
}

interface Where {
  readonly stage: (typeof STAGES)[number];
  readonly block: ConvertedHooks['block'];
}

interface ConvertedPolicy {
  readonly fields: Fields;
  readonly remarks: readonly Remark[];
}

function policyOf(hook: Placed, { stage, block }: Where): ConvertedPolicy {
  const fields = kept(hook.value, ['failurePolicy']);
  if (stage !== 'post' || fields['failurePolicy'] !== 'Abort') return { fields, remarks: [] };
  const path = at(hook, 'failurePolicy');
  if (block === 'recreate') {
    const message =
      'If a post hook with failurePolicy Abort fails, the new pods stay and the rollout is Failed.';
    const next = 'Write onAbort: Rollback to restore the old template.';
    return { fields, remarks: [changed(path, message, next)] };
  }
  const message =
    'A complete rolling update cannot be aborted: Abort became Retry, until progressDeadlineSeconds.';
  const next = 'Write Ignore if the rollout should be Done despite the failure.';
  return { fields: { failurePolicy: 'Retry' }, remarks: [changed(path, message, next)] };
}

const OWN_VARIABLES = /OPENSHIFT_DEPLOYMENT_(NAMESPACE|NAME)/g;

function hookRemarks(hook: Placed): Remark[] {
  const made = part(hook, 'execNewPod');
  const { tagImages } = hook.value;
  const used = JSON.stringify(kept(made.value, ['command', 'env'])).matchAll(OWN_VARIABLES);
  const variables = new Set([...used].map(([, variable = '']) => variable));
  return [
    ...(Array.isArray(tagImages)
      ? [dropped(at(hook, 'tagImages'), 'Tag the image in a hook that runs `oc tag`.')]
      : []),
    ...[...variables].map((variable) => variableRemark(made, variable)),
    ...(tagImages === undefined && textAt(hook.value['failurePolicy']) === ''
      ? [policyRemark(hook)]
      : []),
  ];
}

function variableRemark(made: Placed, variable: string): Remark {
  const now = variable === 'NAME' ? 'LIFEHOOK_DEPLOYMENT' : 'LIFEHOOK_NAMESPACE';
  return changed(
    at(made, 'command'),
    `The pod of a hook has no variable OPENSHIFT_DEPLOYMENT_${variable} any more.`,
    `Use ${now}; LIFEHOOK_ROLLOUT has the number.`,
  );
}

function policyRemark(hook: Placed): Remark {
  return changed(
    hook.path,
    'The hook has no failurePolicy, which OpenShift refuses; it became Retry.',
    'Write the failurePolicy that you want.',
  );
}
