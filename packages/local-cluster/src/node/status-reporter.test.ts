import { beforeEach, describe, expect, it } from 'vitest';

import { HandTimers } from '../../../../test/fixtures/kube/hand-timers.ts';
import { ApiError, UnreachableError } from '../../../../src/kube/api-error.ts';
import type { KubeClient } from '../../../../src/kube/client.ts';
import { StatusReporter } from './status-reporter.ts';

const lost = new UnreachableError('no answer', { sent: true });

let timers: HandTimers;
let bodies: { readonly metadata: object; readonly status: { readonly phase?: string } }[];
/** Errors of the next writes, in order. Later writes succeed. */
let failures: Error[];
let reporter: StatusReporter;
/** Called during each write, so that a test can report another status meanwhile. */
let during: () => void;

beforeEach(() => {
  timers = new HandTimers();
  bodies = [];
  failures = [];
  during = () => undefined;
  const client = {
    patch: async (_resource: unknown, _key: unknown, { body }: { body: unknown }) => {
      bodies.push(body as (typeof bodies)[number]);
      during();
      for (const failure of failures.splice(0, 1)) throw failure;
    },
  } as unknown as KubeClient;
  const pod = { namespace: 'shop', name: 'web', uid: 'uid-1' };
  const reporting = { client, platform: { timers }, random: () => 0, pod, passingConditions: [] };
  reporter = new StatusReporter(reporting);
});

const phases = (): readonly (string | undefined)[] => bodies.map(({ status }) => status.phase);

describe('the status of a pod', () => {
  it('is written with the UID of the pod: a later pod of its name does not get it', async () => {
    reporter.report({ phase: 'Running' });
    await reporter.sent();
    expect(bodies[0]?.metadata).toEqual({ uid: 'uid-1' });
  });

  it('is written once if it was reported several times in one turn of the event loop', async () => {
    reporter.report({ phase: 'Pending' });
    reporter.report({ phase: 'Running' });
    await reporter.sent();
    expect(phases()).toEqual(['Running']);
  });

  it('is the newest one after a write that failed meanwhile', async () => {
    failures.push(lost);
    during = () => {
      if (phases().length === 1) reporter.report({ phase: 'Running' });
    };
    reporter.report({ phase: 'Pending' });
    await timers.expire(50);
    await reporter.sent();
    expect(phases()).toEqual(['Pending', 'Running']);
  });

  it('is written again after pauses that grow, and the pauses begin anew after a success', async () => {
    failures.push(lost, lost);
    reporter.report({ phase: 'Pending' });
    await timers.expire(50);
    await timers.expire(100);
    await reporter.sent();
    expect(phases()).toEqual(['Pending', 'Pending', 'Pending']);
    failures.push(lost);
    reporter.report({ phase: 'Running' });
    await timers.expire(50);
    await reporter.sent();
    expect(phases().at(-1)).toBe('Running');
  });

  it('is written again if other writes to the pod have overtaken it too often', async () => {
    failures.push(new ApiError(409, { status: 'Failure', code: 409, reason: 'Conflict' }));
    reporter.report({ phase: 'Running' });
    await timers.expire(50);
    await reporter.sent();
    expect(phases()).toEqual(['Running', 'Running']);
  });

  it.each([
    ['the pod is deleted', 404, 'NotFound'],
    ['the server refuses it', 422, 'Invalid'],
  ])('is not written again when %s', async (_, code, reason) => {
    failures.push(new ApiError(code, { status: 'Failure', code, reason }));
    reporter.report({ phase: 'Running' });
    await reporter.sent();
    expect([phases(), timers.count]).toEqual([['Running'], 0]);
  });

  it('is no longer written after a close, and leaves no timer', async () => {
    failures.push(lost);
    reporter.report({ phase: 'Running' });
    await timers.reached(1);
    reporter.close();
    await reporter.sent();
    expect([phases(), timers.waiting]).toEqual([['Running'], []]);
  });
});
