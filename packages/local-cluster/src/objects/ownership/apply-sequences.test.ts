import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applied,
  attempt,
  exampleKind,
  exampleType,
  LATER,
  played,
} from '../../../test/apply-example.ts';
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { recordUpdate } from './update.ts';

describe('any sequence of applies', () => {
  const spec: fc.Arbitrary<JsonObject> = fc.record(
    {
      size: fc.nat(2),
      args: fc.subarray(['a', 'b']),
      tags: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }),
      items: fc.uniqueArray(
        fc.record(
          { name: fc.constantFrom('p', 'q', 'r'), port: fc.nat(2) },
          { requiredKeys: ['name'] },
        ),
        { minLength: 1, selector: ({ name }) => name },
      ),
      labels: fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('1', '2')),
    },
    // Always set: as on a real server, an apply of an empty spec or an empty list of items owns nothing.
    { requiredKeys: ['size'] },
  );
  const steps = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), spec), {
    minLength: 1,
    maxLength: 5,
  });

  it('changes nothing when the last step is repeated, and contains what it applied', () => {
    fc.assert(
      fc.property(steps, (list) => {
        const live = played(...list);
        const [by, last] = list.at(-1) ?? ['', {}];
        const again = attempt({ live, by, spec: last, now: LATER });
        expect(again.kind === 'applied' && again.object).toBe(live);
        expect(live['spec'] ?? {}).toMatchObject(withoutLists(last));
        const common = {
          type: exampleType,
          apiVersion: exampleKind.apiVersion,
          subresource: '',
        } as const;
        expect(recordUpdate({ ...common, live, next: live, manager: 'u', now: LATER })).toEqual(
          live,
        );
      }),
      { numRuns: 300 },
    );
  });

  it('leaves no fields and no owners when every manager applies nothing', () => {
    fc.assert(
      fc.property(steps, (list) => {
        let live: JsonObject | undefined = played(...list);
        for (const by of ['a', 'b', 'c']) {
          live = applied({ live, by, spec: {}, applied: { ...exampleKind }, now: LATER });
        }
        expect(live).toEqual({ ...exampleKind, metadata: { name: 'x' } });
      }),
      { numRuns: 300 },
    );
  });
});

/** Removes the lists that merge with items of other managers, because the result differs from the applied list. */
function withoutLists({ items: _items, tags: _tags, ...spec }: JsonObject): JsonObject {
  return spec;
}
