import type { Deployment } from 'kubernetes-types/apps/v1.js';
import { describe, expect, it } from 'vitest';

import { deploymentOf } from '../../../../test/fixtures/rollout-gate/gate-notation.ts';
import { ApiError, UnreachableError } from '../../../kube/api-error.ts';
import type { KubeClient, PatchOptions } from '../../../kube/client.ts';
import { proveGate } from './armed-probe.ts';

type Answer = string | Error;

/** A server that answers the dry runs one after the other. */
class Server {
  readonly asked: PatchOptions[] = [];
  readonly #answers: Answer[];

  constructor(...answers: Answer[]) {
    this.#answers = answers;
  }

  get client(): KubeClient {
    const part: Pick<KubeClient, 'get' | 'patch'> = {
      get: async () => deploymentOf('label r5 l5') as never,
      patch: async (_resource, _key, options) => {
        this.asked.push(options);
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

describe('the proof of the gate', () => {
  it.each<[string, Answer, string]>([
    ['stamped and paused', 'label r5 l4 p', 'Armed'],
    ['as it was sent', 'label r4 l4', 'NotStamped'],
    ['paused, but not stamped', 'label r4 l4 p', 'NotStamped'],
    ['without the label', 'n3', 'NotStamped'],
    ['stamped, but not paused', 'label r5 l4', 'NotPaused'],
    ['refused', new ApiError(500, { message: 'failed calling webhook' }), 'Refused'],
    ['by nobody', new UnreachableError('nobody is there', { sent: true }), 'Unreachable'],
  ])('of what is answered %s', async (_, answer, reason) => {
    const server = new Server(answer);
    const proof = await proveGate(server.client, seen);
    expect([proof.reason, proof.armed]).toEqual([reason, reason === 'Armed']);
    expect(server.asked[0]).toMatchObject({ dryRun: true, type: 'merge' });
  });

  it('says what a server has said', async () => {
    const refusal = new ApiError(500, { message: 'failed calling webhook' });
    const { message } = await proveGate(new Server(refusal).client, seen);
    expect(message).toBe(
      'a change of the template, as a dry run, was refused: failed calling webhook',
    );
  });

  it('looks again where the Deployment has changed meanwhile, a few times', async () => {
    const server = new Server(conflict, 'label r6 l5 p');
    expect((await proveGate(server.client, seen)).reason).toBe('Armed');
    const busy = new Server(conflict, conflict, conflict, 'label r6 l5 p');
    expect((await proveGate(busy.client, seen)).reason).toBe('Refused');
    expect(busy.asked).toHaveLength(3);
  });
});
