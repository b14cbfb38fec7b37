/** Compares kubectl's rendering of deploy/ with the output of `lifehook install`. */
import process from 'node:process';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';

import { kubectlPath, run } from './cluster-stand.ts';

const PROGRAM = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');

interface Named {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** Keyed by kind and name, so that the order does not matter. */
function objectsIn(text: string): Record<string, unknown> {
  const objects = parseAllDocuments(text).map((one) => one.toJS() as Named);
  return Object.fromEntries(objects.map((one) => [`${one.kind}/${one.metadata.name}`, one]));
}

async function outputOf(file: string, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(file, args);
  expect(code, stderr).toBe(0);
  return stdout;
}

describe('an overlay', () => {
  it.each([
    ['cluster-wide', []],
    ['namespaced', ['--namespaced']],
  ])(
    '%s renders the same objects as lifehook install',
    { tags: 'kubectl' },
    async (overlay, options) => {
      const made = await outputOf(kubectlPath(), 'kustomize', `deploy/overlays/${overlay}`);
      const printed = await outputOf(process.execPath, PROGRAM, 'install', ...options);
      const wanted = objectsIn(printed);
      expect(Object.keys(wanted).length).toBeGreaterThan(10);
      expect(objectsIn(made)).toEqual(wanted);
    },
  );
});

it('lifehook pod lint finds no problem in deploy/install.yaml', async () => {
  await outputOf(process.execPath, PROGRAM, 'pod', 'lint', 'deploy/install.yaml');
});

it('lifehook install writes all of its output to a slow reader of a pipe', async () => {
  const slow = '"$0" "$1" install | (sleep 1; cat)';
  const piped = await outputOf('sh', '-c', slow, process.execPath, PROGRAM);
  expect(piped).toBe(await outputOf(process.execPath, PROGRAM, 'install'));
});
