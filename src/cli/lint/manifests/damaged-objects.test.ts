/** Tests that a lint never throws for random field values: each finding has a code, a place and a next step. */
import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';

import type { Json, JsonObject } from '../../../kube/object.ts';
import { lintText } from '../../../../test/fixtures/lint-stand.ts';

const RUNS = 60;
const FILES = [
  'examples/demo/orders/k8s/lifecycle.yaml',
  'examples/demo/orders/k8s/orders.yaml',
  'examples/rollouts/web.yaml',
  'examples/snapshots/postgresql.yaml',
  'deploy/overlays/cluster-wide/cluster.yaml',
];

const objects = FILES.flatMap((file) => {
  const documents = parseAllDocuments(readFileSync(file, 'utf8'));
  return Array.isArray(documents) ? documents.map((one) => one.toJS() as JsonObject) : [];
});

/** Values of different types: every field rejects at least one of them. */
const values = fc.constantFrom<Json[]>(null, 1, -1.5, 'x', '', true, [], {}, [null], { a: null }, [
  [1],
]);

it('never throws on an object with values of other types', async () => {
  const change = fc.record({ at: fc.nat(), put: values });
  const changes = fc.array(change, { minLength: 1, maxLength: 4 });
  expect(objects.length).toBeGreaterThan(10);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...objects), changes, async (object, each) => {
      const damaged = structuredClone(object);
      for (const { at, put } of each) damage(damaged, at, structuredClone(put));
      const { problems } = await lintText(JSON.stringify(damaged));
      for (const { code, at, next } of problems) {
        expect(code).toMatch(/^LH[A-Z]\d{3}$/u);
        expect([at?.file, next]).not.toContain('');
      }
    }),
    { numRuns: RUNS },
  );
});

/** Puts the value at one of the places in the object, which `at` selects. */
function damage(object: JsonObject, at: number, put: Json): void {
  const spots: (() => void)[] = [];
  const collect = (part: Json): void => {
    if (typeof part !== 'object' || part === null) return;
    for (const [name, inner] of Object.entries(part)) {
      spots.push(() => {
        (part as JsonObject)[name] = put;
      });
      collect(inner);
    }
  };
  collect(object);
  spots[at % spots.length]?.();
}
