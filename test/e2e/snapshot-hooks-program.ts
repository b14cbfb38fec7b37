/** The hook controller as a separate process, so that a test can kill it: `program.js KUBECONFIG`. */
import process from 'node:process';

import { EventRecorder } from '../../src/controller/event-recorder.ts';
import { runManager } from '../../src/controller/manager.ts';
import { SharedInformers } from '../../src/controller/shared-informers.ts';
import { watchCluster } from '../../src/controller/watch-cluster.ts';
import { execInPod, openExec } from '../../src/kube/exec.ts';
import { makeKubeClient } from '../../src/kube/make-client.ts';
import type { ContainerAccess } from '../../src/lifecycles/snapshot/context.ts';
import { makeHookController } from '../../src/lifecycles/snapshot/hook/hook-controller.ts';
import { nodePlatform as platform } from '../../src/platform/node-platform.ts';
import { connect } from './cluster-stand.ts';

const [, , kubeconfig = ''] = process.argv;

async function access(): Promise<ContainerAccess> {
  const connection = await connect(kubeconfig);
  return {
    exec: (options) => execInPod(connection, options),
    openExec: (options) => openExec(connection, options),
    network: platform.network,
  };
}

const connection = await connect(kubeconfig);
const client = makeKubeClient(connection);
const informers = new SharedInformers({ watch: watchCluster(connection) });
const random = Math.random;
const stop = new AbortController();
process.on('SIGTERM', () => {
  stop.abort();
});
const controller = makeHookController({
  client,
  informers,
  scope: {},
  recorder: new EventRecorder({ client, component: 'lifehook-snapshot', platform, random }),
  platform,
  random,
  freezing: await access(),
  thawing: await access(),
  observe: (event) => {
    process.stdout.write(`${JSON.stringify({ atMs: Date.now(), ...event })}\n`);
  },
  observeController: () => {},
});
await runManager({ informers, controllers: [controller], election: null, signal: stop.signal });
process.exit(0);
