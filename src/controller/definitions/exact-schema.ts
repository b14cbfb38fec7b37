/**
 * Makes schemas agree with the interfaces of `kinds.ts`, which are the contract: an extra field, a missing field, or a
 * field of another type does not compile.
 */
import type * as z from 'zod';

/** `exact<Interface>()(schema)` is the schema, with the type of the interface. */
export function exact<T>(): <S extends z.ZodType>(schema: Agreeing<S, T>) => z.ZodType<T> {
  return (schema) => schema as z.ZodType as z.ZodType<T>;
}

/** A schema for each field of an interface, to be spread into object schemas. */
export type FieldsOf<T> = {
  readonly [K in keyof T]-?: undefined extends T[K]
    ? z.ZodExactOptional<z.ZodType<NonNullable<T[K]>>>
    : z.ZodType<T[K]>;
};

/** Whether two types have the same fields, with the same types and the same optional ones. */
export type Same<A, B> = [Plain<A>] extends [Plain<B>]
  ? [Plain<B>] extends [Plain<A>]
    ? true
    : false
  : false;

type Agreeing<S extends z.ZodType, T> = Same<z.output<S>, T> extends true ? S : never;

/** Every field as required, tagged with whether it was optional: otherwise a missing optional field would match. */
type Plain<T> = T extends object
  ? {
      [K in keyof T]-?: undefined extends T[K]
        ? ['optional', Plain<NonNullable<T[K]>>]
        : ['required', Plain<T[K]>];
    }
  : T;
