import type { ConfigMap, Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import { ended, hookPod, NOW_MS } from '../../../../test/fixtures/rollout/hook-pods.ts';
import { open, sampleRun } from '../../../../test/fixtures/rollout/sample-stage.ts';
import { ApiError } from '../../../kube/api-error.ts';
import type { KubeClient } from '../../../kube/client.ts';
import type { Resource } from '../../../kube/object.ts';
import { permitData, permitObject, permits } from '../hookpod/permit-object.ts';
import type { HookRun } from '../kinds.ts';
import { podIdentity } from './hook-run.ts';
import { lookForPod } from './carry-out-stage.ts';
import { recordOutcome } from './record-attempt.ts';
import type { StageActing } from './stage-acting.ts';

const run = sampleRun({ attempts: [open(1)] });
const owner = { namespace: 'shop', name: 'web', uid: 'uid-web' };
const lost = { outcome: 'Unknown', reason: 'PodLost' } as const;

const LOG_TAKES_MS = 9_000;

/** Timers of a clock on which `elapsedMs` pass before any response is received. */
function passes(elapsedMs: number) {
  return (ms: number, callback: () => void) => {
    if (ms <= elapsedMs) callback();
    return () => {};
  };
}

/**
 * A server that has the permit of the attempt, and answers with the pods one after the other. It records the requests
 * in their order.
 */
class Server {
  readonly asked: string[] = [];
  readonly acting: StageActing;
  written: HookRun | null = null;

  constructor(...answers: (Pod | null)[]) {
    const permit = permitObject(owner, permitData(podIdentity(run, 1)));
    const part = {
      get: async ({ plural }: Resource) => {
        const found = plural === 'configmaps' ? permit : (answers.shift() ?? null);
        if (plural === 'pods') this.asked.push('look for the pod');
        if (found === null) throw new ApiError(404, { reason: 'NotFound' });
        return found;
      },
      replace: async (_: unknown, object: ConfigMap) => {
        this.asked.push(`permits ${permits(object, podIdentity(run, 1)) ? 1 : 0}`);
        return object;
      },
      replaceStatus: async (_: unknown, object: HookRun) => {
        this.asked.push(`record ${object.status?.attempts[0]?.outcome ?? 'the pod'}`);
        this.written = object;
        return object;
      },
    };
    const context = {
      platform: {
        clock: { nowMs: () => NOW_MS },
        timers: { after: passes(LOG_TAKES_MS) },
      },
      recorder: { record: ({ reason }: { reason: string }) => this.asked.push(reason) },
      observe: () => {},
      readLogTail: async () => 'no such table\n',
    };
    this.acting = {
      client: part as unknown as KubeClient,
      context: context as unknown as StageActing['context'],
      remember: () => {},
      rememberPod: () => {},
    };
  }
}

describe('the end of an attempt', () => {
  it('is recorded with its log after its permit is revoked, and reported after that (ROLL-P2, ROLL-DH17)', async () => {
    const server = new Server();
    const end = { outcome: 'Failed', exitCode: 3 } as const;
    const pod = hookPod(ended(3));
    await recordOutcome(server.acting, { run, attempt: 1, pod, end, abort: null });
    expect(server.asked).toEqual(['permits 0', 'record Failed', 'HookFailed', 'HookFailed']);
    expect(server.written?.status?.attempts[0]).toMatchObject({
      exitCode: 3,
      lastLines: ['no such table'],
    });
  });
});

describe('the message of a pod, which can be the end of its log', () => {
  it('is recorded without secrets, masked by value and by form', async () => {
    const server = new Server();
    const message = 'cannot log in as web with hunter22 (password=abc)';
    const context = { ...server.acting.context, secretsOf: async () => ['hunter22'] };
    const pod = hookPod(ended(3));
    const end = { outcome: 'Failed', exitCode: 3, message } as const;
    await recordOutcome({ ...server.acting, context }, { run, attempt: 1, pod, end, abort: null });
    expect(server.written?.status?.attempts[0]?.message).toBe(
      'cannot log in as web with *** (password=***',
    );
    expect(JSON.stringify(server.written)).not.toMatch(/hunter22|abc/);
  });
});

describe('a pod that the list does not have', () => {
  const step = { kind: 'lookForPod', run, attempt: 1, ifMissing: lost, abort: null } as const;
  const own = hookPod();
  const other = hookPod({ attempt: 2 });

  it('is lost if the server has none either, also after its permit is revoked (ROLL-S3)', async () => {
    const server = new Server();
    await lookForPod(server.acting, step);
    const twice = ['look for the pod', 'permits 0', 'look for the pod', 'permits 0'];
    expect(server.asked.slice(0, 5)).toEqual([...twice, 'record Unknown']);
  });

  it.each<[string, (Pod | null)[], string[]]>([
    ['at once', [own], ['look for the pod']],
    [
      'just before its permit went',
      [null, own],
      ['look for the pod', 'permits 0', 'look for the pod'],
    ],
  ])('is waited for if the server has it %s', async (...[, answers, asked]) => {
    const server = new Server(...answers);
    expect(await lookForPod(server.acting, step)).toMatchObject({
      kind: 'requeueAfter',
      ms: 1_000,
    });
    expect(server.asked).toEqual(asked);
  });

  it('is recorded if no other controller has recorded it yet', async () => {
    const unrecorded = sampleRun({ attempts: [{ number: 1, grants: 1 }] });
    const server = new Server(own);
    await lookForPod(server.acting, { ...step, run: unrecorded });
    expect(server.asked).toEqual(['look for the pod', 'record the pod']);
    expect(server.written?.status?.attempts[0]).toMatchObject({ podUID: 'uid-7-pre-1' });
  });

  it('is not taken for another one of its name', async () => {
    const recreated = { ...own, metadata: { ...own.metadata, uid: 'another' } };
    for (const pod of [other, recreated]) {
      const server = new Server(pod, pod);
      await lookForPod(server.acting, step);
      expect(server.asked).toContain('record Unknown');
    }
  });
});
