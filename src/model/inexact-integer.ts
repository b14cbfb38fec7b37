/**
 * Finds an integer in a YAML document that has another value once it is read and written. Pure.
 *
 * Kubernetes keeps integers of 64 bits. A number here has 53 bits, so a larger one would be written with another value.
 */
import { type Document, isPair, isScalar, type Scalar, visit } from 'yaml';

import type { Position, Problem } from './problem.ts';

/** A decimal integer that may have more than 53 bits. */
const LONG_INTEGER = /^[-+]?[1-9]\d{15,18}$/u;

/** null: there is none. */
export function inexactInteger(
  document: Document.Parsed,
  at: (offset: number) => Position,
): Problem | null {
  let found: Problem | null = null;
  visit(document, {
    Scalar: (_, node, path) => {
      if (isExact(node) || isFloat(document, path.at(-1))) return undefined;
      found = inexact(at(node.range?.[0] ?? 0), node.source ?? '');
      return visit.BREAK;
    },
  });
  return found;
}

function isExact({ value, source = '' }: Scalar): boolean {
  if (typeof value !== 'number' || !LONG_INTEGER.test(source)) return true;
  const digits = BigInt(source);
  // Kubernetes, too, rounds an integer of more than 64 bits.
  return String(value) === `${digits}` || BigInt.asIntN(64, digits) !== digits;
}

/** Fields of a CustomResourceDefinition that Kubernetes reads as floating-point numbers. */
const FLOATS: readonly unknown[] = ['maximum', 'minimum', 'multipleOf'];

function isFloat(document: Document.Parsed, parent: unknown): boolean {
  if (document.get('kind') !== 'CustomResourceDefinition') return false;
  return isPair(parent) && isScalar(parent.key) && FLOATS.includes(parent.key.value);
}

function inexact(at: Position, digits: string): Problem {
  return {
    code: 'LHM033',
    severity: 'error',
    at,
    message: `Lifehook reads integers of at most 53 bits: ${digits} would become ${Number(digits)}.`,
    next: `Write an integer from -${Number.MAX_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}, or apply this object with kubectl.`,
  };
}
