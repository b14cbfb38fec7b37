import { beforeAll, describe, expect, it } from 'vitest';

import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { builtinDefinitions } from '../kinds/definitions.ts';
import type { ResourceDefinition } from '../resource-definition.ts';
import { documentHash, openApiV2, openApiV3, openApiV3Index } from './documents.ts';
import { loadDocs, type Docs, type OpenApiInput } from './builtin-schema.ts';

let docs: Docs;
beforeAll(async () => {
  docs = await loadDocs();
});

const [builtin] = builtinDefinitions();
const cronTab = {
  ...(builtin as ResourceDefinition),
  group: 'stable.example.com',
  version: 'v1',
  kind: 'CronTab',
  listKind: 'CronTabList',
  plural: 'crontabs',
  namespaced: true,
  custom: true,
};
const cronSchema: JsonObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        at: { type: 'string', nullable: true, default: 'x' },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: {} },
      },
    },
  },
};

function inputWith(schema: Json = cronSchema): OpenApiInput {
  return {
    definitions: [...builtinDefinitions(), cronTab],
    customSchemas: new Map([['stable.example.com/v1/CronTab', schema]]),
    docs,
    serverVersion: 'v1.37.2',
  };
}

/** The value at a path of field names; undefined if the path does not exist. */
function at(value: Json | undefined, ...path: string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (found, name) =>
      typeof found === 'object' && found !== null && !Array.isArray(found)
        ? found[name]
        : undefined,
    value,
  );
}

function referencesIn(value: Json): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  const own = typeof value['$ref'] === 'string' ? [value['$ref']] : [];
  return [...own, ...Object.values(value).flatMap(referencesIn)];
}

function dangling(document: JsonObject): string[] {
  return referencesIn(document).filter(
    (reference) => at(document, ...reference.split('/').slice(1)) === undefined,
  );
}

describe('the OpenAPI documents', () => {
  it('have no dangling references, for every group and version', () => {
    const input = inputWith();
    const paths = Object.keys(at(openApiV3Index(input), 'paths') as JsonObject);
    expect(paths).toContain('api/v1');
    expect(paths).toContain('apis/stable.example.com/v1');
    for (const path of paths) expect(dangling(openApiV3(path, input) as JsonObject)).toEqual([]);
    expect(dangling(openApiV2(input))).toEqual([]);
    expect(openApiV3('apis/nope/v1', input)).toBeUndefined();
  });

  it('list dryRun and fieldValidation for every kind that can be patched', () => {
    const input = inputWith();
    const patchable = input.definitions.filter(({ verbs }) => verbs.includes('patch'));
    expect(patchable.length).toBeGreaterThan(10);
    for (const { group, version, kind } of patchable) {
      const path = group === '' ? `api/${version}` : `apis/${group}/${version}`;
      const items = Object.values(at(openApiV3(path, input), 'paths') as JsonObject);
      const patch = items.find(
        (item) =>
          JSON.stringify(at(item, 'patch', 'x-kubernetes-group-version-kind')) ===
          JSON.stringify({ group, version, kind }),
      );
      const names = (at(patch, 'patch', 'parameters') as JsonObject[]).map(({ name }) => name);
      expect(names, kind).toEqual(expect.arrayContaining(['dryRun', 'fieldValidation']));
    }
  });

  it('describe how lists merge, and the meaning of fields', () => {
    const document = openApiV3('api/v1', inputWith());
    const podSpec = at(document, 'components', 'schemas', 'io.k8s.api.core.v1.PodSpec');
    expect(at(podSpec, 'properties', 'containers')).toMatchObject({
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'name',
    });
    expect(at(podSpec, 'required')).toEqual(['containers']);
    expect(at(podSpec, 'properties', 'volumes', 'x-kubernetes-patch-strategy')).toBe(
      'merge,retainKeys',
    );
    const sleep = at(document, 'components', 'schemas', 'io.k8s.api.core.v1.SleepAction');
    expect(at(sleep, 'properties', 'seconds', 'description')).toBe(
      'Seconds is the number of seconds to sleep.',
    );
    const pod = at(document, 'components', 'schemas', 'io.k8s.api.core.v1.Pod');
    expect(at(pod, 'x-kubernetes-group-version-kind')).toEqual([
      { group: '', version: 'v1', kind: 'Pod' },
    ]);
  });

  it('describe a custom resource with the metadata of every object, in v2 and v3', () => {
    const input = inputWith();
    const name = 'com.example.stable.v1.CronTab';
    const v3 = at(openApiV3('apis/stable.example.com/v1', input), 'components', 'schemas', name);
    expect(at(v3, 'properties', 'metadata')).toEqual({
      allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }],
    });
    expect(at(v3, 'properties', 'spec', 'properties', 'at')).toMatchObject({ nullable: true });
    const v2 = at(openApiV2(input), 'definitions', name);
    expect(at(v2, 'properties', 'spec', 'properties')).toEqual({
      at: { type: 'string' },
      free: { 'x-kubernetes-preserve-unknown-fields': true },
    });
  });

  it('have a new URL if and only if they change', () => {
    const path = 'apis/stable.example.com/v1';
    const before = documentHash(path, inputWith());
    expect(documentHash(path, inputWith())).toBe(before);
    expect(documentHash(path, inputWith({ type: 'object', description: 'ü' }))).not.toBe(before);
    expect(documentHash('api/v1', inputWith({ type: 'object' }))).toBe(
      documentHash('api/v1', inputWith()),
    );
    expect(JSON.stringify(openApiV3Index(inputWith()))).toContain(
      `/openapi/v3/${path}?hash=${before}`,
    );
  });
});
