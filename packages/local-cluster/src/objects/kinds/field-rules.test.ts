import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../../../../src/kube/object.ts';
import { atList, invalidIf, isRepeated, namingList, needed, oneOf, port } from './field-checks.ts';
import { type Check, checkObject, fields, onePart } from './field-rules.ts';

const found = (check: Check, object: JsonObject): string[] =>
  checkObject(check, object, { scope: {} }).map(({ type, field }) => `${type} ${field}`);

describe('a row of rules', () => {
  it('stops at the first of its checks that finds an error', () => {
    const check = fields(['mode', needed(), oneOf('Even')], ['mode', oneOf('Odd')]);
    expect(found(check, {})).toEqual(['Required mode', 'Required mode']);
    expect(found(check, { mode: 'Odd' })).toEqual(['NotSupported mode']);
  });

  it('reads absent parts of its path as absent fields, and each of the fields in braces', () => {
    const check = fields(['spec.{first,second}.port', port]);
    expect(found(check, {})).toEqual(['Invalid spec.first.port', 'Invalid spec.second.port']);
    expect(found(check, { spec: { first: { port: 80 } } })).toEqual(['Invalid spec.second.port']);
  });

  it('reports the items of a list one after another, with their place', () => {
    const item = fields(['name', needed()], ['port', invalidIf(isRepeated('port'), 'again')]);
    const check = fields(['ports[]', item]);
    expect(found(check, { ports: [{ port: 1 }, { name: 'a', port: 1 }, { port: 2 }] })).toEqual([
      'Required ports[0].name',
      'Invalid ports[1].port',
      'Required ports[2].name',
    ]);
  });

  it('passes an absent object with rows', () => {
    expect(found(fields(['spec', fields(['name', needed()])]), {})).toEqual([]);
  });

  it('names the list where the server does so', () => {
    const lists = { a: [{ b: [{}] }] };
    expect(found(fields(['a[].b[].c', namingList(needed())]), lists)).toEqual([
      'Required a[0].b.c',
    ]);
    expect(found(fields(['a[].b[].c', atList(needed())]), lists)).toEqual(['Required a[0].b']);
  });
});

describe('one part of several', () => {
  const check = onePart(
    { one: fields(['name', needed()]), other: fields(['name', needed()]) },
    { none: 'none', more: 'more' },
  );

  it('is required, checked, and alone', () => {
    const inSpec = fields(['spec', check]);
    expect(found(inSpec, { spec: {} })).toEqual(['Required spec']);
    expect(found(inSpec, { spec: { other: {} } })).toEqual(['Required spec.other.name']);
    expect(found(inSpec, { spec: { other: {}, one: { name: 'a' } } })).toEqual([
      'Forbidden spec.other',
    ]);
  });
});
