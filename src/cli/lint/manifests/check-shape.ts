/**
 * Checks an object against its type: unknown fields, wrong types, and fields that the oldest supported server lacks.
 * Pure.
 */
import { fieldSince, type TypeNode } from '../../../../packages/local-cluster/src/index.ts';
import type { Json } from '../../../kube/object.ts';
import { type Problem, shownText } from '../../../model/problem.ts';
import { shownPath } from '../../convert/conversion.ts';
import { findingOf, type LintObject } from './lint-object.ts';
import { type TypeFault, typeFaults } from './type-faults.ts';

export interface ShapeFindings {
  readonly problems: readonly Problem[];
  /** True: no value has a wrong type, so that the rules can run. */
  readonly isSound: boolean;
  /**
   * Known fields that were probably meant, such as "spec.selector": their absence follows from a reported misspelling.
   */
  readonly misspelt: readonly string[];
}

export function checkShape(object: LintObject, type: TypeNode, serverMinor: number): ShapeFindings {
  const faults = typeFaults(object.value, type, (typeName, field) => {
    const since = fieldSince(typeName, field);
    return since === undefined || since <= serverMinor ? undefined : since;
  });
  return {
    problems: faults.map((fault) => problemOf(object, fault, serverMinor)),
    misspelt: faults.flatMap((fault) =>
      fault.kind === 'unknown' && fault.meant !== null ? [shownPath(fault.meant)] : [],
    ),
    isSound: faults.every(({ kind }) => kind !== 'type'),
  };
}

function problemOf(object: LintObject, fault: TypeFault, serverMinor: number): Problem {
  const field = shownPath(fault.path);
  switch (fault.kind) {
    case 'unknown':
      return findingOf(object, {
        code: 'LHM001',
        severity: 'error',
        path: fault.path,
        isKey: true,
        message: `there is no field ${field}.`,
        next: fault.next,
      });
    case 'type':
      return findingOf(object, {
        code: 'LHM002',
        severity: 'error',
        path: fault.path,
        message: `${field} must be ${fault.wanted}; received ${describe(fault.received)}.`,
        next: fault.next,
      });
    case 'young':
      return findingOf(object, {
        code: 'LHM007',
        severity: 'error',
        path: fault.path,
        isKey: true,
        message: `Kubernetes 1.${serverMinor} has no field ${field}: 1.${fault.since} is the first that has it.`,
        next: 'Remove it, or raise --server-version.',
      });
    default:
      return fault satisfies never;
  }
}

function describe(value: Json): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return value === null ? 'nothing' : 'a map';
  const shown = shownText(JSON.stringify(value));
  return typeof value === 'string' ? `the text ${shown}` : shown;
}
