/** Jobs with the local cluster's controllers. The test acts as the node. */
import type { Job } from 'kubernetes-types/batch/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { isReason } from '../../src/kube/api-error.ts';
import type { JsonObject } from '../../src/kube/object.ts';
import { events, jobs, namespaces, pods } from '../../src/kube/resources.ts';
import { nodeTimers } from '../../src/platform/timers.ts';
import { sleep } from '../../src/platform/sleep.ts';
import { ControllerStand } from '../fixtures/rollout/controller-stand.ts';

const TRACKING = 'batch.kubernetes.io/job-tracking';
const PATIENCE_MS = 60_000;

let stand: ControllerStand;
let count = 0;

beforeAll(async () => {
  stand = await ControllerStand.open({ secondMs: 100 });
});

afterAll(async () => {
  await stand.close();
});

class JobBench {
  readonly namespace: string;

  constructor(namespace: string) {
    this.namespace = namespace;
  }

  static async open(): Promise<JobBench> {
    count += 1;
    const bench = new JobBench(`jobs-${count}`);
    await stand.client.create(namespaces, { metadata: { name: bench.namespace } });
    return bench;
  }

  async create(command: readonly string[], spec: JsonObject = {}): Promise<Job> {
    const container = { name: 'main', image: 'busybox', command: [...command] };
    const podSpec = {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 1,
      containers: [container],
    };
    const object = {
      metadata: { namespace: this.namespace, name: 'work' },
      spec: { template: { spec: podSpec }, ...spec },
    };
    return stand.client.create(jobs, object);
  }

  async job(): Promise<Job> {
    return stand.client.get(jobs, { namespace: this.namespace, name: 'work' });
  }

  async pods(): Promise<readonly Pod[]> {
    return (await stand.client.list(pods, { namespace: this.namespace })).items;
  }

  async change(spec: JsonObject): Promise<void> {
    const key = { namespace: this.namespace, name: 'work' };
    await stand.client.patch(jobs, key, { type: 'merge', body: { spec } });
  }

  async events(): Promise<readonly string[]> {
    const { items } = await stand.client.list(events, { namespace: this.namespace });
    return items
      .filter(({ involvedObject }) => involvedObject.kind === 'Job')
      .map(({ reason = '' }) => reason);
  }

  async until(what: string, check: () => Promise<boolean>): Promise<void> {
    const started = Date.now();
    while (!(await check())) {
      if (Date.now() - started > PATIENCE_MS) {
        throw new Error(`${what}: not yet. ${JSON.stringify((await this.job()).status)}`);
      }
      await sleep(nodeTimers, 20);
    }
  }

  /** Resolves with the final status once the Job has this condition. */
  async over(type: 'Complete' | 'Failed'): Promise<NonNullable<Job['status']>> {
    await this.until(type, async () => conditionsOf(await this.job()).includes(type));
    return (await this.job()).status ?? {};
  }
}

function conditionsOf({ status }: Job): readonly string[] {
  return (status?.conditions ?? []).filter((one) => one.status === 'True').map(({ type }) => type);
}

function reasonOf(status: NonNullable<Job['status']>): string {
  return status.conditions?.find(({ type }) => type === 'Failed')?.reason ?? '';
}

function createdMs(pod: Pod | undefined): number {
  return Date.parse(pod?.metadata?.creationTimestamp ?? '');
}

/** The time at which the pod's container ended, in Unix milliseconds. */
function endedMs(pod: Pod | undefined): number {
  const [status] = pod?.status?.containerStatuses ?? [];
  return Date.parse(status?.state?.terminated?.finishedAt ?? '');
}

