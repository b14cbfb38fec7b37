import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';

import { lintText } from '../../../test/fixtures/lint-stand.ts';
import { convertManifest } from './convert-manifest.ts';
import { yamlDocuments } from '../../model/yaml-text.ts';

const RUNS = 30;
const names = ['deployment-config', 'document-samples', 'prototype'];
const samples = names.map((name) => readFileSync(`test/fixtures/convert/${name}.yaml`, 'utf8'));

/** Converts the text, reports the problems and writes the documents: no step may throw for any input. */
async function digest(text: string): Promise<void> {
  const { documents, problems } = convertManifest('m.yaml', text);
  yamlDocuments(documents);
  for (const { code, next } of [...problems, ...(await lintText(text)).problems]) {
    expect(code).toMatch(/^LH[A-Z]\d{3}$/);
    expect(next).not.toBe('');
  }
}

it('convert and lint never throw on manifests with random damage', async () => {
  const damage = fc.record({
    text: fc.constantFrom(...samples),
    from: fc.nat({ max: 3_000 }),
    length: fc.nat({ max: 40 }),
    put: fc.constantFrom('', '-', ': ', '[', '{', '\n', '  ', '“', '&a *a', '---\n', '\0'),
  });
  await fc.assert(
    fc.asyncProperty(damage, async ({ text, from, length, put }) => {
      await digest(text.slice(0, from) + put + text.slice(from + length));
    }),
    { numRuns: RUNS },
  );
});

it('convert and lint never throw on objects with random values', async () => {
  const value = fc.anything({ maxDepth: 3, withNullPrototype: false });
  const apiVersion = fc.constantFrom('apps.openshift.io/v1', 'storage.k8s.io/v1alpha1', 'v1');
  const kind = fc.constantFrom(
    'DeploymentConfig',
    'ExecutionHook',
    'ExecutionHookTemplate',
    'List',
  );
  const object = fc.record(
    { apiVersion, kind, metadata: value, spec: value, items: value, preAction: value },
    { requiredKeys: ['apiVersion', 'kind'] },
  );
  await fc.assert(
    fc.asyncProperty(object, async (written) => {
      await digest(stringify(JSON.parse(JSON.stringify(written, plain))));
    }),
    { numRuns: RUNS },
  );
});

/** Replaces a bigint by text, for JSON.stringify. */
function plain(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
