/** Compares the table with an independent list of the same API, the package `kubernetes-types`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { definitionNames, namedType } from './builtin-type.ts';

const PACKAGE = 'node_modules/kubernetes-types';

/** Field names by definition, such as "core.v1.PodSpec". */
const declared: ReadonlyMap<string, string[]> = new Map(
  readdirSync(PACKAGE, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\/v\d\.d\.ts$/.test(path))
    .flatMap((path) => {
      const groupVersion = path.replace('.d.ts', '').split('/').join('.');
      return interfacesOf(readFileSync(join(PACKAGE, path), 'utf8')).map(
        ([name, fields]) => [`${groupVersion}.${name}`, fields] as const,
      );
    }),
);

/** Fields that Kubernetes removed after the version of the package. */
const DELETED = new Set(['core.v1.PodResourceClaim.source']);

function interfacesOf(text: string): [string, string[]][] {
  return [...text.matchAll(/^export interface (\w+) \{\n([\s\S]*?)^\}/gm)].map(([, name, body]) => [
    name ?? '',
    [...(body ?? '').matchAll(/^ {4}'?([\w$-]+)'?\??:/gm)].map((field) => field[1] ?? ''),
  ]);
}

describe('the table of built-in types', () => {
  it('has every field that kubernetes-types declares', () => {
    const missing = definitionNames().flatMap((name) => {
      const fields = declared.get(name) ?? [];
      const known = new Set(namedType(name)?.fieldNames);
      return fields.filter((field) => !known.has(field)).map((field) => `${name}.${field}`);
    });
    expect(missing.filter((field) => !DELETED.has(field))).toEqual([]);
  });

  it('is compared for more than 90 % of its definitions', () => {
    const compared = definitionNames().filter((name) => (declared.get(name) ?? []).length > 0);
    expect(compared.length).toBeGreaterThan(definitionNames().length * 0.9);
  });
});
