import type { Container, Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';
import { web } from '../../../../test/fixtures/rollout/hook-pods.ts';
import { request } from '../../../../test/fixtures/rollout/sample-stage.ts';

import type { ExecNewPodHook } from '../kinds.ts';
import { buildHookPod, isRefusal, type Refusal } from './build-hook-pod.ts';
import { hookEnv } from './hook-container.ts';

function build(
  container: Partial<Container>,
  hook: Partial<ExecNewPodHook> = {},
  annotations: Record<string, string> = {},
): Pod | Refusal {
  const containers = [{ name: 'app', image: 'shop:2', ...container }];
  const template = { metadata: { labels: { app: 'web' }, annotations }, spec: { containers } };
  const execNewPod = { containerName: 'app', ...hook };
  return buildHookPod({ ...request, attempt: 1, template, hook: { execNewPod } });
}

function containerOf(...given: Parameters<typeof build>): Container | undefined {
  const built = build(...given);
  return isRefusal(built) ? undefined : built.spec?.containers[0];
}

describe('the container of a hook', () => {
  const service = { command: ['serve'], args: ['--port', '80'] };

  it.each<[string, Partial<Container>, Partial<ExecNewPodHook>, object]>([
    ['has command and arguments of its container', service, {}, service],
    [
      'has a command of its own, without the arguments',
      service,
      { command: ['migrate'] },
      { command: ['migrate'] },
    ],
    [
      'has arguments of its own for the command',
      service,
      { args: ['--once'] },
      { ...service, args: ['--once'] },
    ],
    ['has neither if nobody says one', {}, {}, {}],
  ])('%s (ROLL-DH2)', (...[, container, hook, expected]) => {
    const { command, args } = containerOf(container, hook) ?? {};
    expect({
      ...(command === undefined ? {} : { command }),
      ...(args === undefined ? {} : { args }),
    }).toEqual(expected);
    for (const field of ['command', 'args']) {
      const has = Object.keys(containerOf(container, hook) ?? {}).includes(field);
      expect(has).toBe(field in expected);
    }
  });

  it('has no resize policy: the server refuses one with a restart in a pod that never restarts (ROLL-C27)', () => {
    const resizePolicy = [{ resourceName: 'memory', restartPolicy: 'RestartContainer' }];
    expect(containerOf({ resizePolicy })).not.toHaveProperty('resizePolicy');
  });

  it('has no volumes, devices or overrides but the requested ones (ROLL-DH7)', () => {
    const mounted = { volumeMounts: [{ name: 'data', mountPath: '/data' }] };
    expect(containerOf(mounted)).toMatchObject({ volumeMounts: [], volumeDevices: [] });
    for (const field of ['envFrom', 'resources', 'securityContext']) {
      expect(containerOf({})).not.toHaveProperty(field);
    }
  });
});

describe('the pod of a hook', () => {
  it('is a pod of its Deployment, with the annotations of the hook alone', () => {
    expect(build({}, { annotations: { a: 'b' } })).toMatchObject({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        namespace: 'shop',
        finalizers: ['lifehook.dev/hook-run'],
        ownerReferences: [{ kind: 'Deployment', uid: 'uid-web', controller: false }],
      },
    });
    const built = build({}, { annotations: { a: 'b' } });
    expect(isRefusal(built) ? null : built.metadata?.annotations).toEqual({ a: 'b' });
  });

  it('is as confined as the pods of the template by annotations that were fields once', () => {
    const confined = {
      'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default',
      'container.apparmor.security.beta.kubernetes.io/app': 'localhost/app',
      'container.apparmor.security.beta.kubernetes.io/proxy': 'localhost/proxy',
      'prometheus.io/scrape': 'true',
    };
    const built = build({}, {}, confined);
    expect(isRefusal(built) ? null : built.metadata?.annotations).toEqual({
      'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default',
      'container.apparmor.security.beta.kubernetes.io/hook': 'localhost/app',
    });
  });

  it('passes the rollout to its hook, with nothing for an unknown revision', () => {
    expect(containerOf({})?.env?.slice(0, -1)).toEqual(
      Object.entries({
        LIFEHOOK_NAMESPACE: 'shop',
        LIFEHOOK_DEPLOYMENT: 'web',
        LIFEHOOK_ROLLOUT: '7',
        LIFEHOOK_ROLLOUT_ID: 'uid-web/7',
        LIFEHOOK_STAGE: 'pre',
        LIFEHOOK_ATTEMPT: '1',
        LIFEHOOK_DIRECTION: 'ROLLOUT',
        LIFEHOOK_FROM_REVISION: '',
        LIFEHOOK_TO_REVISION: '',
      }).map(([name, value]) => ({ name, value })),
    );
  });

  it('is refused if the selector matches its labels, with what to do (ROLL-E24)', () => {
    const labels = web.spec?.selector.matchLabels ?? {};
    expect(build({}, { labels })).toEqual({
      kind: 'refused',
      reason: 'LabelsMatchSelector',
      message:
        "The labels of the pre hook's pod match the selector of Deployment web, whose ReplicaSet would adopt the pod and delete it. Remove the matching labels from execNewPod.labels.",
    });
  });

  it('is refused without its container, with those that there are (ROLL-C25)', () => {
    expect(build({}, { containerName: 'ap' })).toEqual({
      kind: 'refused',
      reason: 'ContainerNotFound',
      message:
        'The pre hook runs the image of container "ap", which this template does not have (it has: app). Correct containerName in the DeploymentLifecycle, or the template.',
    });
  });
});

