/**
 * Schemas that agree with the interfaces of `kinds.ts`, which stay the contract: a field too many, one
 * too few, or one of another type does not compile.
 */
import type * as z from 'zod';

/** `exact<Interface>()(schema)` is the schema, typed as the interface's. */
export function exact<T>(): <S extends z.ZodType>(schema: Agreeing<S, T>) => z.ZodType<T> {
  return (schema) => schema as z.ZodType as z.ZodType<T>;
}

/** The fields of an interface as schemas of theirs, for objects that take them in. */
export type FieldsOf<T> = {
  readonly [K in keyof T]-?: Record<never, never> extends Pick<T, K>
    ? z.ZodExactOptional<z.ZodType<NonNullable<T[K]>>>
    : z.ZodType<T[K]>;
};

/** Whether two types are one and the same, readonly or not. */
export type Same<A, B> =
  (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false;

type Agreeing<S extends z.ZodType, T> = Same<z.output<S>, T> extends true ? S : never;

/** One form for types that are written differently: intersections, extensions, picks. */
type Plain<T> = T extends object ? { -readonly [K in keyof T]: Plain<T[K]> } : T;
