/**
 * Forwarded ports and logs of pods that really run, while a pod is replaced and a container restarts.
 * @module-tag kubectl
 * @module-tag busybox
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { forwardPorts } from '../../src/lifecycles/pipeline/forward/forward-ports.ts';
import { tailLogs } from '../../src/lifecycles/pipeline/logs/tail-logs.ts';
import type { Deployed, PipelineSession } from '../../src/lifecycles/pipeline/session.ts';
import { deployments } from '../../src/kube/resources.ts';
import { type BuildStand, buildStand } from '../fixtures/pipeline/build-stand.ts';
import { type ClusterStand, openWholeCluster } from './cluster-stand.ts';

const SERVE =
  'mkdir -p www; echo $HOSTNAME > www/name; echo up; exec busybox httpd -f -p $POD_IP:8080 -h www';

/** A manifest in JSON, which is also YAML. */
function workload(name: string, script: string): string {
  const labels = { app: name };
  const container = { name: 'app', image: 'none', command: ['sh', '-c', script] };
  return JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { terminationGracePeriodSeconds: 1, containers: [container] },
      },
    },
  });
}

const SERVICE = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web' },
  spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
});

let cluster: ClusterStand;
let stand: BuildStand;
let session: PipelineSession;

beforeAll(async () => {
  cluster = await openWholeCluster();
  stand = buildStand();
  const { client, connection } = cluster;
  const { transport } = connection;
  const target = {
    client,
    connection,
    transport,
    context: 'local',
    namespace: 'default',
    images: null,
  };
  const [module] = stand.session.config.modules;
  if (module === undefined) throw new Error('the stand has a module');
  const entry = {
    resourceType: 'service',
    resourceName: 'web',
    port: 'http',
    address: '127.0.0.1',
  };
  const config = { ...stand.session.config, modules: [{ ...module, portForward: [entry] }] };
  session = { ...stand.session, config, target };
});

afterAll(async () => {
  stand.remove();
  await cluster[Symbol.asyncDispose]();
});

async function deployed(name: string, ...manifests: readonly string[]): Promise<Deployed> {
  for (const manifest of manifests) {
    const { code, stderr } = await cluster.apply(manifest);
    if (code !== 0) throw new Error(stderr);
  }
  const object = await cluster.client.get(deployments, { namespace: 'default', name });
  return { namespaces: ['default'], objects: [{ ...object, kind: 'Deployment' }] };
}

describe('port forwarding and logs on the local cluster', () => {
  test('a forwarded port of a service follows to the new pod when its pod is deleted', async () => {
    const result = await forwardPorts(
      session,
      await deployed('web', workload('web', SERVE), SERVICE),
    );
    if (result.outcome !== 'Succeeded') throw new Error(result.message);
    await using forwarded = result.value;
    const url = `http://127.0.0.1:${forwarded.ports[0]?.localPort ?? 0}/name`;
    const ask = async (): Promise<string> => {
      const answer = await fetch(url).catch(() => null);
      return answer === null || !answer.ok ? '' : (await answer.text()).trim();
    };
    await expect.poll(ask, { timeout: 60_000 }).toMatch(/^web-/);
    const first = await ask();
    await cluster.kubectl('delete', 'pod', first, '--wait=false');
    await expect
      .poll(
        async () => {
          const now = await ask();
          return now !== '' && now !== first;
        },
        { timeout: 60_000 },
      )
      .toBe(true);
  });

  test('the log of a container continues after its restart, without a repeated line', async () => {
    // Four `$`, because Kubernetes turns each pair into one.
    const script = 'echo one of $$$$; sleep 1; echo last of $$$$; exit 1';
    const all = await deployed('again', workload('again', script));
    const tail = tailLogs(session, all);
    const said = (): readonly string[] =>
      stand.lines().filter((line) => /^again-.*\/app: last of/.test(line));
    await expect.poll(() => said().length, { timeout: 120_000 }).toBeGreaterThan(1);
    await tail[Symbol.asyncDispose]();
    // Each run prints its own PID, so equal lines would mean that a line was printed twice.
    expect(new Set(said()).size).toBe(said().length);
    expect(stand.events.filter(({ type }) => type === 'Warning')).toEqual([]);
  });
});
