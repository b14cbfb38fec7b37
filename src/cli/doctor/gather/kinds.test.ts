import { describe, expect, it } from 'vitest';

import { missingFields } from './kinds.ts';

const text = {};
const ours = {
  properties: { spec: { properties: { a: text, list: { items: { properties: { b: text } } } } } },
};

describe('the fields that a stored definition lacks', () => {
  it('are none in the same schema, and in one that keeps what it does not know', () => {
    expect(missingFields(ours, ours)).toEqual([]);
    expect(missingFields(ours, { 'x-kubernetes-preserve-unknown-fields': true })).toEqual([]);
  });

  it('are named by their paths, within lists too, and without what is in them', () => {
    const older = { properties: { spec: { properties: { list: { items: {} } } } } };
    expect(missingFields(ours, older)).toEqual(['spec.a', 'spec.list[].b']);
    expect(missingFields(ours, {})).toEqual(['spec']);
  });
});
