import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Pod, PodSpec, PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import { hook as plain, web } from '../../../../test/fixtures/rollout/hook-pods.ts';
import type { ExecNewPodHook } from '../kinds.ts';
import { HOOK_POD_FINALIZER } from '../names.ts';
import { buildHookPod, type HookPodRequest, isRefusal } from './build-hook-pod.ts';
import { identityOf } from './identity.ts';

/** A template with every field that matters for a hook. */
const spec = {
  serviceAccountName: 'deployer',
  serviceAccount: 'deployer',
  tolerations: [{ key: 'gpu', operator: 'Exists' }],
  affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [] } },
  nodeSelector: { disk: 'fast' },
  imagePullSecrets: [{ name: 'registry' }],
  priorityClassName: 'high',
  priority: 1_000,
  runtimeClassName: 'kata',
  overhead: { cpu: '100m' },
  hostAliases: [{ ip: '10.0.0.1', hostnames: ['db'] }],
  dnsPolicy: 'None',
  dnsConfig: { nameservers: ['10.0.0.2'] },
  securityContext: { runAsUser: 1_000, fsGroup: 2_000 },
  hostNetwork: true,
  schedulerName: 'mine',
  terminationGracePeriodSeconds: 17,
  restartPolicy: 'Always',
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' },
  ],
  readinessGates: [{ conditionType: 'x' }],
  volumes: [
    { name: 'data', emptyDir: {} },
    { name: 'conf', configMap: { name: 'c' } },
  ],
  initContainers: [{ name: 'prepare', image: 'tool:1', restartPolicy: 'Always' }],
  containers: [
    {
      name: 'app',
      image: 'shop:2',
      imagePullPolicy: 'Always',
      command: ['serve'],
      args: ['--port=1'],
      workingDir: '/srv',
      env: [
        { name: 'X', value: '1' },
        { name: 'LIFEHOOK_STAGE', value: 'forged' },
      ],
      envFrom: [{ secretRef: { name: 'db' } }],
      resources: { limits: { memory: '1Gi' } },
      securityContext: { readOnlyRootFilesystem: true },
      ports: [{ containerPort: 80, hostPort: 80 }],
      livenessProbe: { exec: { command: ['true'] } },
      readinessProbe: { exec: { command: ['true'] } },
      startupProbe: { exec: { command: ['true'] } },
      lifecycle: { preStop: { exec: { command: ['true'] } } },
      stdin: true,
      tty: true,
      volumeMounts: [
        {
          name: 'data',
          mountPath: '/data',
          subPathExpr: '$(X)',
          mountPropagation: 'Bidirectional',
          readOnly: true,
        },
        { name: 'conf', mountPath: '/etc/shop', subPath: 'a' },
      ],
      volumeDevices: [
        { name: 'data', devicePath: '/dev/a' },
        { name: 'conf', devicePath: '/dev/b' },
      ],
    },
  ],
} satisfies PodSpec;

const template: PodTemplateSpec = {
  metadata: {
    labels: { app: 'web' },
    annotations: {
      'prometheus.io/scrape': 'true',
      'container.apparmor.security.beta.kubernetes.io/app': 'localhost/shop',
      'container.apparmor.security.beta.kubernetes.io/proxy': 'unconfined',
    },
  },
  spec,
};

function request(
  execNewPod: Partial<ExecNewPodHook> = {},
  more: Partial<HookPodRequest> = {},
): HookPodRequest {
  return {
    deployment: web,
    number: 12,
    stage: 'pre',
    attempt: 2,
    direction: 'Rollback',
    fromRevision: '3',
    template,
    hook: { ...plain, execNewPod: { containerName: 'app', ...execNewPod } },
    replicaSet: null,
    ...more,
  };
}

function build(...parts: Parameters<typeof request>): Pod {
  const built = buildHookPod(request(...parts));
  if (isRefusal(built)) throw new Error(built.message);
  return built;
}

const specOf = (execNewPod: Partial<ExecNewPodHook> = {}): PodSpec | undefined =>
  build(execNewPod).spec;

