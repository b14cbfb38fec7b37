/**
 * Checks a document against the table of fields, and reports all problems at once, each with its position. hook-item.ts
 * checks the hooks. Pure.
 */
import type { Located, LocatedList, LocatedMap } from '../../../model/located-tree.ts';
import type { Problem } from '../../../model/problem.ts';
import { describe, didYouMean, errorOf } from './config-problem.ts';
import { BELONGS, fieldsOf, ONE_OF, REQUIRED, ROOT_TYPE, WORDS } from './field-table.ts';
import { type HookPlace, readHookItem } from './hook-item.ts';
import { textAt } from './tree-edit.ts';

interface Spot {
  readonly type: string;
  /** The field in its type, such as "DeployConfig.kubectl": determines the allowed values. */
  readonly field: string;
  /** The enclosing type, which decides what hooks are allowed. */
  readonly around: string;
  /** The path for messages, such as "deploy.kubectl". */
  readonly path: string;
}

const HOOKS: Readonly<Record<string, HookPlace>> = {
  'BuildHooks.HostHook': 'build',
  'CloudRunDeployHooks.HostHook': 'cloudrun',
  'SyncHooks.SyncHookItem': 'sync',
  'DeployHooks.DeployHookItem': 'deploy',
  'RenderHooks.RenderHookItem': 'render',
  'RenderHooks.PostRenderHookItem': 'postRender',
};

export function checkTree(tree: LocatedMap): readonly Problem[] {
  return check(tree, { type: ROOT_TYPE, field: ROOT_TYPE, around: '', path: '' });
}

function check(part: Located, spot: Spot): readonly Problem[] {
  const { type } = spot;
  if (type === 'any') return [];
  if (part.kind === 'scalar' && part.value === null) return nothing(part, spot);
  const place = HOOKS[`${spot.around}.${type}`];
  if (place !== undefined) return readHookItem(part, { place, folder: '/' }).problems;
  if (type.startsWith('[]')) return checkList(part, spot);
  if (type.startsWith('{}')) return checkEntries(part, spot);
  const fields = fieldsOf(type);
  if (fields === null) return checkScalar(part, spot);
  if (part.kind !== 'map') return [mismatch(part, spot, 'a map')];
  return [
    ...missing(part, spot),
    ...several(part, spot),
    ...[...part.fields].flatMap(([name, field]) => {
      const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (known === undefined)
        return [unknown(name, field.keyAt, { ...spot, known: Object.keys(fields) })];
      const path = spot.path === '' ? name : `${spot.path}.${name}`;
      return check(field.value, { type: known, field: `${type}.${name}`, around: type, path });
    }),
  ];
}

/** An empty list item is a mistake; an empty field counts as absent. */
function nothing(part: Located, { path, type, around }: Spot): readonly Problem[] {
  if (!path.endsWith(']') || type === 'string') return [];
  const message = `${path} is empty (an item of ${around}).`;
  return [errorOf('LHL104', { at: part.at, message, next: 'Write the item, or remove its dash.' })];
}

function checkList(part: Located, spot: Spot): readonly Problem[] {
  if (part.kind !== 'list') return [mismatch(part, spot, 'a list')];
  const type = spot.type.slice(2);
  const items = part.items.flatMap((item, index) =>
    check(item, { ...spot, type, path: `${spot.path}[${index}]` }),
  );
  return [...(type === 'SyncRule' ? syncRuleProblems(part) : []), ...items, ...twice(part, type)];
}

function checkEntries(part: Located, spot: Spot): readonly Problem[] {
  if (part.kind !== 'map') return [mismatch(part, spot, 'a map')];
  const type = spot.type.slice(2);
  return [...part.fields].flatMap(([name, { value }]) =>
    check(value, { ...spot, type, path: `${spot.path}.${name}` }),
  );
}

function checkScalar(part: Located, spot: Spot): readonly Problem[] {
  const { type } = spot;
  const value = part.kind === 'scalar' ? part.value : undefined;
  if (!fits(value, type)) return [mismatch(part, spot, REQUIRED_WORDS[type] ?? 'a string')];
  const words = WORDS[spot.field];
  const text = part.kind === 'scalar' ? part.text : '';
  if (words === undefined || text === '' || words.includes(text)) return [];
  const message = `${spot.path} must be one of ${words.join(', ')}; received ${describe(part)}.`;
  return [errorOf('LHL104', { at: part.at, message, next: didYouMean(text, words) })];
}

