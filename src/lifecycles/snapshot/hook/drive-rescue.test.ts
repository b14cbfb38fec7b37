import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import { failure } from '../../../../test/sim/controller/sim-api.ts';
import { HookBench } from '../../../../test/sim/snapshot/hook-bench.ts';
import { pods } from '../../../kube/resources.ts';
import type { ExecutionHookSpec } from '../kinds.ts';
import { RESCUE_POD, TAKEN_ON } from '../names.ts';

const kernel: Partial<ExecutionHookSpec> = {
  podContainerNamesList: [{ podName: 'a', containerNames: ['db'] }],
  lockScope: 'Kernel',
  rescue: {},
  preAction: { exec: { command: ['freeze'] } },
  postAction: { exec: { command: ['thaw'] }, actionTimeoutSeconds: 5 },
};

async function frozen(bench: HookBench): Promise<void> {
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
  const container = {
    name: 'db',
    image: 'db:1',
    volumeMounts: [{ name: 'data', mountPath: '/data' }],
  };
  const spec = { nodeName: 'node-1', containers: [container], volumes };
  bench.makePod('a', ['db'], { spec, metadata: { finalizers: ['test/stays'] } });
  bench.makeHook('h', kernel);
  bench.start();
  await bench.eventually('frozen', bench.isFrozen());
}

/** Removes the finalizer too, so that the pod is deleted at once. */
function remove(bench: HookBench): void {
  bench.changePod('a', ({ metadata }) => {
    delete metadata?.finalizers;
  });
  bench.removePod('a');
}

function rescues(bench: HookBench): Pod[] {
  const all = bench.api.list(pods) as unknown as Pod[];
  return all.filter(({ metadata }) => metadata?.labels?.[RESCUE_POD] !== undefined);
}

async function rescue(bench: HookBench): Promise<Pod> {
  await bench.eventually('a rescue pod', () => rescues(bench).length > 0);
  const [pod] = rescues(bench);
  if (pod === undefined) throw new Error('none');
  return pod;
}

function end({ metadata }: Pod, bench: HookBench, exitCode: number): void {
  bench.changePod(metadata?.name ?? '', (pod) => {
    const state = { terminated: { exitCode, message: 'what it printed' } };
    Object.assign(pod, {
      status: {
        phase: exitCode === 0 ? 'Succeeded' : 'Failed',
        containerStatuses: [
          {
            name: 'thaw',
            image: '',
            imageID: '',
            ready: false,
            restartCount: 0,
            state,
          },
        ],
      },
    });
  });
}

