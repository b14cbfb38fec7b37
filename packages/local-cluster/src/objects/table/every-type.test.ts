import { describe, expect, it } from 'vitest';

import { VERSION_INFO } from '../../api/discovery/served-resources.ts';
import { builtinDefinitions } from '../kinds/definitions.ts';
import type { TypeNode } from '../type-node.ts';
import { everyKind, everyType, fieldSince, KNOWN_VERSIONS, versionsOf } from './every-type.ts';

describe('the types of every kind', () => {
  it('end with the version that the local cluster follows', () => {
    expect(KNOWN_VERSIONS).toEqual({ from: 30, until: Number(VERSION_INFO['minor']) });
  });

  it('are there for every kind of the newest version, down to the last field', () => {
    const newest = everyKind().filter((one) => {
      const [apiVersion, kind] = parts(one);
      return versionsOf(apiVersion, kind)?.until === KNOWN_VERSIONS.until;
    });
    expect(newest.length).toBeGreaterThan(90);
    const broken = newest.filter((one) => {
      const [apiVersion, kind] = parts(one);
      const type = everyType(apiVersion, kind);
      return type === undefined || !isWhole(type, new Set());
    });
    expect(broken).toEqual([]);
  });

  it('cover what the local cluster has', () => {
    const missing = builtinDefinitions()
      .filter(({ group, version, kind }) => {
        const apiVersion = group === '' ? version : `${group}/${version}`;
        return everyType(apiVersion, kind) === undefined;
      })
      .map(({ kind }) => kind);
    expect(missing).toEqual([]);
  });

  it('know since when there is a kind or a field, and until when', () => {
    expect(versionsOf('networking.k8s.io/v1beta1', 'ServiceCIDR')).toEqual({ from: 31, until: 36 });
    expect(versionsOf('apps/v1', 'Deployment')).toEqual(KNOWN_VERSIONS);
    expect(versionsOf('apps/v2', 'Deployment')).toBeUndefined();
    expect(fieldSince('Container', 'restartPolicyRules')).toBe(34);
    expect(fieldSince('Container', 'image')).toBeUndefined();
    expect(fieldSince('Container', 'toString')).toBeUndefined();
  });
});

function parts(kind: string): readonly [string, string] {
  const slash = kind.lastIndexOf('/');
  return [kind.slice(0, slash), kind.slice(slash + 1)];
}

/** `seen`: a type may contain itself, so each is checked once. */
function isWhole(type: TypeNode, seen: Set<TypeNode>): boolean {
  if (seen.has(type)) return true;
  seen.add(type);
  if (type.kind === 'list') return isWhole(type.items, seen);
  if (type.kind === 'map') return isWhole(type.values, seen);
  if (type.kind !== 'struct') return true;
  return type.fieldNames.every((name) => {
    const field = type.field(name);
    return field !== undefined && isWhole(field, seen);
  });
}
