/** Schemas of single values, each with its description, which `kubectl explain` shows. */
import * as z from 'zod';
import { secondsRule } from './check-values.ts';
import { NAME_CHARACTERS_MAX } from './value-limits.ts';

/** The list type in a custom resource definition. */
export type ListType =
  | { readonly type: 'atomic' | 'set' }
  /** These fields identify an item of the list. */
  | { readonly type: 'map'; readonly keys: readonly string[] };

/** An object with these fields and no others. */
export function object<T extends z.core.$ZodLooseShape>(
  description: string,
  fields: T,
): z.ZodObject<T, z.core.$strict> {
  return z.strictObject(fields).describe(description);
}

export function flag(description: string): z.ZodBoolean {
  return z.boolean().describe(description);
}

export function text(description: string, charactersMax: number): z.ZodString {
  return z.string().max(charactersMax).describe(description);
}

/** The name of an object, a container or a label: never empty. */
export function name(description: string): z.ZodString {
  return z.string().min(1).max(NAME_CHARACTERS_MAX).describe(description);
}

/** Whole seconds from `min` to `max`, as int64, the type that the proposal uses. */
export function seconds(description: string, min: number, max: number): z.ZodInt {
  const error = secondsRule({ min, max });
  return z
    .int({ error })
    .min(min, { error })
    .max(max, { error })
    .meta({ description, format: 'int64' });
}

/**
 * A text of a status. The schemas of status fields have no limits: if a status cannot be written, a thaw cannot be
 * recorded.
 */
export function describedText(description: string): z.ZodString {
  return z.string().describe(description);
}

/** A field that identifies the items of a list. */
export function key(description: string): z.ZodString {
  return z.string().describe(description);
}

export function count(description: string): z.ZodInt {
  return z.int().meta({ description, format: 'int64' });
}

/** A time in the format of RFC 3339. */
export function time(description: string): z.ZodString {
  return z.string().meta({ description, format: 'date-time' });
}

export function statusList<T extends z.ZodType>(
  item: T,
  description: string,
  kind: ListType = { type: 'atomic' },
): z.ZodArray<T> {
  return z.array(item).meta({ description, ...listMeta(kind) });
}

export interface ListOptions {
  readonly description: string;
  readonly min?: number;
  readonly max: number;
  /** Default: atomic, that is, a change replaces the whole list. */
  readonly list?: ListType;
}

export function list<T extends z.ZodType>(item: T, options: ListOptions): z.ZodArray<T> {
  const { description, min = 0, max, list: kind = { type: 'atomic' } } = options;
  return z
    .array(item)
    .min(min)
    .max(max)
    .meta({ description, ...listMeta(kind) });
}

function listMeta(kind: ListType): Record<string, unknown> {
  const keys = kind.type === 'map' ? { 'x-kubernetes-list-map-keys': kind.keys } : {};
  return { 'x-kubernetes-list-type': kind.type, ...keys };
}

/** A number or a name, such as a port. */
export function intOrString(description: string): z.ZodUnion<readonly [z.ZodInt, z.ZodString]> {
  const error = 'must be a number, or a name in quotes';
  return z
    .union([z.int(), z.string()], { error })
    .meta({ description, 'x-kubernetes-int-or-string': true });
}

export function textMap(
  description: string,
  charactersMax: number,
): z.ZodRecord<z.ZodString, z.ZodString> {
  return z.record(z.string(), z.string().max(charactersMax)).describe(description);
}

/**
 * An object of a type that Kubernetes defines. All its fields are kept unchanged, also those of later versions of the
 * type.
 */
export function kubernetesObject<T extends object>(description: string): z.ZodType<T> {
  const kept = z
    .looseObject({})
    .meta({ description, 'x-kubernetes-preserve-unknown-fields': true }) as z.ZodType;
  return kept as z.ZodType<T>;
}

export const conditionSchema = z
  .strictObject({
    type: key('Type of the condition.'),
    status: z.enum(['True', 'False', 'Unknown']).describe('Status of the condition.'),
    reason: describedText('Reason in CamelCase, one word.'),
    message: describedText('Human-readable message.'),
    observedGeneration: count(
      'metadata.generation that the condition is based on.',
    ).exactOptional(),
    lastTransitionTime: time('Time of the last change of the status.'),
  })
  .describe('One condition.');

export const conditionsSchema = statusList(conditionSchema, 'Current state of the object.', {
  type: 'map',
  keys: ['type'],
});
