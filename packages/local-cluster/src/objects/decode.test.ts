import { assert, property, uint8Array } from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Json, JsonObject } from '../../../../src/kube/object.ts';
import { decodeObject, type DecodedObject, type DecodeOptions } from './decode.ts';
import { builtinType } from './table/builtin-type.ts';
import type { StructNode } from './type-node.ts';

function decode(
  kind: string,
  body: Json,
  more: Partial<
    Pick<DecodeOptions, 'group' | 'errorGroup' | 'fieldValidation' | 'duplicates'>
  > = {},
): DecodedObject {
  const { group = '' } = more;
  const type = builtinType(group, 'v1', kind) as StructNode;
  return decodeObject({
    body,
    version: 'v1',
    kind,
    type,
    fieldValidation: 'Strict',
    ...more,
    group,
  });
}

function decoded(kind: string, body: Json, group = ''): JsonObject {
  const result = decode(kind, body, { group });
  if (result.kind === 'failed') throw new Error(result.message);
  return result.object;
}

const messageOf = (result: DecodedObject): string =>
  result.kind === 'failed' ? result.message : 'decoded';

const deployment = (spec: JsonObject): DecodedObject =>
  decode('Deployment', { spec }, { group: 'apps' });
const pod = (container: JsonObject): DecodedObject =>
  decode('Pod', { spec: { containers: [{ name: 'a', ...container }] } });
const decoding = (kind: string, why: string): string =>
  `${kind} in version "v1" cannot be handled as a ${kind}: ${why}`;

