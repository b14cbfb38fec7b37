import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/kube/object.ts';
import { fieldErrorMessage } from './field-error.ts';
import { dnsLabel, pathSegment } from './metadata-names.ts';
import { type MetadataToValidate, validateMetadata } from './metadata.ts';

const faults = (metadata: JsonObject, more: Partial<MetadataToValidate> = {}): string[] =>
  validateMetadata({ object: { metadata }, namespaced: false, ...more }).map(fieldErrorMessage);

const KEY =
  "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const must =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

describe('the metadata of a new object', () => {
  it('needs a name that fits the kind', () => {
    expect(faults({})).toEqual(['metadata.name: Required value: name or generateName is required']);
    expect(faults({ name: 'a.b' })).toEqual([]);
    expect(faults({ name: 'a.b' }, { nameRule: dnsLabel })).toHaveLength(1);
    expect(faults({ name: 'system:node/x' }, { nameRule: pathSegment })).toEqual([
      'metadata.name: Invalid value: "system:node/x": may not contain \'/\'',
    ]);
    expect(faults({ name: 'a'.repeat(254) })).toEqual([
      expect.stringContaining('must be no more than 253 characters'),
    ]);
  });

  it('may have a generateName that ends in a dash', () => {
    expect(faults({ name: 'a-1', generateName: 'a-' })).toEqual([]);
    expect(faults({ name: 'a-1', generateName: 'Ab-' })).toHaveLength(1);
  });

  it('has a namespace if and only if the kind is namespaced', () => {
    expect(faults({ name: 'a', namespace: 'b' })).toEqual([
      'metadata.namespace: Forbidden: not allowed on this type',
    ]);
    expect(faults({ name: 'a' }, { namespaced: true })).toEqual([
      'metadata.namespace: Required value',
    ]);
  });

  it('has valid label keys, annotation keys and sizes', () => {
    expect(
      faults({ name: 'a', labels: { 'a b': 'c', 'p/q/r': '1', '/z': '', ok: 'A_b.c' } }),
    ).toEqual([
      `metadata.labels: Invalid value: "a b": name part ${must} ${KEY}`,
      `metadata.labels: Invalid value: "p/q/r": a qualified name ${must} ${KEY} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
      'metadata.labels: Invalid value: "/z": prefix part must be non-empty',
    ]);
    expect(faults({ name: 'a', annotations: { 'Example.com/A': 'any text ' } })).toEqual([]);
    expect(faults({ name: 'a', annotations: { a: 'x'.repeat(262_144) } })).toEqual([
      'metadata.annotations: Too long: must have at most 262144 bytes',
    ]);
  });

  it('names field managers of at most 128 bytes', () => {
    const managed = (manager: string): string[] =>
      faults({ name: 'a', managedFields: [{ manager, operation: 'Update' }] });
    expect(managed('ü'.repeat(64))).toEqual([]);
    expect(managed('ü'.repeat(65))).toEqual([
      'metadata.managedFields[0].manager: Too long: must have at most 128 bytes',
    ]);
  });

  it('has finalizers with a domain, or standard ones', () => {
    expect(faults({ name: 'a', finalizers: ['example.com/b', 'orphan'] })).toEqual([]);
    expect(faults({ name: 'a', finalizers: ['foo'] })).toEqual([
      'metadata.finalizers[0]: Invalid value: "foo": name is neither a standard finalizer name nor is it fully qualified',
    ]);
    expect(faults({ name: 'a', finalizers: ['orphan', 'foregroundDeletion'] })).toHaveLength(1);
  });

  it('may have finalizers without a domain where the kind allows them', () => {
    const more = { plainFinalizers: true };
    expect(faults({ name: 'a', finalizers: ['foo'] }, more)).toEqual([]);
    expect(faults({ name: 'a', finalizers: ['not a name'] }, more)).toHaveLength(1);
    expect(faults({ name: 'a', finalizers: ['orphan', 'foregroundDeletion'] }, more)).toHaveLength(
      1,
    );
  });

  it('has complete owner references, of which only one may be controlling', () => {
    const owner = { apiVersion: 'apps/v1', kind: 'A', name: 'b', uid: 'c', controller: true };
    expect(
      faults({ name: 'a', ownerReferences: [owner, { ...owner, controller: false }] }),
    ).toEqual([]);
    expect(faults({ name: 'a', ownerReferences: [owner, { ...owner, name: 'd' }] })).toEqual([
      expect.stringContaining('Found "true" in references for b and d'),
    ]);
    expect(
      faults({ name: 'a', ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }] }),
    ).toEqual(
      [
        'apiVersion: Invalid value: "": version',
        'kind: Required value:',
        'name: Required value:',
        'uid: Required value:',
      ].map((fault) => `metadata.ownerReferences[0].${fault} must not be empty`),
    );
  });
});

describe('the metadata of an update', () => {
  const stored = { name: 'a', uid: 'u', resourceVersion: '1', generation: 3 };
  const update = (change: JsonObject, old: JsonObject = stored): string[] =>
    faults({ ...old, ...change }, { old: { metadata: old } });

  it('keeps name, uid and deletionTimestamp', () => {
    expect(update({})).toEqual([]);
    expect(update({ uid: 'v' })).toEqual(['metadata.uid: Invalid value: "v": field is immutable']);
    expect(update({ name: 'b' })).toEqual([
      'metadata.name: Invalid value: "b": field is immutable',
    ]);
    expect(update({ deletionTimestamp: '2026-01-01T00:00:00Z' })).toHaveLength(1);
  });

  it('requires a resource version, and no lower generation', () => {
    expect(update({ resourceVersion: '' })).toEqual([
      'metadata.resourceVersion: Invalid value: "": must be specified for an update',
    ]);
    expect(update({ generation: 2 })).toEqual([
      'metadata.generation: Invalid value: 2: must not be decremented',
    ]);
  });

  it('adds no finalizer to a terminating object, but may remove one', () => {
    const dying = {
      ...stored,
      deletionTimestamp: '2026-01-01T00:00:00Z',
      finalizers: ['x.y/a', 'x.y/b'],
    };
    expect(update({ finalizers: ['x.y/a'] }, dying)).toEqual([]);
    expect(update({ finalizers: ['x.y/a', 'x.y/c'] }, dying)).toEqual([
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"x.y/c"}',
    ]);
  });
});
