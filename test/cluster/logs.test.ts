/** Follows logs of containers of the real cluster over a connection that breaks. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ApiError, LostLogError } from '../../src/kube/api-error.ts';
import { type LogOptions, podLogs } from '../../src/kube/logs.ts';
import { pods } from '../../src/kube/resources.ts';
import { type ClusterPod, clusterPods } from '../fixtures/kube/cluster-pod.ts';
import { BASE_IMAGE } from './parameters.ts';

/** Lines that are read between two breaks of the connection. */
const LINES_PER_BREAK = 400;

let world: ClusterPod;

beforeAll(async () => {
  world = await clusterPods('k2-logs');
});

afterAll(() => world.remove());

async function textsOf(pod: string, options: Partial<LogOptions> = {}): Promise<string[]> {
  const texts: string[] = [];
  const { connection } = world.cluster;
  for await (const line of podLogs(connection, { namespace: world.namespace, pod, ...options })) {
    expect(line.time).not.toBeNull();
    texts.push(line.text);
  }
  return texts;
}

describe('a followed log on the real cluster', () => {
  it('loses and repeats no line when its connection breaks many times', async () => {
    // Writes to stdout and stderr, in bursts with pauses, for about 8 s.
    const script = [
      'i=0; while [ $i -lt 400 ]; do',
      'j=0; while [ $j -lt 10 ]; do echo "out $i.$j"; j=$((j+1)); done;',
      'echo "err $i" >&2; i=$((i+1)); [ $((i % 5)) = 0 ] && sleep 0.1; done',
    ].join(' ');
    await world.start('talker', script);
    const lines: string[] = [];
    const options = { namespace: world.namespace, pod: 'talker', follow: true };
    for await (const line of podLogs(world.fragile, options)) {
      lines.push(line.text);
      if (lines.length % LINES_PER_BREAK === 0) world.proxy.reset();
    }
    const numbers = [...Array(400).keys()];
    const out = numbers.flatMap((i) => [...Array(10).keys()].map((j) => `out ${i}.${j}`));
    expect(lines.filter((line) => line.startsWith('out'))).toEqual(out);
    expect(lines.filter((line) => line.startsWith('err'))).toEqual(numbers.map((i) => `err ${i}`));
    expect(lines).toHaveLength(4400);
  });
});

describe('a log on the real cluster', () => {
  it('is read with tail and time limits, and without the timestamps inside of a long line', async () => {
    const long = 'head -c 40000 /dev/zero | tr "\\000" x; echo';
    await world.start('writer', `${long}; echo second; printf last; sleep 1000`);
    await expect.poll(() => textsOf('writer'), { timeout: 60_000 }).toHaveLength(2);
    expect(await textsOf('writer')).toEqual(['x'.repeat(40_000), 'second']);
    expect(await textsOf('writer', { tailLines: 1 })).toEqual(['second']);
    expect(await textsOf('writer', { sinceTime: '2100-01-01T00:00:00Z' })).toEqual([]);
    const previous = textsOf('writer', { previous: true });
    await expect(previous).rejects.toMatchObject({ name: 'ApiError', reason: 'BadRequest' });
  });

  it('is lost, and not the notice of the node, once the node has removed it', async () => {
    const { cluster, namespace } = world;
    const crash = { name: 'main', image: BASE_IMAGE, command: ['sh', '-c', 'echo crash; exit 3'] };
    await cluster.client.create(pods, {
      metadata: { name: 'crasher', namespace },
      spec: { terminationGracePeriodSeconds: 0, containers: [crash] },
    });
    const texts = new Set<string>();
    let lost = false;
    // After the second exit, the node keeps only the log of the second instance.
    const previous = async (): Promise<boolean> => {
      try {
        for (const text of await textsOf('crasher', { previous: true })) texts.add(text);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        lost ||= error instanceof LostLogError;
      }
      return lost;
    };
    await expect.poll(previous, { timeout: 120_000, interval: 200 }).toBe(true);
    texts.delete('crash');
    expect([...texts]).toEqual([]);
  });
});
