/**
 * `lifehook controller` on API servers around the oldest supported release of docs/install.md. The test acts as
 * the server.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';

import { expect, it, onTestFinished } from 'vitest';

import { run } from './cluster-stand.ts';

const PROGRAM = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');

/** A server of that minor release without any API group; `asked` lists its requests. */
async function serverOf(minor: number): Promise<{ kubeconfig: string; asked: readonly string[] }> {
  const version = { major: '1', minor: `${minor}`, gitVersion: `v1.${minor}.4` };
  const answers: Readonly<Record<string, object>> = {
    '/version': version,
    '/api': { kind: 'APIVersions', versions: ['v1'] },
    '/apis': { kind: 'APIGroupList', groups: [] },
  };
  const asked: string[] = [];
  const server = createServer(({ method = '', url = '' }, answer) => {
    asked.push(`${method} ${url}`);
    const found = answers[url];
    answer.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
    answer.end(JSON.stringify(found ?? { kind: 'Status', code: 404, reason: 'NotFound' }));
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  const folder = mkdtempSync(join(tmpdir(), 'lifehook-old-server-'));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });
  const { port } = server.address() as AddressInfo;
  const kubeconfig = join(folder, 'kubeconfig');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'old',
    contexts: [{ name: 'old', context: { cluster: 'old', user: 'old' } }],
    clusters: [{ name: 'old', cluster: { server: `http://127.0.0.1:${port}` } }],
    users: [{ name: 'old', user: {} }],
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  return { kubeconfig, asked };
}

it('lifehook controller refuses to start on a server of 1.29, and writes nothing there', async () => {
  const { kubeconfig, asked } = await serverOf(29);
  const { code, stderr } = await run(process.execPath, [
    PROGRAM,
    'controller',
    '--kubeconfig',
    kubeconfig,
  ]);
  expect(stderr).toContain('LHS411: The API server is v1.29.4, which cannot run commands');
  expect(stderr).toContain('Upgrade the cluster');
  expect(code).toBe(1);
  expect(asked).toEqual(['GET /version', 'GET /api', 'GET /apis']);
});

it('lifehook controller continues to look for the kinds on a server of 1.30', async () => {
  const { kubeconfig } = await serverOf(30);
  const { code, stderr } = await run(process.execPath, [
    PROGRAM,
    'controller',
    '--kubeconfig',
    kubeconfig,
  ]);
  expect(stderr).not.toContain('LHS411');
  expect(stderr).toContain('lifehook install');
  expect(code).toBe(1);
});
