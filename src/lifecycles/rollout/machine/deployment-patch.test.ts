import { expect, test } from 'vitest';

import { machineFacts, versionTemplate } from '../../../../test/fixtures/rollout/machine-facts.ts';
import { proveWith } from '../gate/write-proof.ts';
import { changePatch, provenPatch } from './deployment-patch.ts';

const prove = proveWith('a key of some length, as they are');
const { deployment } = machineFacts({ annotations: { rollout: '5', 'wanted-replicas': '3' } });
/** The proof for the Deployment after these changes. */
function proofOf({ metadata = {}, spec = {} }: { metadata?: object; spec?: object }): string {
  const object = {
    metadata: { ...deployment.metadata, ...metadata },
    spec: { selector: {}, template: {}, ...deployment.spec, ...spec },
  };
  return prove({ old: deployment, object });
}
const proofAt = (value: string): object => ({
  op: 'add',
  path: '/metadata/annotations/lifehook.dev~1write',
  value,
});

test('changePatch tests resourceVersion and number, and adds the proof of what it stores (ROLL-G5)', () => {
  const template = versionTemplate('t1');
  const annotations = { 'lifehook.dev/released': '5', 'lifehook.dev/wanted-replicas': null };
  const change = { paused: false, replicas: 3, template, labelled: true, annotations };
  const stored = { 'lifehook.dev/rollout': '5', 'lifehook.dev/released': '5' };
  expect(changePatch(deployment, change, prove)).toEqual([
    { op: 'test', path: '/metadata/resourceVersion', value: '7' },
    { op: 'test', path: '/metadata/annotations/lifehook.dev~1rollout', value: '5' },
    {
      op: 'add',
      path: '/metadata/annotations',
      value: stored,
    },
    { op: 'add', path: '/metadata/labels', value: { 'lifehook.dev/gated': '' } },
    { op: 'add', path: '/spec/template', value: template },
    { op: 'add', path: '/spec/paused', value: false },
    { op: 'add', path: '/spec/replicas', value: 3 },
    proofAt(
      proofOf({
        metadata: { annotations: stored, labels: { 'lifehook.dev/gated': '' } },
        spec: { template, paused: false, replicas: 3 },
      }),
    ),
  ]);
});

test('changePatch leaves out what does not change', () => {
  const annotations = { 'lifehook.dev/released': '5' };
  const paths = changePatch(deployment, { annotations }, null).map(({ path }) => path);
  expect(paths).toEqual([
    '/metadata/resourceVersion',
    '/metadata/annotations/lifehook.dev~1rollout',
    '/metadata/annotations',
  ]);
});

test('changePatch keeps the other labels, and the value of ours', () => {
  const labelsAfter = (labels: Record<string, string> | undefined, labelled: boolean): unknown => {
    const metadata = { ...deployment.metadata, labels: labels as never };
    const operations = changePatch({ ...deployment, metadata }, { labelled }, null);
    return operations.find(({ path }) => path === '/metadata/labels')?.value;
  };
  const labels = { app: 'web', 'lifehook.dev/gated': 'x' };
  expect(labelsAfter(labels, true)).toEqual(labels);
  expect(labelsAfter(labels, false)).toEqual({ app: 'web' });
  expect(labelsAfter(undefined, true)).toEqual({ 'lifehook.dev/gated': '' });
});

test('changePatch works on a Deployment without annotations', () => {
  const bare = { ...deployment, metadata: { uid: 'uid-web', resourceVersion: '7' } };
  expect(changePatch(bare, { paused: true }, null)).toEqual([
    { op: 'test', path: '/metadata/resourceVersion', value: '7' },
    { op: 'add', path: '/metadata/annotations', value: {} },
    { op: 'add', path: '/spec/paused', value: true },
  ]);
});

test('changePatch adds the write proof when it removes the number', () => {
  const annotations = { 'lifehook.dev/rollout': null };
  const stored = { 'lifehook.dev/wanted-replicas': '3' };
  const [, , put, , last] = changePatch(deployment, { annotations, labelled: false }, prove);
  expect(put?.value).toEqual(stored);
  expect(last).toEqual(proofAt(proofOf({ metadata: { annotations: stored, labels: {} } })));
});

test('changePatch tests no number if the Deployment has none', () => {
  const paths = changePatch(machineFacts().deployment, { paused: true }, null).map(
    ({ op, path }) => `${op} ${path}`,
  );
  expect(paths).toEqual([
    'test /metadata/resourceVersion',
    'add /metadata/annotations',
    'add /spec/paused',
  ]);
});

test('provenPatch adds the write proof only if there is a key', () => {
  const operations = [{ op: 'add', path: '/spec/paused', value: true }] as const;
  expect(provenPatch(deployment, operations, null)).toEqual(operations);
  expect(provenPatch(deployment, operations, prove)).toEqual([
    ...operations,
    proofAt(proofOf({ spec: { paused: true } })),
  ]);
});

test('changePatch removes the proof of an earlier write if there is no key', () => {
  const annotations = { 'lifehook.dev/write': 'old', team: 'shop' };
  const before = { ...deployment, metadata: { ...deployment.metadata, annotations } };
  const [, put] = changePatch(before, { paused: true }, null);
  expect(put?.value).toEqual({ team: 'shop' });
});
