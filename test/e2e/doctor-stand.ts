/** Runs `lifehook doctor -o json` and parses its output. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';

import { expect, onTestFinished } from 'vitest';

import type { Finding } from '../../src/cli/doctor/finding.ts';
import type { Report } from '../../src/cli/doctor/run-doctor.ts';
import { type ClusterStand, run } from './cluster-stand.ts';

export const PROGRAM: string = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');

export interface Examined extends Report {
  readonly code: number;
  /** The findings of one check. */
  of(check: string): readonly Finding[];
}

export async function examine(...args: readonly string[]): Promise<Examined> {
  const { code, stdout, stderr } = await run(process.execPath, [
    PROGRAM,
    'doctor',
    '-o',
    'json',
    ...args,
  ]);
  expect(stderr).toBe('');
  const report = JSON.parse(stdout) as Report;
  const of = (check: string): Finding[] => report.findings.filter((one) => one.check === check);
  return { ...report, code, of };
}

export function examineCluster(
  { kubeconfig, folder }: ClusterStand,
  ...args: readonly string[]
): Promise<Examined> {
  return examine('--kubeconfig', kubeconfig, '--state-dir', folder, ...args);
}

/** A kubeconfig without credentials; its context has the namespace shop. */
export async function kubeconfigFor(server: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-doctor-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'kubeconfig');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'some',
    contexts: [{ name: 'some', context: { cluster: 'some', user: 'some', namespace: 'shop' } }],
    clusters: [{ name: 'some', cluster: { server } }],
    users: [{ name: 'some', user: {} }],
  };
  await writeFile(path, JSON.stringify(config));
  return path;
}
