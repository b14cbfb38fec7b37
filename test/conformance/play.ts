/** Runs scenarios on one server one after another: they share a namespace, but no names. */
import type { ServiceAccount } from 'kubernetes-types/core/v1.js';

import type { HttpTransport } from '../../src/platform/http-transport.ts';
import { Recorder } from './recorder.ts';
import type { Recording, Scenario } from './scenario.ts';

export interface Server {
  readonly transport: HttpTransport;
  /** Namespace of scenarios that no controller affects. */
  readonly namespace: string;
  /** Namespace of scenarios that test the controllers. */
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

/** The service account that pods need, for each namespace of the suite. */
export function serviceAccount(namespace: string): ServiceAccount {
  return { metadata: { name: 'default', namespace }, automountServiceAccountToken: false };
}