describe('buildHookPod, its container', () => {
  it('copies the container without ports, probes, lifecycle and terminal (ROLL-DH6, ROLL-C27)', () => {
    const [container, ...others] = specOf({ volumes: ['data', 'conf'] })?.containers ?? [];
    expect(others).toEqual([]);
    const [
      {
        ports: _p,
        livenessProbe: _l,
        readinessProbe: _r,
        startupProbe: _s,
        lifecycle: _c,
        stdin: _i,
        tty: _t,
        ...rest
      },
    ] = spec.containers as [(typeof spec.containers)[0]];
    expect(container).toEqual({
      ...rest,
      name: 'hook',
      env: expect.anything(),
      terminationMessagePolicy: 'FallbackToLogsOnError',
    });
  });

  it.each<[string, Partial<ExecNewPodHook>, object]>([
    ['keeps those of the container by default', {}, { command: ['serve'], args: ['--port=1'] }],
    ['replaces both by a command of the hook', { command: ['migrate'] }, { command: ['migrate'] }],
    ['replaces arguments alone', { args: ['up'] }, { command: ['serve'], args: ['up'] }],
    ['takes both of the hook', { command: ['m'], args: ['up'] }, { command: ['m'], args: ['up'] }],
  ])('%s: command and arguments (ROLL-DH2)', (...[, execNewPod, expected]) => {
    const { command, args } = specOf(execNewPod)?.containers[0] ?? {};
    expect({ command, ...(args === undefined ? {} : { args }) }).toEqual(expected);
  });

  it('merges the environments: ours first, then the hook, then the container (ROLL-C27)', () => {
    const env = specOf({ env: [{ name: 'X', value: '2' }] })?.containers[0]?.env ?? [];
    expect(
      Object.fromEntries(env.map(({ name, value, valueFrom }) => [name, value ?? valueFrom])),
    ).toEqual({
      LIFEHOOK_NAMESPACE: 'shop',
      LIFEHOOK_DEPLOYMENT: 'web',
      LIFEHOOK_ROLLOUT: '12',
      LIFEHOOK_ROLLOUT_ID: 'uid-web/12',
      LIFEHOOK_STAGE: 'pre',
      LIFEHOOK_ATTEMPT: '2',
      LIFEHOOK_DIRECTION: 'ROLLBACK',
      LIFEHOOK_FROM_REVISION: '3',
      LIFEHOOK_TO_REVISION: '',
      LIFEHOOK_FENCING_TOKEN: {
        configMapKeyRef: { name: 'hook-permit-uid-web', key: '12-pre-2' },
      },
      X: '2',
    });
    expect(env.filter(({ name }) => name === 'LIFEHOOK_STAGE')).toHaveLength(1);
  });

  it('is copied from an init container without its restartPolicy (ROLL-DH22)', () => {
    const [container] = specOf({ containerName: 'prepare' })?.containers ?? [];
    expect(container).toMatchObject({ name: 'hook', image: 'tool:1' });
    expect(container).not.toHaveProperty('restartPolicy');
  });
});

describe('buildHookPod, volumes (ROLL-DH7)', () => {
  it.each<[string, string[] | undefined, string[]]>([
    ['has none by default', undefined, []],
    ['has a named volume', ['data'], ['data']],
    ['ignores unknown volumes', ['data', 'nowhere'], ['data']],
    ['has every named volume, in template order', ['conf', 'data'], ['data', 'conf']],
  ])('%s', (...[, volumes, expected]) => {
    const made = specOf(volumes === undefined ? {} : { volumes });
    expect(made?.volumes?.map(({ name }) => name)).toEqual(expected);
    const [container] = made?.containers ?? [];
    expect(container?.volumeMounts?.map(({ name }) => name)).toEqual(expected);
    expect(container?.volumeDevices?.map(({ name }) => name)).toEqual(expected);
  });
});