describe('a rescue pod', () => {
  it('thaws what a pod that is deleted has left frozen, and is deleted then', async () => {
    const bench = new HookBench();
    await frozen(bench);
    remove(bench);
    const pod = await rescue(bench);
    expect(pod.spec).toMatchObject({ nodeName: 'node-1', containers: [{ command: ['thaw'] }] });
    expect(bench.condition('ThawUnproven')).toBe('ContainerEnded');
    end(pod, bench, 0);
    await bench.eventually('free', bench.isFree());
    expect(bench.targets()[0]?.thawedBy).toBe('rescue');
    expect(bench.hook('h')?.status?.postActionSucceed).toBe(true);
    expect(bench.condition('ThawUnproven')).toBe('Settled');
    expect([bench.commands(), rescues(bench)]).toEqual([['freeze a/db'], []]);
  });

  it('thaws in a pod that terminates, where the container has failed to', async () => {
    const bench = new HookBench();
    bench.behaviours.set('thaw', { exitCode: 1 });
    await frozen(bench);
    bench.removePod('a');
    end(await rescue(bench), bench, 0);
    await bench.eventually('free', bench.isFree());
    expect(bench.commands()).toEqual(['freeze a/db', 'thaw a/db']);
    expect(bench.targets()[0]).toMatchObject({ thawedBy: 'rescue' });
    expect(bench.targets()[0]?.thawUnproven).toBeUndefined();
  });

  it('is not wanted where the container of a pod that terminates thaws', async () => {
    const bench = new HookBench();
    await frozen(bench);
    bench.removePod('a');
    await bench.eventually('free', bench.isFree());
    expect([bench.targets()[0]?.thawedBy, rescues(bench)]).toEqual(['post', []]);
  });

  it('is not wanted where a container that stays has failed to thaw', async () => {
    const bench = new HookBench();
    bench.behaviours.set('thaw', { exitCode: 1 });
    await frozen(bench);
    bench.deleteHook('h');
    await bench.eventually('overdue', () => bench.condition('Thawed') === 'ThawOverdue');
    await bench.pass(60_000);
    expect(rescues(bench)).toEqual([]);
  });

  it('that fails proves no thaw, and is followed by another', async () => {
    const bench = new HookBench();
    await frozen(bench);
    remove(bench);
    const first = await rescue(bench);
    end(first, bench, 3);
    const uid = first.metadata?.uid;
    await bench.eventually('another', () =>
      rescues(bench).some((each) => each.metadata?.uid !== uid),
    );
    expect(bench.targets()[0]?.thawedBy).toBeUndefined();
    expect(bench.targets()[0]?.postActionStatus?.attempts?.[0]).toMatchObject({
      outcome: 'Failed',
      exitCode: 3,
      output: 'what it printed',
    });
    expect(bench.condition('Thawed')).toBe('ThawUnproven');
  });

  it.each([
    failure(403, 'Forbidden', 'exceeded quota'),
    failure(
      403,
      'Forbidden',
      'unable to create new content in namespace ns because it is terminating',
    ),
    failure(422, 'Invalid', 'denied by a webhook'),
  ])(
    'that may not be created leaves the thaw unproven, until it may: $message',
    async (refusal) => {
      const bench = new HookBench();
      await frozen(bench);
      const create = bench.api.create.bind(bench.api);
      bench.api.create = (resource, object) => {
        if (resource.kind === pods.kind) throw refusal;
        return create(resource, object);
      };
      remove(bench);
      await bench.eventually('late', () => bench.hook('h')?.status?.postActionSucceed === false);
      await bench.pass(60_000);
      expect([bench.condition('Thawed'), rescues(bench)]).toEqual(['ThawUnproven', []]);
      expect(bench.targets()[0]?.postActionStatus?.error?.message).toContain(refusal.message);
      bench.api.create = create;
      await bench.eventually('a rescue pod', () => rescues(bench).length > 0, 400_000);
    },
  );

  it('that never ends is replaced by another, ever more slowly', async () => {
    const bench = new HookBench();
    await frozen(bench);
    remove(bench);
    const uid = (await rescue(bench)).metadata?.uid;
    await bench.eventually('late', () => bench.hook('h')?.status?.postActionSucceed === false);
    await bench.eventually('another', () =>
      rescues(bench).some((each) => each.metadata?.uid !== uid),
    );
    end(rescues(bench)[0] ?? {}, bench, 0);
    await bench.eventually('free', bench.isFree());
    expect(bench.targets()[0]).toMatchObject({
      thawedBy: 'rescue',
      postActionStatus: { actionSucceed: false },
    });
  });

  it('is taken over by the next controller', async () => {
    const bench = new HookBench();
    await frozen(bench);
    remove(bench);
    const pod = await rescue(bench);
    bench.start();
    await bench.pass(1_000);
    expect(rescues(bench).map(({ metadata }) => metadata?.uid)).toEqual([pod.metadata?.uid]);
    end(pod, bench, 0);
    await bench.eventually('free', bench.isFree());
    expect(bench.targets()[0]?.thawedBy).toBe('rescue');
  });

  it('is not made any more once a person has taken the thaw on, and the one that runs is deleted', async () => {
    const bench = new HookBench();
    await frozen(bench);
    remove(bench);
    await rescue(bench);
    bench.annotate('h', { [TAKEN_ON]: 'anna' });
    await bench.eventually('deleted', () => rescues(bench).length === 0);
    await bench.pass(600_000);
    expect([rescues(bench), bench.targets()[0]?.thawedBy]).toEqual([[], 'released']);
  });
});