function fits(value: unknown, type: string): boolean {
  if (type === 'string|integer') return typeof value === 'string' || Number.isInteger(value);
  if (type === 'integer') return Number.isSafeInteger(value);
  return type === 'boolean' ? typeof value === 'boolean' : value !== undefined;
}

const REQUIRED_WORDS: Readonly<Record<string, string>> = {
  'string|integer': 'a number or a name',
  integer: 'a whole number',
  boolean: 'true or false',
};

function mismatch(part: Located, { path }: Spot, required: string): Problem {
  const subject = path === '' ? 'the document' : path;
  const message = `${subject} must be ${required}; received ${describe(part)}.`;
  return errorOf('LHL104', { at: part.at, message, next: `Correct ${subject}.` });
}

function unknown(
  name: string,
  at: Problem['at'] & object,
  { type, path, known }: Spot & { known: readonly string[] },
): Problem {
  const pipelineType = type === 'Profile' ? 'SkaffoldConfig' : type;
  const belongs = BELONGS[`${pipelineType}.${name}`];
  const where = path === '' ? 'at the top of the file' : `under ${path}`;
  const message = `"${name}" is not known ${where}.`;
  const next = belongs === undefined ? didYouMean(name, known) : `It belongs under ${belongs}.`;
  return errorOf('LHL103', { at, message, next });
}

function missing(map: LocatedMap, { type, path }: Spot): readonly Problem[] {
  return (REQUIRED[type] ?? [])
    .filter((name) => {
      const value = map.fields.get(name)?.value;
      return (
        value === undefined ||
        (value.kind === 'scalar' && (value.value === null || value.text === ''))
      );
    })
    .map((name) => {
      const message = `${path} needs "${name}"; received none.`;
      return errorOf('LHL105', { at: map.at, message, next: `Add "${name}".` });
    });
}

function several(map: LocatedMap, { type, path }: Spot): readonly Problem[] {
  const present = (ONE_OF[type] ?? []).filter((name) => map.fields.has(name));
  const [first, second] = present;
  if (first === undefined || second === undefined) return [];
  const at = map.fields.get(second)?.keyAt ?? map.at;
  const message = `${path} may have only one of ${present.join(', ')}; received ${present.length} of them.`;
  return [errorOf('LHL106', { at, message, next: 'Keep one of them.' })];
}

/** Two profiles with one name are ambiguous. */
function twice(list: LocatedList, type: string): readonly Problem[] {
  if (type !== 'Profile') return [];
  const seen = new Set<string>();
  return list.items.flatMap((item) => {
    const name = item.kind === 'map' ? item.fields.get('name')?.value : undefined;
    if (name?.kind !== 'scalar' || name.text === '') return [];
    const again = seen.has(name.text);
    seen.add(name.text);
    const message = `The profile "${name.text}" exists twice.`;
    return again ? [errorOf('LHL107', { at: name.at, message, next: 'Rename one of them.' })] : [];
  });
}

/** Checks the rules of a manual sync. A frequent error is one rule that is split into two items (PIPE-C3). */
function syncRuleProblems({ items }: LocatedList): readonly Problem[] {
  return items.flatMap((rule, index) => {
    if (rule.kind !== 'map') return [];
    const [src, dest] = [textAt(rule, 'src'), textAt(rule, 'dest')];
    if (src === undefined && dest === undefined) {
      return [wrong(rule, 'A sync rule needs src and dest; received neither.', 'Add both.')];
    }
    if (src === undefined) {
      // This dest belongs to the previous item, for which the error is reported.
      if (lacksDest(items[index - 1])) return [];
      return [wrong(rule, 'A sync rule needs src; received a dest alone.', 'Add `src: "src/**"`.')];
    }
    if (dest !== undefined) return [];
    const follows =
      textAt(items[index + 1], 'dest') !== undefined &&
      textAt(items[index + 1], 'src') === undefined;
    const next = follows
      ? 'Did you mean one item? Remove the dash before "dest".'
      : 'Add `dest: .` for the container’s working directory.';
    return [wrong(rule, 'A sync rule without dest copies nothing.', next)];
  });
}

function lacksDest(rule: Located | undefined): boolean {
  return textAt(rule, 'src') !== undefined && textAt(rule, 'dest') === undefined;
}

function wrong({ at }: Located, message: string, next: string): Problem {
  return errorOf('LHL118', { at, message, next });
}