const env = (text: string): { name: string; value: string }[] =>
  text
    .split(' ')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [name = '', ...value] = entry.split('=');
      return { name, value: value.join('=') };
    });

describe('hookEnv', () => {
  it.each([
    ['keeps the variables of the container', 'A=1 B=$(A)', '', 'A=1 B=$(A)'],
    [
      'replaces a variable of the container in place by that of the hook (ROLL-DH8, ROLL-C27)',
      'X=1 Y=$(X)',
      'X=2',
      'X=2 Y=$(X)',
    ],
    ['appends new variables of the hook', 'A=1', 'B=$(A)', 'A=1 B=$(A)'],
    [
      'moves a variable before the override that refers to it',
      'A=1 B=0 C=$(B)',
      'N=1 B=$(N)',
      'A=1 N=1 B=$(N) C=$(B)',
    ],
    [
      'moves a variable of the container with those that it refers to',
      'B=0 Y=1 Z=$(Y)',
      'B=$(Z)',
      'Y=1 Z=$(Y) B=$(Z)',
    ],
    ['leaves a reference cycle as it is', 'A=$(B) B=0', 'B=$(A)', 'A=$(B) B=$(A)'],
    ['reads an escaped reference as no reference', 'B=0 Z=1', 'B=$$(Z)', 'B=$$(Z) Z=1'],
    [
      'reads names of any length',
      'HOST=1',
      'URL=$(HOST)/$(PATH_OF) PATH_OF=x',
      'HOST=1 PATH_OF=x URL=$(HOST)/$(PATH_OF)',
    ],
    ['orders a chain of references', 'A=1', 'D=$(C) C=$(B) B=$(A)', 'A=1 B=$(A) C=$(B) D=$(C)'],
  ])('%s', (...[, container, hook, expected]) => {
    expect(hookEnv({ ours: [], container: env(container), hook: env(hook) })).toEqual(
      env(expected),
    );
  });

  it('moves a chain of up to a hundred references', () => {
    const chain = (length: number): { name: string; value: string }[] =>
      Array.from({ length }, (_, index) => ({ name: `V${index}`, value: `$(V${index + 1})` }));
    const first = (length: number): string | undefined =>
      hookEnv({ ours: [], container: [], hook: chain(length) })[0]?.name;
    expect([first(50), first(101), first(150)]).toEqual(['V49', 'V100', 'V100']);
  });

  it('puts our variables first, and lets neither container nor hook replace them', () => {
    const merged = hookEnv({
      ours: env('LIFEHOOK_STAGE=pre'),
      container: env('LIFEHOOK_STAGE=x A=1'),
      hook: env('LIFEHOOK_STAGE=y B=$(LIFEHOOK_STAGE)'),
    });
    expect(merged).toEqual(env('LIFEHOOK_STAGE=pre A=1 B=$(LIFEHOOK_STAGE)'));
  });

  it('takes the last of two variables with one name, as Kubernetes does', () => {
    expect(hookEnv({ ours: [], container: env('A=1 A=2'), hook: env('B=1 B=2') })).toEqual(
      env('A=2 B=2'),
    );
  });

  it('copies a reference to a secret as it is', () => {
    const secret = { name: 'S', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } };
    expect(hookEnv({ ours: [], container: [], hook: [secret] })).toEqual([secret]);
  });
});
