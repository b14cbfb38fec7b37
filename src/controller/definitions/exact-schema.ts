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
  readonly [K in keyof T]-?: undefined extends T[K]
    ? z.ZodExactOptional<z.ZodType<NonNullable<T[K]>>>
    : z.ZodType<T[K]>;
};

/** Whether two types have the same fields, of the same types, and the same ones optional. */
export type Same<A, B> = [Plain<A>] extends [Plain<B>]
  ? [Plain<B>] extends [Plain<A>]
    ? true
    : false
  : false;

type Agreeing<S extends z.ZodType, T> = Same<z.output<S>, T> extends true ? S : never;

/** Every field there, with a mark of what it is: else one that may be absent could just as well not exist. */
type Plain<T> = T extends object
  ? {
      [K in keyof T]-?: undefined extends T[K]
        ? ['optional', Plain<NonNullable<T[K]>>]
        : ['required', Plain<T[K]>];
    }
  : T;
