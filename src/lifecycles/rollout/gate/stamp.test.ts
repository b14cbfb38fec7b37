import { describe, expect, it } from 'vitest';

import {
  deploymentOf,
  notationOf,
  patched,
} from '../../../../test/fixtures/rollout-gate/gate-notation.ts';
import { type GateInput, stamp } from './stamp.ts';

interface Row {
  readonly title: string;
  readonly old?: string;
  readonly request: string;
  readonly stored: string;
  readonly isNamed?: boolean | null;
  readonly isProven?: boolean;
  readonly warns?: string;
}

const inputOf = ({ old, request, isNamed = true, isProven = false }: Row): GateInput => ({
  object: deploymentOf(request),
  old: old === undefined ? null : deploymentOf(old),
  isNamed,
  isProven,
});

const rows: readonly Row[] = [
  {
    title: 'ROLL-E17: pauses a Deployment created with the label, as rollout 1',
    request: 'label',
    stored: 'label r1 l0 p n3 T1',
    isNamed: false,
  },
  {
    title: 'labels a Deployment that a lifecycle names when it is created',
    request: 'n2',
    stored: 'label r1 l0 p n2 T1',
  },
  {
    title: 'stores a Deployment that no lifecycle names as it is',
    request: 'n2',
    stored: 'n2 T1',
    isNamed: false,
  },
  {
    title: 'stores a Deployment as it is when the lookup of its lifecycle fails',
    request: 'n2',
    stored: 'n2 T1',
    isNamed: null,
  },
  {
    title: 'ignores our annotations in a manifest that is created',
    request: 'label r9 l9 w4 n0 a=b',
    stored: 'label r1 l0 p n0 T1 a=b',
  },
  {
    title: 'ROLL-G5: does not store a proof that does not hold',
    old: 'label r5 l4 p T2 lifehook.dev/write=old',
    request: 'label r5 l5 p T2 lifehook.dev/write=new',
    stored: 'label r5 l4 p n3 T2 lifehook.dev/write=old',
  },
  {
    title: 'ROLL-G5: gives a template that another webhook puts into our write the next number',
    old: 'label r5 l4 p n0 w3 T2',
    request: 'label r5 l5 n3 T3 lifehook.dev/write=ours',
    stored: 'label r6 l4 p n0 w3 T3',
    warns: 'spec.replicas is held at 0 until rollout 6 is released, and will be 3 then',
  },
  {
    title: 'ROLL-C2, ROLL-G1: gives a changed template the next number',
    old: 'label r4 l4 T1',
    request: 'label r4 l4 T2',
    stored: 'label r5 l4 p n3 T2',
  },
  {
    title: 'ROLL-E17: ignores paused: false next to a changed template',
    old: 'label r4 l4 p T1',
    request: 'label r4 l4 T2',
    stored: 'label r5 l4 p n3 T2',
  },
  {
    title:
      'ROLL-C23, ROLL-G1: gives an undo with the annotations of an old ReplicaSet a new number',
    old: 'label r4 l4 T2 deployment.kubernetes.io/revision=4',
    request: 'label r1 l0 w3 T1 deployment.kubernetes.io/revision=4',
    stored: 'label r5 l4 p n3 T1 deployment.kubernetes.io/revision=4',
  },
  {
    title: 'gives a template that changes again during a hook its own number',
    old: 'label r5 l4 p T2',
    request: 'label r5 l4 T3',
    stored: 'label r6 l4 p n3 T3',
  },
  {
    title: 'gives a template that is reverted during a hook its own number',
    old: 'label r5 l4 p T2',
    request: 'label r5 l4 p T1',
    stored: 'label r6 l4 p n3 T1',
  },
  {
    title: 'ROLL-E22: keeps the gate of a Deployment that is replaced without our annotations',
    old: 'label r5 l4 p T2',
    request: 'label T2',
    stored: 'label r5 l4 p n3 T2',
    warns: 'spec.paused stays true until rollout 5 is released: its hooks run before its pods',
  },
  {
    title: 'ROLL-G3: pauses a gated Deployment that was unpaused without the gate',
    old: 'label r5 l4 T2',
    request: 'label r5 l4 T2 a=b',
    stored: 'label r5 l4 p n3 T2 a=b',
  },
  {
    title: 'ROLL-E18: keeps label and number when a template change leaves them out',
    old: 'label r5 l5 T1',
    request: 'T2',
    stored: 'label r6 l5 p n3 T2',
    warns:
      'the label lifehook.dev/gated is kept: to remove it, delete the DeploymentLifecycle of this Deployment',
  },
  {
    title: 'ROLL-G2: restores a released number that a user changed',
    old: 'label r5 l4 p T2',
    request: 'label r5 l5 T2',
    stored: 'label r5 l4 p n3 T2',
    warns: 'spec.paused stays true until rollout 5 is released: its hooks run before its pods',
  },
  {
    title: 'ROLL-C24: opens no rollout for a change of replicas, labels or annotations alone',
    old: 'label r4 l4 T1',
    request: 'label r4 l4 n5 T1 a=b',
    stored: 'label r4 l4 n5 T1 a=b',
  },
  {
    title: 'keeps paused as the user set it at rest',
    old: 'label r4 l4 T1',
    request: 'label r4 l4 p T1',
    stored: 'label r4 l4 p n3 T1',
  },
  {
    title:
      'ROLL-G2: carries the label and annotations forward at rest when an update leaves them out',
    old: 'label r4 l4 T1',
    request: 'T1',
    stored: 'label r4 l4 n3 T1',
    warns:
      'the label lifehook.dev/gated is kept: to remove it, delete the DeploymentLifecycle of this Deployment',
  },
  {
    title: 'drops the label if no lifecycle names the Deployment and no rollout is open',
    old: 'label r4 l4 T1',
    request: 'T1',
    stored: 'n3 T1',
    isNamed: false,
  },
  {
    title: 'keeps the label while a rollout is open, even if no lifecycle names the Deployment',
    old: 'label r5 l4 p T1',
    request: 'p r5 l4 T1',
    stored: 'label r5 l4 p n3 T1',
    isNamed: false,
    warns:
      'the label lifehook.dev/gated is kept: to remove it, delete the DeploymentLifecycle of this Deployment',
  },
  {
    title: 'allows scaling during pre, which scales the old template (ROLL-E3)',
    old: 'label r5 l4 p n3 T2',
    request: 'label r5 l4 p n7 T2',
    stored: 'label r5 l4 p n7 T2',
  },
  {
    title: 'ROLL-E13, ROLL-C15, ROLL-G4: stores a replica count set while held as the wanted count',
    old: 'label r5 l4 p n0 w3 T2',
    request: 'label r5 l4 p n7 w3 T2',
    stored: 'label r5 l4 p n0 w7 T2',
    warns: 'spec.replicas is held at 0 until rollout 5 is released, and will be 7 then',
  },
  {
    title: 'keeps the wanted count when an update repeats the held 0',
    old: 'label r5 l4 p n0 w3 T2',
    request: 'label p n0 T2',
    stored: 'label r5 l4 p n0 w3 T2',
  },
  {
    title: 'takes the wanted count that a user sets in the annotation while held',
    old: 'label r5 l4 p n0 w3 T2',
    request: 'label r5 l4 p n0 w9 T2',
    stored: 'label r5 l4 p n0 w9 T2',
  },
  {
    title: 'ROLL-C17: keeps the wanted count for a new template while held',
    old: 'label r5 l4 p n0 w3 T2',
    request: 'label n0 T3',
    stored: 'label r6 l4 p n0 w3 T3',
  },
  {
    title: 'holds replicas that bypassed the webhook at 0 and stores them as the wanted count',
    old: 'label r5 l4 p n4 w3 T2',
    request: 'label r5 l4 p n4 w3 T2 a=b',
    stored: 'label r5 l4 p n0 w4 T2 a=b',
    warns: 'spec.replicas is held at 0 until rollout 5 is released, and will be 4 then',
  },
  {
    title: 'ROLL-E15, ROLL-G4: holds a changed template at 0 if the Deployment had zero replicas',
    old: 'label r4 l4 n0 T1',
    request: 'label r4 l4 n5 T2',
    stored: 'label r5 l4 p n0 w5 T2',
    warns: 'spec.replicas is held at 0 until rollout 5 is released, and will be 5 then',
  },
  {
    title: 'ROLL-C21: wants zero replicas for a rollout at zero replicas',
    old: 'label r4 l4 n0 T1',
    request: 'label r4 l4 n0 T2',
    stored: 'label r5 l4 p n0 w0 T2',
  },
  {
    title: 'holds a Deployment scaled to zero during pre from the next write on',
    old: 'label r5 l4 p n0 T2',
    request: 'label r5 l4 p n3 T2',
    stored: 'label r5 l4 p n0 w3 T2',
    warns: 'spec.replicas is held at 0 until rollout 5 is released, and will be 3 then',
  },
  {
    title: 'ROLL-L5: holds no replicas of a Deployment that was left paused and resumed by hand',
    old: 'r7 n1 w4 T1',
    request: 'label n3 w4 T2',
    stored: 'label r8 p n3 T2',
  },
  {
    title: 'numbers the template that ran before the lifecycle 1, so that its drain hook runs',
    old: 'T1',
    request: 'label T2',
    stored: 'label r2 l1 p n3 T2',
  },
  {
    title: 'sets no number when only the label is added: the controller does',
    old: 'T1',
    request: 'label r7 l7 w1 T1',
    stored: 'label n3 T1',
  },
  {
    title: 'reads a rollout annotation that is no number as missing',
    old: 'label rx l4 T1',
    request: 'label T2',
    stored: 'label r2 l1 p n3 T2',
  },
  {
    title: 'passes the retry and abort annotations of a user',
    old: 'label r5 l4 p T2',
    request: 'label r5 l4 p T2 lifehook.dev/retry=5 lifehook.dev/abort=5',
    stored: 'label r5 l4 p n3 T2 lifehook.dev/retry=5 lifehook.dev/abort=5',
  },
  {
    title: 'stores a proven write as it is',
    old: 'label r5 l4 p n0 w3 T2',
    request: 'label r5 l5 n3 T2',
    stored: 'label r5 l5 n3 T2',
    isProven: true,
  },
  {
    title: 'passes a Deployment that was never labelled',
    old: 'T1',
    request: 'T2 r3',
    stored: 'r3 n3 T2',
  },
];

describe('a stamp', () => {
  it.each(rows)('$title', (row) => {
    const input = inputOf(row);
    const { patch, warnings } = stamp(input);
    const stored = patched(input.object, patch);
    expect(notationOf(stored)).toBe(row.stored);
    expect(warnings).toEqual(row.warns === undefined ? [] : [row.warns]);
  });

  it.each(rows)('changes nothing when the webhook is invoked again: $title', (row) => {
    const input = inputOf(row);
    const object = patched(input.object, stamp(input).patch);
    expect(stamp({ ...input, object }).patch).toEqual([]);
  });

  it('is removed when a later webhook restores the old template', () => {
    const old = 'label r4 l4 n0 T1';
    const first = inputOf({ title: '', old, request: 'label r4 l4 n5 T2', stored: '' });
    const stamped = patched(first.object, stamp(first).patch);
    const { selector, template } = first.old?.spec ?? { selector: {}, template: {} };
    const object = { ...stamped, spec: { ...stamped.spec, selector, template } };
    const again = stamp({ ...first, object });
    expect(notationOf(patched(object, again.patch))).toBe('label r4 l4 n5 T1');
  });
});