describe('buildHookPod, its pod', () => {
  it('copies the pod spec without the fields of replicas (ROLL-C28)', () => {
    const { topologySpreadConstraints: _s, readinessGates: _g, initContainers: _i, ...rest } = spec;
    expect(specOf()).toEqual({
      ...rest,
      containers: expect.anything(),
      volumes: [],
      restartPolicy: 'Never',
    });
  });

  it('takes the overrides of the hook, and drops fields derived from the replaced ones (ROLL-C28)', () => {
    const overrides = {
      serviceAccountName: 'migrator',
      nodeSelector: {},
      tolerations: [],
      affinity: {},
      imagePullSecrets: [{ name: 'other' }],
      priorityClassName: 'low',
      runtimeClassName: 'runc',
      terminationGracePeriodSeconds: 120,
    };
    const made = specOf({ overrides });
    expect(made).toMatchObject(overrides);
    expect([made?.tolerations, made?.nodeSelector, made?.affinity]).toEqual([[], {}, {}]);
    for (const field of ['serviceAccount', 'priority', 'overhead']) {
      expect(made).not.toHaveProperty(field);
    }
    const ofContainer = {
      envFrom: [],
      resources: { limits: { cpu: '1' } },
      securityContext: { runAsUser: 5 },
    };
    expect(specOf({ overrides: ofContainer })?.containers[0]).toMatchObject(ofContainer);
  });

  it('has a grace period of at least 1 s, so that the kubelet reports its exit', () => {
    const overrides = { terminationGracePeriodSeconds: 0 };
    expect(specOf({ overrides })?.terminationGracePeriodSeconds).toBe(1);
  });
});

describe('buildHookPod, its metadata', () => {
  it('has our labels, finalizer and owner, and not the labels of the template (ROLL-E24)', () => {
    const { metadata } = build({ labels: { team: 'shop' }, annotations: { note: 'x' } });
    expect(metadata?.labels).not.toHaveProperty('app');
    expect(metadata?.labels).toMatchObject({ team: 'shop' });
    expect(identityOf({ metadata: metadata ?? {} })).toEqual({
      uid: 'uid-web',
      number: 12,
      stage: 'pre',
      attempt: 2,
    });
    expect(metadata?.finalizers).toEqual([HOOK_POD_FINALIZER]);
    expect(metadata?.ownerReferences).toMatchObject([{ kind: 'Deployment', controller: false }]);
    const replicaSet = { metadata: { name: 'web-2', uid: 'uid-set' } };
    expect(build({}, { replicaSet }).metadata?.ownerReferences).toMatchObject([
      { kind: 'ReplicaSet', uid: 'uid-set', controller: false },
    ]);
  });

  it('keeps our labels when the hook sets others', () => {
    const labels = { 'lifehook.dev/stage': 'post' };
    expect(identityOf(build({ labels }) as never)).toMatchObject({ stage: 'pre' });
  });

  it('copies only the AppArmor annotation of the container from the template', () => {
    expect(build({ annotations: { note: 'x' } }).metadata?.annotations).toEqual({
      note: 'x',
      'container.apparmor.security.beta.kubernetes.io/hook': 'localhost/shop',
    });
  });
});

describe('buildHookPod, refused', () => {
  it('when the template has no such container, and lists those that it has (ROLL-C25)', () => {
    const built = buildHookPod(request({ containerName: 'gone' }));
    expect(built).toMatchObject({ kind: 'refused', reason: 'ContainerNotFound' });
    expect(isRefusal(built) && built.message).toMatch(/"gone".*it has: app, prepare/);
  });

  it('when the labels match the selector of the Deployment (ROLL-E24)', () => {
    const built = buildHookPod(request({ labels: { app: 'web' } }));
    expect(built).toMatchObject({ kind: 'refused', reason: 'LabelsMatchSelector' });
    const strict: Deployment = {
      ...web,
      spec: {
        template: {},
        selector: {
          matchLabels: { app: 'web' },
          matchExpressions: [{ key: 'tier', operator: 'Exists' }],
        },
      },
    };
    const harmless = buildHookPod(request({ labels: { app: 'web' } }, { deployment: strict }));
    expect(isRefusal(harmless)).toBe(false);
  });
});
