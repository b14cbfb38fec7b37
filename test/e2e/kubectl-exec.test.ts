/**
 * kubectl with running containers of the local cluster: exec and logs.
 * @module-tag kubectl
 */
import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type ClusterStand, kubectlPath, openCluster } from './cluster-stand.ts';
import { stepsOn } from './kubectl-steps.ts';

let cluster: ClusterStand;
const { ok, fails, apply, feed, field } = stepsOn(() => cluster);

const PODS = `apiVersion: v1
kind: Pod
metadata: { name: two, labels: { app: two } }
spec:
  terminationGracePeriodSeconds: 1
  containers:
    - name: counts
      image: none
      command: [sh, -c, 'trap "exit 0" TERM; i=0; while :; do i=$((i+1)); echo line $i; sleep 0.1; done']
    - name: fails
      image: none
      command: [sh, -c, 'echo run of $HOSTNAME; sleep 0.3; exit 4']
---
apiVersion: v1
kind: Pod
metadata: { name: three, labels: { app: two } }
spec:
  restartPolicy: Never
  containers:
    - name: speaks
      image: none
      command: [sh, -c, 'echo one; sleep 0.2; echo two >&2; sleep 0.2; echo three']
`;

beforeAll(async () => {
  cluster = await openCluster();
  await apply(PODS);
  await ok('wait', '--for=jsonpath={.status.phase}=Running', 'pod/two', '--timeout=60s');
  await ok('wait', '--for=jsonpath={.status.phase}=Succeeded', 'pod/three', '--timeout=60s');
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

const inTwo = ['exec', 'two', '-c', 'counts'] as const;

test('exec returns separate output streams and the exit code of the command', async () => {
  const script = 'echo "$POD_IP $HOSTNAME"; echo complaint >&2; exit 7';
  const { code, stdout, stderr } = await cluster.kubectl(...inTwo, '--', 'sh', '-c', script);
  expect(code).toBe(7);
  expect(stdout).toBe(`${await field('pod two', '.status.podIP')} two\n`);
  expect(stderr).toBe('complaint\ncommand terminated with exit code 7\n');
});

test('exec passes its arguments unchanged, without a shell', async () => {
  expect(await ok(...inTwo, '--', 'printf', '%s|', 'a b', '$HOME', '*')).toBe('a b|$HOME|*|');
});

test('exec -i passes standard input to its end without loss', async () => {
  const text = 'a line of input\n'.repeat(20_000);
  const { code, stdout } = await feed(text, 'exec', '-i', 'two', '-c', 'counts', '--', 'cat');
  expect(code).toBe(0);
  expect(stdout === text).toBe(true);
});

test('exec -it opens a terminal, passes typed input, and returns the exit code', async () => {
  const line = [kubectlPath(), '--kubeconfig', cluster.kubeconfig, 'exec', '-it', 'two'];
  const command = `${line.join(' ')} -c counts -- sh -c 'tty; read word; echo "got $word"; exit 5'`;
  const child = spawn('script', ['-qec', command, '/dev/null'], { stdio: 'pipe' });
  let text = '';
  let isAnswered = false;
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
    if (!isAnswered && /\/dev\/pts\/\d+\r\n/.test(text)) {
      isAnswered = true;
      child.stdin.write('hello\n');
    }
  });
  const code = await new Promise((resolve) => {
    child.on('close', resolve);
  });
  child.stdin.end();
  expect(text).toMatch(/got hello\r\n/);
  expect(code).toBe(5);
});

test('exec reports a missing pod, program or container and a completed pod', async () => {
  expect(await fails('exec', 'nobody', '--', 'true')).toContain('pods "nobody" not found');
  expect(await fails(...inTwo, '--', 'no-such-program')).toContain(
    'exec: "no-such-program": executable file not found in $PATH',
  );
  expect(await fails('exec', 'two', '-c', 'none', '--', 'true')).toContain(
    'container none is not valid for pod two',
  );
  expect(await fails('exec', 'three', '--', 'true')).toContain(
    'cannot exec into a container in a completed pod; current phase is Succeeded',
  );
  const unnamed = await cluster.kubectl('exec', 'two', '--', 'true');
  expect(unnamed.stderr).toContain('Defaulted container "counts" out of: counts, fails');
});

test('logs prints all or the last lines, by time and with timestamps, of one or all containers', async () => {
  expect(await ok('logs', 'three')).toBe('one\ntwo\nthree');
  expect(await ok('logs', 'three', '--tail=1')).toBe('three');
  expect(await ok('logs', 'three', '--timestamps', '--tail=1')).toMatch(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z three$/,
  );
  expect(await ok('logs', 'three', '--limit-bytes=5')).toBe('one\nt');
  expect((await ok('logs', 'two', '-c', 'counts', '--since=10s')).split('\n')[0]).toMatch(
    /^line \d+$/,
  );
  // Sorted, because kubectl requests the containers in any order. The container "fails" has no line just after a restart.
  const all = async (): Promise<string[]> =>
    (await ok('logs', 'two', '--all-containers', '--prefix', '--tail=1')).split('\n').toSorted();
  await expect
    .poll(all)
    .toEqual([
      expect.stringMatching(/^\[pod\/two\/counts] line \d+$/),
      '[pod/two/fails] run of two',
    ]);
  const labelled = (): Promise<string> =>
    ok('logs', '-l', 'app=two', '--all-containers', '--prefix');
  await expect.poll(labelled).toMatch(/^\[pod\/two\/fails\] run of two$/mu);
  expect(await labelled()).toContain('[pod/three/speaks] two');
  expect(await fails('logs', 'three', '-c', 'none')).toContain('container none is not valid');
});

test('logs --previous prints the log of the terminated run of a container', async () => {
  await eventually('it was started again', async () => {
    const count = await field(
      'pod two',
      '.status.containerStatuses[?(@.name=="fails")].restartCount',
    );
    return Number(count) > 0;
  });
  expect(await ok('logs', 'two', '-c', 'fails', '--previous')).toBe('run of two');
  expect(await fails('logs', 'two', '-c', 'counts', '--previous')).toContain(
    'previous terminated container "counts" in pod "two" not found',
  );
});

test('logs -f follows until the container exits', async () => {
  const child = spawn(
    kubectlPath(),
    ['--kubeconfig', cluster.kubeconfig, 'logs', '-f', 'two', '-c', 'counts', '--tail=3'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', resolve);
  });
  await eventually('it follows', async () => Promise.resolve(text.split('\n').length > 8));
  await ok('delete', 'pod', 'two');
  expect(await ended).toBe(0);
  const lines = text.trim().split('\n');
  const first = Number(lines[0]?.slice('line '.length));
  expect(lines).toEqual(lines.map((_, index) => `line ${first + index}`));
});
