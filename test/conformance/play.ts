/** Plays scenarios on one server, one after the other: they share a namespace, but no names. */
import type { ServiceAccount } from 'kubernetes-types/core/v1.js';

import type { HttpTransport } from '../../src/platform/http-transport.ts';
import { Recorder } from './recorder.ts';
import type { Recording, Scenario } from './scenario.ts';

export interface Server {
  readonly transport: HttpTransport;
  /** Of scenarios that no controller touches. */
  readonly namespace: string;
  /** Of those that look at what controllers do. */
  readonly liveNamespace: string;
}

export async function play(scenario: Scenario, server: Server): Promise<Recording> {
  const { transport, namespace, liveNamespace } = server;
  const within = scenario.live === true ? liveNamespace : namespace;
  const api = new Recorder({ transport, namespace: within });
  try {
    await scenario.run(api);
  } catch (error) {
    api.stopped(error instanceof Error ? error.message : String(error));
  }
  return { scenario: scenario.name, exchanges: api.exchanges };
}

/** Each namespace of the suite has it, as pods ask for it. */
export function serviceAccount(namespace: string): ServiceAccount {
  return { metadata: { name: 'default', namespace }, automountServiceAccountToken: false };
}
