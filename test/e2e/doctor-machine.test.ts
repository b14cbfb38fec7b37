/**
 * `lifehook doctor` without a reachable cluster: its checks of the server, the kubeconfig and this machine.
 * @module-tag kubectl
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { expect, it, onTestFinished } from 'vitest';

import { openWholeCluster, run } from './cluster-stand.ts';
import { type Examined, examine, examineCluster, kubeconfigFor, PROGRAM } from './doctor-stand.ts';

function listening(server: Server): Promise<string> {
  onTestFinished(() => {
    server.close();
  });
  return new Promise((done) => {
    server.listen(0, '127.0.0.1', () => {
      done(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });
}

it('reports a server that refuses connections, with the context that leads there', async () => {
  const closed = createServer();
  const url = await listening(closed);
  await new Promise((done) => {
    closed.close(done);
  });
  const path = await kubeconfigFor(url);
  const report = await examine('--kubeconfig', path);
  expect(report.code).toBe(1);
  const [found] = report.of('server');
  expect(found?.result).toBe('error');
  expect(found?.found).toMatch(/ECONNREFUSED/u);
  expect(found?.next).toContain(`context "some" of ${path}`);
  expect(report.of('Node')).toMatchObject([{ result: 'ok' }]);
});

it('does not wait for ever for a server that never answers', async () => {
  const sockets: { destroy(): void }[] = [];
  const url = await listening(
    createServer((socket) => {
      sockets.push(socket);
    }),
  );
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const report = await examine('--kubeconfig', await kubeconfigFor(url));
  expect(report.code).toBe(1);
  expect(report.of('server')).toMatchObject([{ result: 'error' }]);
});

it('checks this machine alone where there is no kubeconfig, and says so', async () => {
  const home = await mkdtemp(join(tmpdir(), 'lifehook-doctor-'));
  onTestFinished(() => rm(home, { recursive: true }));
  const { code, stdout } = await run('env', [
    '-u',
    'KUBECONFIG',
    `HOME=${home}`,
    process.execPath,
    PROGRAM,
    'doctor',
  ]);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^warning {2}kubeconfig {2}there is no kubeconfig: only this machine was checked$/mu,
  );
  expect(stdout).toMatch(/ 0 errors\.\n$/u);
});

const POD = `
apiVersion: v1
kind: Pod
metadata: { name: db }
spec:
  terminationGracePeriodSeconds: 0
  containers: [{ name: db, image: none, command: [sleep, '1000'] }]
`;

it('names the command that stops the containers of a cluster that was killed', async () => {
  await using cluster = await openWholeCluster();
  expect((await cluster.apply(POD)).stderr).toBe('');
  await cluster.kubectl('wait', '--for=condition=Ready', 'pod/db', '--timeout=60s');
  await cluster.kill9();
  const own = (report: Examined): readonly (string | undefined)[] =>
    report.of('processes').map(({ next }) => next);
  const command = `lifehook down --state-dir ${cluster.folder}`;
  await expect.poll(async () => own(await examineCluster(cluster))).toContain(command);
  expect((await cluster.lifehook('down')).stdout).toContain('stopped 1 leftover container');
  expect(own(await examineCluster(cluster))).not.toContain(command);
});
