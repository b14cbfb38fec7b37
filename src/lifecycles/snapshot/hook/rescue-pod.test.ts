import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import { actions, target } from '../../../../test/sim/snapshot/hook-facts.ts';
import { rescuePod, rescueSource, runsSameThaw } from './rescue-pod.ts';

const pod: Pod = {
  metadata: { name: 'a' },
  spec: {
    serviceAccountName: 'db',
    securityContext: { runAsUser: 0, fsGroup: 70 },
    containers: [
      {
        name: 'db',
        image: 'db:1',
        env: [{ name: 'PASSWORD', value: 'secret' }],
        securityContext: { privileged: true },
        volumeMounts: [
          { name: 'data', mountPath: '/data' },
          { name: 'host', mountPath: '/host' },
          { name: 'token', mountPath: '/token' },
        ],
      },
      { name: 'none', image: 'x', volumeMounts: [{ name: 'token', mountPath: '/token' }] },
    ],
    volumes: [
      { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
      { name: 'host', hostPath: { path: '/host' } },
      { name: 'token', secret: { secretName: 'token' } },
      { name: 'unused', persistentVolumeClaim: { claimName: 'unused' } },
    ],
  },
};

const volumes = [
  { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
  { name: 'host', hostPath: { path: '/host' } },
];
const container = {
  image: 'db:1',
  securityContext: { privileged: true },
  volumeMounts: [
    { name: 'data', mountPath: '/data' },
    { name: 'host', mountPath: '/host' },
  ],
};

describe('rescueSource', () => {
  it('has the claims and host paths that the container mounts, and what it may do', () => {
    expect(rescueSource(pod, 'db', {})).toEqual({
      serviceAccountName: 'db',
      // No fsGroup: with one, the kubelet would wait for the frozen file system.
      securityContext: { runAsUser: 0 },
      volumes,
      container,
    });
  });

  it('has an image of its own where one is given', () => {
    const { container: own } = rescueSource(pod, 'db', { image: 'tools:1' }) ?? {};
    expect(own).toEqual({ ...container, image: 'tools:1' });
  });

  it('has block devices of its claims, and no field that the pod does not have', () => {
    const volumeDevices = [
      { name: 'data', devicePath: '/dev/data' },
      { name: 'token', devicePath: '/dev/token' },
    ];
    const block: Pod = {
      spec: { containers: [{ name: 'db', volumeDevices }], volumes: pod.spec?.volumes ?? [] },
    };
    const source = rescueSource(block, 'db', {}) ?? {};
    expect(source).toEqual({
      volumes: volumes.slice(0, 1),
      container: { volumeDevices: volumeDevices.slice(0, 1) },
    });
    expect(Object.keys(source).toSorted()).toEqual(['container', 'volumes']);
    expect(Object.keys(source['container'] ?? {})).toEqual(['volumeDevices']);
  });

  it('is null for a container that the pod does not have', () => {
    expect([rescueSource(pod, 'other', {}), rescueSource({}, 'db', {})]).toEqual([null, null]);
  });

  it('is null without a rescue, and for a container that mounts no such volume', () => {
    expect([rescueSource(pod, 'db', undefined), rescueSource(pod, 'none', {})]).toEqual([
      null,
      null,
    ]);
  });
});

describe('rescuePod', () => {
  const hook = { namespace: 'ns', name: 'nightly.hook', uid: 'uid-h' };
  const rescue = rescueSource(pod, 'db', {}) ?? {};
  const facts = { hook, target: target('a/db', { rescue }), resolved: actions(), timeoutMs: 2_500 };

  it('runs the thaw on the node, with the volumes, for as long as the attempt may take', () => {
    const { metadata, spec } = rescuePod(facts);
    expect(metadata).toMatchObject({
      namespace: 'ns',
      labels: { 'lifehook.dev/rescue-pod': 'true' },
      ownerReferences: [
        { apiVersion: 'lifehook.dev/v1alpha1', kind: 'ExecutionHook', uid: 'uid-h' },
      ],
    });
    expect(spec).toMatchObject({
      nodeName: 'node-1',
      volumes,
      restartPolicy: 'Never',
      activeDeadlineSeconds: 3,
      automountServiceAccountToken: false,
      containers: [{ ...container, name: 'thaw', command: ['thaw'] }],
    });
    expect(spec).not.toHaveProperty('container');
    // The pod must run on this node, so no taint of the node may keep it away.
    expect(spec?.tolerations).toEqual([{ operator: 'Exists' }]);
    expect([spec?.enableServiceLinks, spec?.terminationGracePeriodSeconds]).toEqual([false, 0]);
    expect(spec?.containers[0]).toMatchObject({
      imagePullPolicy: 'IfNotPresent',
      terminationMessagePolicy: 'FallbackToLogsOnError',
    });
  });

  it('is scheduled where its target has no node, and gives even a late attempt one second', () => {
    const { nodeName: _, ...nowhere } = facts.target;
    const { spec } = rescuePod({ ...facts, target: nowhere, timeoutMs: 0 });
    expect(Object.keys(spec ?? {})).not.toContain('nodeName');
    expect(spec?.activeDeadlineSeconds).toBe(1);
  });

  it('has the same name for the same target of the same hook only, and a valid one', () => {
    const nameOf = (more: Partial<typeof facts>): string =>
      rescuePod({ ...facts, ...more }).metadata?.name ?? '';
    const name = nameOf({});
    expect(name).toMatch(/^nightly-hook-rescue-[0-9a-f]{10}$/);
    expect(nameOf({ timeoutMs: 9_000 })).toBe(name);
    const others = [
      nameOf({ hook: { ...hook, uid: 'uid-i' } }),
      nameOf({ target: target('b/db', { rescue }) }),
      nameOf({ target: target('a/log', { rescue }) }),
    ];
    expect(new Set([name, ...others]).size).toBe(4);
    expect(nameOf({ hook: { ...hook, name: 'x'.repeat(253) } })).toHaveLength(63);
    const cut = `${'x'.repeat(43)}--${'y'.repeat(99)}`;
    expect(nameOf({ hook: { ...hook, name: cut } })).toMatch(/^x{43}-rescue-/u);
  });

  it('runs the thaw of a session, with dollar signs that the kubelet leaves as they are', () => {
    const session = { freeze: ['f'], thaw: ['sh', '-c', 'echo $(id) $$ "$1"'] };
    const { postAction: _, ...resolved } = actions({
      preAction: { session, actionTimeoutSeconds: 30 },
    });
    const { spec } = rescuePod({ ...facts, resolved });
    expect(spec?.containers[0]?.command).toEqual(['sh', '-c', 'echo $$(id) $$$$ "$$1"']);
  });
});

describe('runsSameThaw (SNAP-I24)', () => {
  const hook = { namespace: 'ns', name: 'nightly.hook', uid: 'uid-h' };
  const rescue = rescueSource(pod, 'db', {}) ?? {};
  const facts = { hook, target: target('a/db', { rescue }), resolved: actions(), timeoutMs: 2_500 };
  const wanted = rescuePod(facts);
  const [thaw] = wanted.spec?.containers ?? [];
  const found = (spec: object, ofContainer: object = {}): Pod => ({
    ...wanted,
    spec: { ...wanted.spec, containers: [{ name: 'thaw', ...thaw, ...ofContainer }], ...spec },
  });

  it('is true of what the server and the node add, and of another time limit', () => {
    const added = { schedulerName: 'default-scheduler', activeDeadlineSeconds: 9 };
    expect(runsSameThaw(found(added, { terminationMessagePath: '/dev/log' }), wanted)).toBe(true);
  });

  it.each<[string, object, object]>([
    ['another command', {}, { command: ['true'] }],
    ['more arguments', {}, { args: ['--help'] }],
    ['another image', {}, { image: 'other:1' }],
    ['another environment', {}, { env: [{ name: 'PATH', value: '/data' }] }],
    ['other mounts', {}, { volumeMounts: [] }],
    ['other volumes', { volumes: [] }, {}],
    ['another node', { nodeName: 'node-2' }, {}],
    ['a container before it', { initContainers: [{ name: 'x' }] }, {}],
    ['no container', { containers: [] }, {}],
  ])('is false with %s', (...[, spec, ofContainer]) => {
    expect(runsSameThaw(found(spec, ofContainer), wanted)).toBe(false);
  });
});
