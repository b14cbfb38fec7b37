/** Two candidates, each in its own process, compete for one Lease on the real API server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { leases } from '../../src/kube/resources.ts';
import { widgets } from '../sim/controller/sample-controller.ts';
import { defineWidgets, eventually, LEASE, removeWidgets, TIMES } from './controller-stand.ts';
import { type ClusterConnection, connectToCluster, makeNamespace } from './real-cluster.ts';

let cluster: ClusterConnection;
let namespace: string;
let removeNamespace: () => Promise<void>;

interface Candidate {
  readonly process: ChildProcess;
  readonly events: { type: string; atMs: number; transitions?: number }[];
  readonly ended: Promise<unknown>;
}

const candidates: Candidate[] = [];

function start(identity: string): Candidate {
  const program = join(import.meta.dirname, 'lease-candidate.ts');
  const process = spawn('node', ['--import', 'tsx', program, namespace, identity], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const events: Candidate['events'] = [];
  createInterface({ input: process.stdout }).on('line', (line) => {
    events.push(JSON.parse(line) as Candidate['events'][number]);
  });
  const ended = new Promise((resolve) => process.once('exit', resolve));
  const candidate = { process, events, ended };
  candidates.push(candidate);
  return candidate;
}

const gained = ({ events }: Candidate): Candidate['events'][number] | undefined =>
  events.findLast(({ type }) => type === 'LeadershipGained');

const leads = (candidate: Candidate): Promise<void> =>
  eventually('it leads', async () => {
    expect(gained(candidate)).toBeDefined();
  });

const statusOf = async (name: string): Promise<number | undefined> =>
  (await cluster.client.get(widgets, { namespace, name })).status?.children;

const scale = (name: string, children: number): Promise<unknown> =>
  cluster.client.patch(
    widgets,
    { namespace, name },
    { type: 'merge', body: { spec: { children } } },
  );

beforeAll(async () => {
  cluster = connectToCluster();
  await defineWidgets(cluster.client);
  const made = await makeNamespace(cluster.client, 'k3-lease');
  namespace = made.namespace;
  removeNamespace = made.remove;
});

afterEach(async () => {
  for (const { process, ended } of candidates.splice(0)) {
    process.kill('SIGKILL');
    await ended;
  }
  await cluster.client.delete(leases, { namespace, name: LEASE });
});

afterAll(async () => {
  await removeWidgets(cluster.client, namespace);
  await removeNamespace();
  cluster.connection.transport.close();
});

describe('a leader lease on a real cluster', () => {
  it('passes to the other candidate when the leader is killed, not before it expires', async () => {
    const first = start('first');
    await leads(first);
    const second = start('second');
    await cluster.client.create(widgets, {
      metadata: { namespace, name: 'w' },
      spec: { children: 2 },
    });
    await eventually('the first works', async () => {
      expect(await statusOf('w')).toBe(2);
    });
    await eventually('the second is ready', async () => {
      expect(second.events.some(({ type }) => type === 'LeaderSeen')).toBe(true);
    });
    const lastRenewal = async (): Promise<number> => {
      const { spec } = await cluster.client.get(leases, { namespace, name: LEASE });
      return Date.parse(spec?.renewTime ?? '');
    };
    first.process.kill('SIGKILL');
    await first.ended;
    const renewedMs = await lastRenewal();
    await scale('w', 4);
    await leads(second);
    const tookMs = (gained(second)?.atMs ?? 0) - renewedMs;
    expect(tookMs).toBeGreaterThanOrEqual(TIMES.durationMs);
    expect(tookMs).toBeLessThan(2 * TIMES.durationMs);
    expect([gained(first)?.transitions, gained(second)?.transitions]).toEqual([0, 1]);
    await eventually('the second works', async () => {
      expect(await statusOf('w')).toBe(4);
    });
  });

  it('passes to the other candidate at once when the leader gets SIGTERM', async () => {
    const first = start('first');
    await leads(first);
    const second = start('second');
    await eventually('the second is ready', async () => {
      expect(second.events.some(({ type }) => type === 'LeaderSeen')).toBe(true);
    });
    const askedMs = Date.now();
    first.process.kill('SIGTERM');
    await leads(second);
    // Shorter than the lease duration, so the first candidate must have released the Lease.
    expect((gained(second)?.atMs ?? 0) - askedMs).toBeLessThan(TIMES.durationMs);
    await first.ended;
    expect(first.process.exitCode).toBe(0);
  });

  it('is lost by a leader that is stopped with SIGSTOP for longer than its duration', async () => {
    const first = start('first');
    await leads(first);
    const second = start('second');
    await eventually('the second is ready', async () => {
      expect(second.events.some(({ type }) => type === 'LeaderSeen')).toBe(true);
    });
    first.process.kill('SIGSTOP');
    await leads(second);
    first.process.kill('SIGCONT');
    await eventually('the first knows', async () => {
      expect(first.events.some(({ type }) => type === 'LeadershipLost')).toBe(true);
    });
    const { spec } = await cluster.client.get(leases, { namespace, name: LEASE });
    expect(spec?.holderIdentity).toBe('second');
  });
});
