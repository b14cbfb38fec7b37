import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  difference,
  EMPTY,
  type FieldSet,
  fieldSetOf,
  hasPath,
  intersection,
  isEmpty,
  pathsOf,
  recursiveDifference,
  sameFields,
  union,
} from './field-set.ts';
import { pathText } from './path-element.ts';

const element = fc.constantFrom('f:a', 'f:b', 'k:{"name":"x"}', 'v:"y"', 'i:0');
const path = fc.array(element, { minLength: 1, maxLength: 3 });
const set = fc.array(path, { maxLength: 8 }).map(fieldSetOf);

/** The paths of a set as a plain list, with which the tree must agree. */
const texts = (fields: FieldSet): string[] => pathsOf(fields).map((steps) => steps.join('/'));
const unique = (list: string[]): string[] => [...new Set(list)].toSorted();

describe('sets of fields', () => {
  it('contain every path that they were built from, and no other', () => {
    fc.assert(
      fc.property(fc.array(path), path, (paths, other) => {
        const fields = fieldSetOf(paths);
        for (const each of paths) expect(hasPath(fields, each)).toBe(true);
        const isThere = paths.some((each) => each.join('/') === other.join('/'));
        expect(hasPath(fields, other)).toBe(isThere);
        expect(texts(fields).toSorted()).toEqual(unique(paths.map((each) => each.join('/'))));
      }),
    );
  });

  it('have the union, intersection and difference of sets of paths', () => {
    fc.assert(
      fc.property(set, set, (left, right) => {
        const [a, b] = [texts(left), texts(right)];
        expect(texts(union(left, right)).toSorted()).toEqual(unique([...a, ...b]));
        expect(texts(intersection(left, right)).toSorted()).toEqual(
          unique(a.filter((each) => b.includes(each))),
        );
        expect(texts(difference(left, right)).toSorted()).toEqual(
          unique(a.filter((each) => !b.includes(each))),
        );
        expect(texts(recursiveDifference(left, right)).toSorted()).toEqual(
          unique(a.filter((each) => !b.some((other) => `${each}/`.startsWith(`${other}/`)))),
        );
      }),
    );
  });

  it('are empty if and only if they have no path, after any operation', () => {
    fc.assert(
      fc.property(set, set, (left, right) => {
        for (const made of [
          difference(left, right),
          intersection(left, right),
          union(left, right),
        ]) {
          expect(isEmpty(made)).toBe(texts(made).length === 0);
        }
        expect(sameFields(union(difference(left, right), intersection(left, right)), left)).toBe(
          true,
        );
        expect(isEmpty(difference(left, left))).toBe(true);
        expect(sameFields(left, union(left, EMPTY))).toBe(true);
      }),
    );
  });

  it('list their paths in order, a node before its children', () => {
    const fields = fieldSetOf([
      ['f:spec', 'f:ports', 'k:{"port":443,"protocol":"TCP"}', 'f:name'],
      ['f:spec', 'f:ports', 'k:{"port":80,"protocol":"UDP"}'],
      ['f:spec', 'f:ports', 'k:{"port":80,"protocol":"TCP"}'],
      ['f:spec', 'f:args', 'i:10'],
      ['f:spec', 'f:args', 'i:9'],
      ['f:spec', 'f:args', 'v:true'],
      ['f:spec', 'f:args', 'v:"a"'],
      ['f:spec', 'f:args', 'v:2'],
      ['f:data'],
    ]);
    expect(pathsOf(fields).map(pathText)).toEqual([
      '.data',
      '.spec.args[=2]',
      '.spec.args[="a"]',
      '.spec.args[=true]',
      '.spec.args[9]',
      '.spec.args[10]',
      '.spec.ports[port=80,protocol="TCP"]',
      '.spec.ports[port=80,protocol="UDP"]',
      '.spec.ports[port=443,protocol="TCP"].name',
    ]);
  });
});
