import type { Deployment } from 'kubernetes-types/apps/v1.js';
import { describe, expect, it } from 'vitest';

import { deploymentOf } from '../../../../test/fixtures/rollout-gate/gate-notation.ts';
import { ApiError, UnreachableError } from '../../../kube/api-error.ts';
import type { KubeClient, PatchOptions } from '../../../kube/client.ts';
import type { ObjectKey } from '../../../kube/object.ts';
import { proveGate } from './armed-probe.ts';

type Answer = string | Error;

/** A server that answers the dry runs one after the other. */
class Server {
  readonly asked: PatchOptions[] = [];
  readonly keys: ObjectKey[] = [];
  readonly #answers: Answer[];

  constructor(...answers: Answer[]) {
    this.#answers = answers;
  }

  get client(): KubeClient {
    const part: Pick<KubeClient, 'get' | 'patch'> = {
      get: async (_resource, key, options) => {
        this.keys.push({ ...key, ...options });
        return deploymentOf('label r5 l5') as never;
      },
      patch: async (_resource, key, options) => {
        this.asked.push(options);
        this.keys.push(key);
        const answer = this.#answers.shift() ?? 'none';
        if (answer instanceof Error) throw answer;
        return deploymentOf(answer) as never;
      },
    };
    return part as KubeClient;
  }
}

const seen: Deployment = deploymentOf('label r4 l4');
const conflict = new ApiError(409, { reason: 'Conflict', message: 'it has changed' });

describe('proveGate', () => {
  it.each<[string, Answer, string]>([
    ['returns a stamped and paused object', 'label r5 l4 p', 'Armed'],
    ['returns the object as it was sent', 'label r4 l4', 'NotStamped'],
    ['returns a paused object without a new stamp', 'label r4 l4 p', 'NotStamped'],
    ['returns an object without the label', 'n3', 'NotStamped'],
    ['returns a stamped object that is not paused', 'label r5 l4', 'NotPaused'],
    ['is refused', new ApiError(500, { message: 'failed calling webhook' }), 'Refused'],
    ['finds no Deployment any more', new ApiError(404, { reason: 'NotFound' }), 'Conflict'],
    ['gets no answer', new UnreachableError('nobody is there', { sent: true }), 'Unreachable'],
  ])('names its reason when the dry run %s', async (_, answer, reason) => {
    const server = new Server(answer);
    const proof = await proveGate(server.client, seen);
    expect([proof.reason, proof.armed]).toEqual([reason, reason === 'Armed']);
    expect(server.asked[0]).toMatchObject({ dryRun: true, type: 'merge' });
  });

  it('quotes the message of the API server when the dry run is refused', async () => {
    const refusal = new ApiError(500, { message: 'failed calling webhook' });
    const { message } = await proveGate(new Server(refusal).client, seen);
    expect(message).toBe('a dry run of a changed template was refused: failed calling webhook');
  });

  it('asks for a change of the template that means nothing, of the revision that was read (ROLL-E19)', async () => {
    const server = new Server(conflict, 'label r6 l5 p');
    await proveGate(server.client, seen);
    const probe = { 'lifehook.dev/gate-probe': '7' };
    expect(server.asked[0]).toEqual({
      type: 'merge',
      dryRun: true,
      fieldManager: 'lifehook-gate-probe',
      timeoutMs: 10_000,
      body: {
        metadata: { resourceVersion: '7' },
        spec: { template: { metadata: { annotations: probe } } },
      },
    });
    const key = { namespace: 'x', name: 'web' };
    expect(server.keys).toEqual([key, { ...key, timeoutMs: 10_000 }, key]);
  });

  it.each<[string, string, string]>([
    [
      'with another number',
      'label r4 l4',
      'was returned with lifehook.dev/rollout 4 instead of 5: it would be rolled out without its hooks',
    ],
    [
      'without a number',
      'label',
      'was returned without lifehook.dev/rollout: it would be rolled out without its hooks',
    ],
    [
      'without the label',
      'n3',
      'was returned without the label that selects it for the webhook: it would be rolled out without its hooks',
    ],
    ['not paused', 'label r5 l4', 'was returned as rollout 5, but not paused'],
    ['as it has to be', 'label r5 l4 p', 'was returned paused as rollout 5'],
  ])('prints what was returned: %s', async (...[, answer, text]) => {
    const { message } = await proveGate(new Server(answer).client, seen);
    expect(message).toBe(`a dry run of a changed template ${text}`);
  });

  it('rejects for a mistake of ours', async () => {
    const mistake = new TypeError('a mistake');
    await expect(proveGate(new Server(mistake).client, seen)).rejects.toBe(mistake);
  });

  it('reads the Deployment again after a conflict, and reports Conflict after three, which is no refusal', async () => {
    const server = new Server(conflict, 'label r6 l5 p');
    expect((await proveGate(server.client, seen)).reason).toBe('Armed');
    const busy = new Server(conflict, conflict, conflict, 'label r6 l5 p');
    expect(await proveGate(busy.client, seen)).toMatchObject({ armed: false, reason: 'Conflict' });
    expect(busy.asked).toHaveLength(3);
  });
});