describe.concurrent('a job on the local cluster', () => {
  it('runs its completions, no more than parallelism at a time, and counts each once', async () => {
    const bench = await JobBench.open();
    await bench.create(['true'], { completions: 5, parallelism: 2 });
    const status = await bench.over('Complete');
    expect(status).toMatchObject({
      succeeded: 5,
      ready: 0,
      terminating: 0,
      uncountedTerminatedPods: {},
    });
    expect(status.active).toBeUndefined();
    expect(status.completionTime).toBeDefined();
    expect(conditionsOf(await bench.job())).toEqual(['SuccessCriteriaMet', 'Complete']);
    const left = await bench.pods();
    expect(left).toHaveLength(5);
    expect(left.flatMap(({ metadata }) => metadata?.finalizers ?? [])).toEqual([]);
    await bench.until('its end is told', async () => (await bench.events()).includes('Completed'));
  });

  it('has as many active pods as its parallelism, each with a finalizer until it is counted', async () => {
    const bench = await JobBench.open();
    await bench.create(['sleep', '3600'], { completions: 5, parallelism: 2 });
    await bench.until('two run', async () => (await bench.job()).status?.ready === 2);
    const running = await bench.pods();
    expect(running).toHaveLength(2);
    expect(running.map(({ metadata }) => metadata?.finalizers)).toEqual([[TRACKING], [TRACKING]]);
    await bench.change({ parallelism: 1 });
    await bench.until('one runs', async () => (await bench.job()).status?.active === 1);
    // The deleted pod counts as failed, because its result is unknown.
    await bench.until('the other is counted', async () => (await bench.job()).status?.failed === 1);
  });

  it('fails with its first pod when its backoffLimit is 0', async () => {
    const bench = await JobBench.open();
    await bench.create(['false'], { backoffLimit: 0 });
    const status = await bench.over('Failed');
    expect(status.failed).toBe(1);
    expect(reasonOf(status)).toBe('BackoffLimitExceeded');
    expect(conditionsOf(await bench.job())).toEqual(['FailureTarget', 'Failed']);
    expect(await bench.pods()).toHaveLength(1);
  });

  it('waits 10 seconds before it replaces a failed pod', async () => {
    const bench = await JobBench.open();
    await bench.create(['false'], { backoffLimit: 1 });
    const status = await bench.over('Failed');
    expect(status.failed).toBe(2);
    const [first, second] = (await bench.pods()).toSorted((a, b) => createdMs(a) - createdMs(b));
    // finishedAt has whole seconds, and the 10 s count from that second.
    expect(createdMs(second) - endedMs(first)).toBeGreaterThanOrEqual(10_000);
  });

  it.each([
    ['completionMode', 'Indexed'],
    ['backoffLimitPerIndex', 1],
    ['podFailurePolicy', { rules: [] }],
    ['successPolicy', { rules: [{ succeededCount: 1 }] }],
    ['managedBy', 'example.com/another'],
  ])('is refused with %s, which the local cluster does not act on', async (field, value) => {
    const bench = await JobBench.open();
    const creating = bench.create(['true'], { completions: 1, [field]: value });
    await expect(creating).rejects.toThrow(`spec.${field}: Forbidden`);
  });

  it('has no pods while it is suspended, and starts its clock when it is resumed', async () => {
    const bench = await JobBench.open();
    await bench.create(['sleep', '3600'], { suspend: true });
    await bench.until('it is suspended', async () =>
      conditionsOf(await bench.job()).includes('Suspended'),
    );
    expect((await bench.job()).status?.startTime).toBeUndefined();
    expect(await bench.pods()).toEqual([]);
    await bench.change({ suspend: false });
    await bench.until('its pod runs', async () => (await bench.job()).status?.ready === 1);
    expect((await bench.job()).status?.startTime).toBeDefined();
    await bench.change({ suspend: true });
    await bench.until('its pod is gone', async () => (await bench.pods()).length === 0);
    expect(conditionsOf(await bench.job())).toEqual(['Suspended']);
    await bench.until('both are told', async () => {
      const reported = await bench.events();
      return reported.includes('Suspended') && reported.includes('Resumed');
    });
  });

  it('fails after activeDeadlineSeconds when its pods have terminated', async () => {
    const bench = await JobBench.open();
    await bench.create(['sleep', '3600'], { activeDeadlineSeconds: 1 });
    await bench.until('its end is told', async () =>
      conditionsOf(await bench.job()).includes('FailureTarget'),
    );
    const status = await bench.over('Failed');
    expect(reasonOf(status)).toBe('DeadlineExceeded');
    expect(status).toMatchObject({ failed: 1, ready: 0, terminating: 0 });
  });

  it('is deleted with its pods after ttlSecondsAfterFinished', async () => {
    const bench = await JobBench.open();
    await bench.create(['true'], { ttlSecondsAfterFinished: 1 });
    // The Job itself may be deleted before the test has read its last status.
    await bench.until('its end is told', async () => (await bench.events()).includes('Completed'));
    await bench.until('job and pods are gone', async () => {
      const deleted = await bench.job().then(
        () => false,
        (error: unknown) => isReason(error, 'NotFound'),
      );
      return deleted && (await bench.pods()).length === 0;
    });
  });

  it('leaves no pod with a tracking finalizer when it is deleted halfway', async () => {
    const bench = await JobBench.open();
    await bench.create(['sleep', '3600'], { parallelism: 3, completions: 3 });
    await bench.until('three run', async () => (await bench.job()).status?.ready === 3);
    const key = { namespace: bench.namespace, name: 'work' };
    await stand.client.delete(jobs, key, { propagationPolicy: 'Background' });
    await bench.until('no pod is left', async () => (await bench.pods()).length === 0);
  });
});
