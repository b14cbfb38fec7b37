/** Checks the variables of a hook (ROLL-DH8). */
import type { EnvFromSource, EnvVar } from 'kubernetes-types/core/v1.js';

import { checkObjectName, checkOnce } from '../../../controller/definitions/check-names.ts';
import {
  type FieldProblem,
  forbidden,
  invalid,
  required,
} from '../../../controller/definitions/field-problem.ts';

/** Prefix of Lifehook's own variables, such as LIFEHOOK_STAGE. */
const RESERVED_PREFIX = 'LIFEHOOK_';
/** The syntax that every server accepts. Newer servers accept more names. */
const NAME = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;

export function checkEnv(field: string, env: readonly EnvVar[]): FieldProblem[] {
  const names = env.map(({ name }) => name);
  return [
    ...env.flatMap((variable, index) => checkVariable(`${field}[${index}]`, variable)),
    ...checkOnce(names, (index) => `${field}[${index}].name`),
  ];
}

function checkVariable(field: string, { name, value, valueFrom }: EnvVar): FieldProblem[] {
  return [
    ...checkVariableName(`${field}.name`, name),
    ...(value?.includes('\0') === true
      ? [invalid(`${field}.value`, value, 'must have no NUL character')]
      : []),
    ...(valueFrom === undefined ? [] : checkOneSource(`${field}.valueFrom`, valueFrom)),
    // A server treats an empty value next to a source as absent.
    ...(valueFrom !== undefined && value !== undefined && value !== ''
      ? [forbidden(`${field}.value`, 'valueFrom sets the value: remove one of the two')]
      : []),
  ];
}

function checkVariableName(field: string, name: string): FieldProblem[] {
  if (name.startsWith(RESERVED_PREFIX)) {
    const detail = `names that begin with ${RESERVED_PREFIX} are reserved for the variables of the rollout: choose another`;
    return [forbidden(field, detail)];
  }
  const good = NAME.test(name) && name !== '.' && !name.startsWith('..');
  const detail =
    'must have only letters, digits, "_", "-" and ".", and must not begin with a digit or with ".."';
  return good ? [] : [invalid(field, name, detail)];
}

/** Requires exactly one source. The server checks which sources are valid. */
function checkOneSource(field: string, source: object): FieldProblem[] {
  const given = Object.keys(source);
  if (given.length === 0) {
    const detail =
      'name the source of the value: secretKeyRef, configMapKeyRef, fieldRef or another';
    return [required(field, detail)];
  }
  if (given.length === 1) return [];
  return [
    invalid(field, given.join(', '), 'must be exactly one source: keep one, and remove the others'),
  ];
}

export function checkEnvFrom(field: string, sources: readonly EnvFromSource[]): FieldProblem[] {
  return sources.flatMap(({ prefix, ...source }, index) => {
    const at = `${field}[${index}]`;
    const { configMapRef, secretRef } = source;
    const reserved = prefix?.startsWith(RESERVED_PREFIX) === true;
    return [
      ...(Object.keys(source).length === 0
        ? [required(at, 'name a configMapRef or a secretRef')]
        : checkOneSource(at, source)),
      ...(configMapRef === undefined
        ? []
        : checkObjectName(`${at}.configMapRef.name`, configMapRef.name ?? '', 'the ConfigMap')),
      ...(secretRef === undefined
        ? []
        : checkObjectName(`${at}.secretRef.name`, secretRef.name ?? '', 'the Secret')),
      ...(reserved ? checkVariableName(`${at}.prefix`, prefix) : []),
    ];
  });
}
