/**
 * One candidate for a Lease as its own process: `node --import tsx lease-candidate.ts NAMESPACE IDENTITY`. It prints
 * each of its events as a line of JSON, and releases its Lease on SIGTERM.
 */
import process from 'node:process';

import { runSample } from './controller-stand.ts';
import { connectToCluster } from './real-cluster.ts';

const [namespace = '', identity = ''] = process.argv.slice(2);
const stop = new AbortController();
process.once('SIGTERM', () => {
  stop.abort();
});
const cluster = connectToCluster();
await runSample({
  cluster,
  namespace,
  identity,
  signal: stop.signal,
  observe: (event) => {
    process.stdout.write(`${JSON.stringify({ atMs: Date.now(), ...event })}\n`);
  },
});
cluster.connection.transport.close();
