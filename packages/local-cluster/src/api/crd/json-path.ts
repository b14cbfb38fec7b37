/**
 * Reads the simple JSON paths of custom kinds (columns, selectable fields).
 *
 * Supported are `.a.b`, `['a.b']`, `.a\.b`, `[0]`, `[-1]`, `[*]` and `[?(@.type=="Ready")]`. A missing field gives no
 * result; reading never fails.
 */
import type { Json } from '../../../../../src/kube/object.ts';
import { isJsonObject, ownField } from '../../objects/patch/json-value.ts';

export type PathStep =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'all' }
  | {
      readonly kind: 'filter';
      readonly steps: readonly PathStep[];
      readonly equal: boolean;
      readonly value: Json;
    };

const MAX_STEPS = 64;

/** Returns undefined if the path is not supported. */
export function parseJsonPath(text: string): readonly PathStep[] | undefined {
  const steps: PathStep[] = [];
  for (let rest = text; rest !== '';) {
    const read = readStep(rest);
    if (read === undefined || steps.length === MAX_STEPS) return undefined;
    if (read.step !== null) steps.push(read.step);
    rest = rest.slice(read.length);
  }
  return steps;
}

/** All values at the path, in the object's order. */
export function findAll(value: Json, steps: readonly PathStep[]): readonly Json[] {
  return steps.reduce<readonly Json[]>(
    (found, step) => found.flatMap((one) => follow(one, step)),
    [value],
  );
}

interface ReadStep {
  /** Null for a single dot, which selects the value itself. */
  readonly step: PathStep | null;
  readonly length: number;
}

const FIELD = /^\.((?:[^.[\]\\]|\\.)+)/;
const BRACKETS = /^\[(-?\d+|\*|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\]/;
const FILTER = /^\[\?\(\s*@([^=!<>()]*?)\s*(==|!=)\s*([^()]*?)\s*\)\]/;

function readStep(rest: string): ReadStep | undefined {
  if (rest === '.' || rest.startsWith('.[')) return { step: null, length: 1 };
  const field = FIELD.exec(rest);
  if (field !== null) {
    const name = unescaped(field[1] ?? '');
    return {
      step: name === '*' ? { kind: 'all' } : { kind: 'field', name },
      length: field[0].length,
    };
  }
  const brackets = BRACKETS.exec(rest);
  if (brackets !== null)
    return { step: bracketStep(brackets[1] ?? ''), length: brackets[0].length };
  return readFilter(rest);
}

function bracketStep(text: string): PathStep {
  if (text === '*') return { kind: 'all' };
  if (/^-?\d/.test(text)) return { kind: 'index', index: Number(text) };
  return { kind: 'field', name: unescaped(text.slice(1, -1)) };
}

function readFilter(rest: string): ReadStep | undefined {
  const filter = FILTER.exec(rest);
  if (filter === null) return undefined;
  const [whole, path = '', operator, literal = ''] = filter;
  const steps = parseJsonPath(path);
  const value = readLiteral(literal);
  if (steps === undefined || value === undefined) return undefined;
  return {
    step: { kind: 'filter', steps, equal: operator === '==', value },
    length: whole.length,
  };
}

function readLiteral(text: string): Json | undefined {
  if (/^'.*'$/.test(text)) return unescaped(text.slice(1, -1));
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, '$1');
}

function follow(value: Json, step: PathStep): readonly Json[] {
  switch (step.kind) {
    case 'field':
      return isJsonObject(value) ? present(ownField(value, step.name)) : [];
    case 'index':
      return Array.isArray(value) ? present(value.at(step.index)) : [];
    case 'all':
      return partsOf(value);
    case 'filter':
      return partsOf(value).filter((part) => {
        const [found] = findAll(part, step.steps);
        return found !== undefined && (found === step.value) === step.equal;
      });
    default:
      return step satisfies never;
  }
}

function present(value: Json | undefined): readonly Json[] {
  return value === undefined ? [] : [value];
}

function partsOf(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [];
}
