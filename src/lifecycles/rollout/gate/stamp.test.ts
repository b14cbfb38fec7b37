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
    title: 'E17: what is created with the label is paused, as the first rollout',
    request: 'label',
    stored: 'label r1 l0 p n3 T1',
    isNamed: false,
  },
  {
    title: 'what a lifecycle names gets the label when it is created',
    request: 'n2',
    stored: 'label r1 l0 p n2 T1',
  },
  { title: 'what nobody names is stored as it is', request: 'n2', stored: 'n2 T1', isNamed: false },
  { title: 'what may be named by nobody too', request: 'n2', stored: 'n2 T1', isNamed: null },
  {
    title: 'a manifest is not believed what it says of our annotations',
    request: 'label r9 l9 w4 n0 a=b',
    stored: 'label r1 l0 p n0 T1 a=b',
  },
  {
    title: 'C2: a changed template is the next number',
    old: 'label r4 l4 T1',
    request: 'label r4 l4 T2',
    stored: 'label r5 l4 p n3 T2',
  },
  {
    title: 'E17: paused: false beside a changed template does not count',
    old: 'label r4 l4 p T1',
    request: 'label r4 l4 T2',
    stored: 'label r5 l4 p n3 T2',
  },
  {
    title: 'C23: undo brings back the annotations of an old ReplicaSet, and no old number',
    old: 'label r4 l4 T2 deployment.kubernetes.io/revision=4',
    request: 'label r1 l0 w3 T1 deployment.kubernetes.io/revision=4',
    stored: 'label r5 l4 p n3 T1 deployment.kubernetes.io/revision=4',
  },
  {
    title: 'a template that changes again during a hook is a rollout of its own',
    old: 'label r5 l4 p T2',
    request: 'label r5 l4 T3',
    stored: 'label r6 l4 p n3 T3',
  },
  {
    title: 'so is one that is put back',
    old: 'label r5 l4 p T2',
    request: 'label r5 l4 p T1',
    stored: 'label r6 l4 p n3 T1',
  },
  {
    title: 'E22: replaced without our annotations, a gated one stays what it is',
    old: 'label r5 l4 p T2',
    request: 'label T2',
    stored: 'label r5 l4 p n3 T2',
    warns: 'spec.paused stays true until rollout 5 is released: its hooks run before its pods',
  },
  {
    title: 'E18: neither label nor number goes with a change of the template',
    old: 'label r5 l5 T1',
    request: 'T2',
    stored: 'label r6 l5 p n3 T2',
    warns:
      'the label lifehook.dev/gated is kept: delete the DeploymentLifecycle of this Deployment, and it goes',
  },
  {
    title: 'a number that is turned back is put right',
    old: 'label r5 l4 p T2',
    request: 'label r5 l5 T2',
    stored: 'label r5 l4 p n3 T2',
    warns: 'spec.paused stays true until rollout 5 is released: its hooks run before its pods',
  },
  {
    title: 'C24: replicas, labels and annotations alone are no rollout',
    old: 'label r4 l4 T1',
    request: 'label r4 l4 n5 T1 a=b',
    stored: 'label r4 l4 n5 T1 a=b',
  },
  {
    title: 'at rest paused is the user’s own',
    old: 'label r4 l4 T1',
    request: 'label r4 l4 p T1',
    stored: 'label r4 l4 p n3 T1',
  },
  {
    title: 'at rest what was left out is carried forward',
    old: 'label r4 l4 T1',
    request: 'T1',
    stored: 'label r4 l4 n3 T1',
    warns:
      'the label lifehook.dev/gated is kept: delete the DeploymentLifecycle of this Deployment, and it goes',
  },
  {
    title: 'the label goes where no lifecycle names it and nothing is open',
    old: 'label r4 l4 T1',
    request: 'T1',
    stored: 'n3 T1',
    isNamed: false,
  },
  {
    title: 'the label stays while something is open, whoever names it',
    old: 'label r5 l4 p T1',
    request: 'p r5 l4 T1',
    stored: 'label r5 l4 p n3 T1',
    isNamed: false,
    warns:
      'the label lifehook.dev/gated is kept: delete the DeploymentLifecycle of this Deployment, and it goes',
  },
  {
    title: 'scaling during pre goes through: it is the old template that scales (E3)',
    old: 'label r5 l4 p n3 T2',
    request: 'label r5 l4 p n7 T2',
    stored: 'label r5 l4 p n7 T2',
  },
  {
    title: 'E13, C15: while held a count is kept for later',
    old: 'label r5 l4 p n0 w3 T2',
    request: 'label r5 l4 p n7 w3 T2',
    stored: 'label r5 l4 p n0 w7 T2',
    warns: 'spec.replicas is held at 0 until rollout 5 is released, and will be 7 then',
  },
  {
    title: 'while held the 0 that was read says nothing',
    old: 'label r5 l4 p n0 w3 T2',
    request: 'label p n0 T2',
    stored: 'label r5 l4 p n0 w3 T2',
  },
  {
    title: 'while held a person says the count in the annotation',
    old: 'label r5 l4 p n0 w3 T2',
    request: 'label r5 l4 p n0 w9 T2',
    stored: 'label r5 l4 p n0 w9 T2',
  },
  {
    title: 'C17: a new template while held keeps the count that is wanted',
    old: 'label r5 l4 p n0 w3 T2',
    request: 'label n0 T3',
    stored: 'label r6 l4 p n0 w3 T3',
  },
  {
    title: 'what came past the webhook while held is put back, and wanted',
    old: 'label r5 l4 p n4 w3 T2',
    request: 'label r5 l4 p n4 w3 T2 a=b',
    stored: 'label r5 l4 p n0 w4 T2 a=b',
    warns: 'spec.replicas is held at 0 until rollout 5 is released, and will be 4 then',
  },
  {
    title: 'E15: a change of the template of none at all is held at none',
    old: 'label r4 l4 n0 T1',
    request: 'label r4 l4 n5 T2',
    stored: 'label r5 l4 p n0 w5 T2',
    warns: 'spec.replicas is held at 0 until rollout 5 is released, and will be 5 then',
  },
  {
    title: 'C21: a rollout of none wants none',
    old: 'label r4 l4 n0 T1',
    request: 'label r4 l4 n0 T2',
    stored: 'label r5 l4 p n0 w0 T2',
  },
  {
    title: 'what a person scaled to none during pre is held from the next write on',
    old: 'label r5 l4 p n0 T2',
    request: 'label r5 l4 p n3 T2',
    stored: 'label r5 l4 p n0 w3 T2',
    warns: 'spec.replicas is held at 0 until rollout 5 is released, and will be 3 then',
  },
  {
    title: 'what ran before the lifecycle is 1, so that a drain is not skipped',
    old: 'T1',
    request: 'label T2',
    stored: 'label r2 l1 p n3 T2',
  },
  {
    title: 'the label alone makes no number: that is the controller’s',
    old: 'T1',
    request: 'label r7 l7 w1 T1',
    stored: 'label n3 T1',
  },
  {
    title: 'what is no number is none',
    old: 'label rx l4 T1',
    request: 'label T2',
    stored: 'label r2 l1 p n3 T2',
  },
  {
    title: 'the word of a person passes: retry and abort',
    old: 'label r5 l4 p T2',
    request: 'label r5 l4 p T2 lifehook.dev/retry=5 lifehook.dev/abort=5',
    stored: 'label r5 l4 p n3 T2 lifehook.dev/retry=5 lifehook.dev/abort=5',
  },
  {
    title: 'a write of ours is stored as it is',
    old: 'label r5 l4 p n0 w3 T2',
    request: 'label r5 l5 n3 T2',
    stored: 'label r5 l5 n3 T2',
    isProven: true,
  },
  { title: 'what was never labelled is not ours', old: 'T1', request: 'T2 r3', stored: 'r3 n3 T2' },
];

describe('a stamp', () => {
  it.each(rows)('$title', (row) => {
    const input = inputOf(row);
    const { patch, warnings } = stamp(input);
    const stored = patched(input.object, patch);
    expect(notationOf(stored)).toBe(row.stored);
    expect(warnings).toEqual(row.warns === undefined ? [] : [row.warns]);
  });

  it.each(rows)('is put on once, however often it is asked: $title', (row) => {
    const input = inputOf(row);
    const object = patched(input.object, stamp(input).patch);
    expect(stamp({ ...input, object }).patch).toEqual([]);
  });

  it('is taken off where a later webhook puts the template back', () => {
    const old = 'label r4 l4 n0 T1';
    const first = inputOf({ title: '', old, request: 'label r4 l4 n5 T2', stored: '' });
    const stamped = patched(first.object, stamp(first).patch);
    const { selector, template } = first.old?.spec ?? { selector: {}, template: {} };
    const object = { ...stamped, spec: { ...stamped.spec, selector, template } };
    const again = stamp({ ...first, object });
    expect(notationOf(patched(object, again.patch))).toBe('label r4 l4 n5 T1');
  });
});