describe('the object in a request body', () => {
  it('gets the kind of the request path when it has none', () => {
    expect(decoded('Deployment', { metadata: { name: 'x' } }, 'apps')).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'x' },
    });
  });

  it('is refused when it is of another kind', () => {
    expect(
      messageOf(decode('Deployment', { apiVersion: 'v1', kind: 'Pod' }, { group: 'apps' })),
    ).toBe(
      'Pod in version "v1" cannot be handled as a Deployment: converting (v1.Pod) to (apps.Deployment): unknown conversion',
    );
    expect(messageOf(decode('Deployment', { apiVersion: 'v1' }, { group: 'apps' }))).toBe(
      'the API version in the data (v1) does not match the expected API version (apps/v1)',
    );
    const named = { group: 'events.k8s.io', errorGroup: '' };
    expect(messageOf(decode('Event', { kind: 'Pod' }, named))).toMatch(/to \(core\.Event\)/);
    expect(messageOf(decode('Pod', [1]))).toMatch(/^the object provided is unrecognized/);
  });

  it('loses unknown fields, with an error, a warning or neither', () => {
    const body = { spec: { containers: [{ name: 'a', imagee: 'b' }], nope: { deep: 1 } }, x: 1 };
    const kept = { apiVersion: 'v1', kind: 'Pod', spec: { containers: [{ name: 'a' }] } };
    expect(messageOf(decode('Pod', body))).toBe(
      decoding(
        'Pod',
        'strict decoding error: unknown field "spec.containers[0].imagee", unknown field "spec.nope", unknown field "x"',
      ),
    );
    expect(decode('Pod', body, { fieldValidation: 'Warn' })).toEqual({
      kind: 'decoded',
      object: kept,
      warnings: [
        'unknown field "spec.containers[0].imagee"',
        'unknown field "spec.nope"',
        'unknown field "x"',
      ],
    });
    expect(decode('Pod', body, { fieldValidation: 'Ignore' })).toEqual({
      kind: 'decoded',
      object: kept,
      warnings: [],
    });
  });

  it('is refused when its text has a duplicate field', () => {
    const result = decode('Pod', { spec: {} }, { duplicates: ['spec.nodeName'] });
    expect(messageOf(result)).toBe(
      decoding('Pod', 'strict decoding error: duplicate field "spec.nodeName"'),
    );
  });

  it('loses nulls, empty lists and empty maps, but not empty structs', () => {
    const body = {
      metadata: { name: 'a', labels: {}, annotations: null, finalizers: [] },
      spec: { replicas: null, template: { spec: { containers: [], volumes: [{ emptyDir: {} }] } } },
    };
    expect(decoded('Deployment', body, 'apps')).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a' },
      spec: { template: { spec: { containers: [], volumes: [{ emptyDir: {} }] } } },
    });
  });

  it('gets the zero value of the type for a null in a map', () => {
    expect(decoded('ConfigMap', { data: { a: null } })).toMatchObject({ data: { a: '' } });
  });

  it.each([
    [
      deployment({ replicas: '1' }),
      'json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      deployment({ replicas: 1.5 }),
      'json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      deployment({ replicas: 3_000_000_000 }),
      'json: cannot unmarshal number 3000000000 into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      decode('ConfigMap', { metadata: { generation: 1e30 } }),
      'json: cannot unmarshal number 1e+30 into Go struct field ObjectMeta.metadata.generation of type int64',
      'ConfigMap',
    ],
    [
      deployment({ template: [] }),
      'json: cannot unmarshal array into Go struct field DeploymentSpec.spec.template of type v1.PodTemplateSpec',
    ],
    [
      decode('Deployment', { spec: true }, { group: 'apps' }),
      'json: cannot unmarshal bool into Go struct field Deployment.spec of type v1.DeploymentSpec',
    ],
    [
      decode('Deployment', { metadata: { labels: { a: 1 } } }, { group: 'apps' }),
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
    ],
    [
      deployment({ strategy: { rollingUpdate: { maxSurge: true } } }),
      'json: cannot unmarshal bool into Go struct field RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge of type int32',
    ],
  ])('is refused for a value of another type: %#', (result, why, kind = 'Deployment') => {
    expect(messageOf(result)).toBe(decoding(kind, why));
  });

  it.each([
    [
      { command: 'sh' },
      'json: cannot unmarshal string into Go struct field Container.spec.containers.command of type []string',
    ],
    [
      { resources: { limits: { cpu: '1x' } } },
      `quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`,
    ],
    [{ resources: { limits: { cpu: '1mm' } } }, `unable to parse quantity's suffix`],
    [
      { tty: 'yes' },
      'json: cannot unmarshal string into Go struct field Container.spec.containers.tty of type bool',
    ],
  ])('is refused for a value of another type in a container: %#', (container, why) => {
    expect(messageOf(pod(container))).toBe(decoding('Pod', why));
  });

  it('has times in UTC with whole seconds, and quantities as text', () => {
    const body = {
      metadata: { creationTimestamp: '2020-01-01T00:30:00.5+02:00' },
      spec: { containers: [{ name: 'a', resources: { limits: { cpu: 2 } } }] },
    };
    expect(decoded('Pod', body)).toMatchObject({
      metadata: { creationTimestamp: '2019-12-31T22:30:00Z' },
      spec: { containers: [{ resources: { limits: { cpu: '2' } } }] },
    });
    expect(
      decoded(
        'Lease',
        { spec: { renewTime: '2020-01-01T00:00:00.1234567Z' } },
        'coordination.k8s.io',
      ),
    ).toMatchObject({
      spec: { renewTime: '2020-01-01T00:00:00.123456Z' },
    });
  });

  it.each([
    ['abc', 'parsing time "abc" as "2006-01-02T15:04:05Z07:00": cannot parse "abc" as "2006"'],
    ['2020-13-01T00:00:00Z', 'parsing time "2020-13-01T00:00:00Z": month out of range'],
    ['2021-02-29T00:00:00Z', 'parsing time "2021-02-29T00:00:00Z": day out of range'],
    [
      '2020-01-01T00:00:00',
      'parsing time "2020-01-01T00:00:00" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"',
    ],
    [
      '2020-01-01T00:00:00+25:00',
      'parsing time "2020-01-01T00:00:00+25:00": time zone offset hour out of range',
    ],
    [
      '2020-01-01T00:00:00+00:61',
      'parsing time "2020-01-01T00:00:00+00:61": time zone offset minute out of range',
    ],
    ['2020-01-01T00:00:00Z!', 'parsing time "2020-01-01T00:00:00Z!": extra text: "!"'],
  ])('is refused for an invalid time: %s', (creationTimestamp, why) => {
    expect(messageOf(decode('Pod', { metadata: { creationTimestamp } }))).toBe(
      decoding('Pod', why),
    );
  });

  it.each([
    ['$', 0],
    ['YWJj$', 4],
    ['YWI', 0],
    ['YWI=YWI=', 4],
  ])('is refused for invalid base64: %s', (text, at) => {
    expect(messageOf(decode('Secret', { data: { a: text } }))).toBe(
      decoding('Secret', `illegal base64 data at input byte ${at}`),
    );
  });

  it('accepts any base64 that Node writes', () => {
    assert(
      property(uint8Array({ maxLength: 12 }), (bytes) => {
        const text = Buffer.from(bytes).toString('base64');
        expect(decoded('Secret', { data: { a: text } })).toMatchObject({ data: { a: text } });
      }),
    );
  });

  it('keeps a field called __proto__ as data where free keys are allowed', () => {
    const data = JSON.parse('{"data":{"__proto__":"x"}}') as JsonObject;
    const object = decoded('ConfigMap', data)['data'] as JsonObject;
    expect(Object.entries(object)).toEqual([['__proto__', 'x']]);
  });
});
