/**
 * The syntax of a field's type in the table, one string:
 *   "string"                       a scalar (see ScalarNode), or "any" for any JSON
 *   "core.v1.Probe"                another definition of the table
 *   "[]core.v1.Container map=name merge=name"   a list, with options: `set` or `map=KEY,KEY` for apply,
 *                                  `merge=KEY` for strategic merge (`merge=` in a list of scalars);
 *                                  `map=port:0,protocol:TCP`: keys with a default, `map=name:`: an empty default
 *   "{}quantity atomic"            a map with any keys
 *   "apps.v1.DeploymentStrategy retainKeys"     `retainKeys` and `atomic` also apply to structs
 * In a list, `retainKeys` applies to the items.
 */
import type { ScalarNode } from '../type-node.ts';

export interface FieldWords {
  /** Type such as "[]core.v1.Container". */
  readonly type: string;
  readonly listType: 'atomic' | 'set' | 'map';
  readonly mapKeys: readonly string[];
  readonly keyDefaults: Readonly<Record<string, string | number>>;
  /** Merge key of a strategic merge; '' for a list of scalars; null if the patch replaces the list. */
  readonly mergeKey: string | null;
  readonly retainKeys: boolean;
  readonly atomic: boolean;
}

export const SCALARS: Readonly<Record<ScalarNode['scalar'], ScalarNode>> = {
  string: { kind: 'scalar', scalar: 'string' },
  boolean: { kind: 'scalar', scalar: 'boolean' },
  int32: { kind: 'scalar', scalar: 'int32' },
  int64: { kind: 'scalar', scalar: 'int64' },
  number: { kind: 'scalar', scalar: 'number' },
  intOrString: { kind: 'scalar', scalar: 'intOrString' },
  quantity: { kind: 'scalar', scalar: 'quantity' },
  time: { kind: 'scalar', scalar: 'time' },
  microTime: { kind: 'scalar', scalar: 'microTime' },
  bytes: { kind: 'scalar', scalar: 'bytes' },
};

export function parseFieldWords(words: string): FieldWords {
  const [type = 'any', ...options] = words.split(' ');
  const valueOf = (name: string): string | undefined =>
    options.find((option) => option.startsWith(`${name}=`))?.slice(name.length + 1);
  const mapKeys = valueOf('map')
    ?.split(',')
    .map((key) => key.split(':'));
  const unkeyed = options.includes('set') ? 'set' : 'atomic';
  return {
    type,
    listType: mapKeys === undefined ? unkeyed : 'map',
    mapKeys: (mapKeys ?? []).map(([key = '']) => key),
    keyDefaults: Object.fromEntries(
      (mapKeys ?? []).flatMap(([key = '', text]) =>
        text === undefined ? [] : [[key, /^\d+$/.test(text) ? Number(text) : text]],
      ),
    ),
    mergeKey: valueOf('merge') ?? null,
    retainKeys: options.includes('retainKeys'),
    atomic: options.includes('atomic'),
  };
}
