/**
 * Reads one item of a hook list, in each supported form: `host:` and `container:` as in skaffold, the flat forms of
 * Skaffold's design (`command`, `containerCommand`, `podPrefix`), dashed spellings (PIPE-C1). An invalid item is
 * reported with its position and the reason. Pure.
 */
import type { Located, LocatedList, LocatedMap } from '../../../model/located-tree.ts';
import type { Problem } from '../../../model/problem.ts';
import type { ContainerAction, Goos, HostAction } from '../hooks/model.ts';
import { nameGlob } from '../hooks/glob.ts';
import { GOOS } from '../hooks/model.ts';
import { describe, didYouMean, errorOf, warningOf } from './config-problem.ts';
import { resolveFrom } from './paths.ts';
import { listAt, partAt, renamed, textAt } from './tree-edit.ts';

/** The place of the list, which decides what items are allowed. */
export type HookPlace = 'build' | 'sync' | 'deploy' | 'render' | 'postRender' | 'cloudrun' | 'own';

export interface HookItem {
  readonly action: HostAction | ContainerAction | null;
  readonly problems: readonly Problem[];
}

interface Form {
  readonly kind: 'host' | 'container';
  readonly map: LocatedMap;
  /** The name of the field with the argv. */
  readonly command: string;
}

const NO_CONTAINER: Readonly<Partial<Record<HookPlace, string>>> = {
  build: 'no container runs an image that is about to be built',
  render: 'rendering starts no container',
  postRender: 'rendering starts no container',
  cloudrun: 'Lifehook cannot reach the containers of that service',
};

const DASHED = {
  'container-command': 'containerCommand',
  'container-name': 'containerName',
  'pod-name': 'podName',
  'pod-prefix': 'podPrefix',
  'with-change': 'withChange',
} as const;

const HOST_FIELDS = ['command', 'os', 'dir'];
const CONTAINER_FIELDS = ['podName', 'podPrefix', 'containerName'];

/** Reads one item of a list of hooks. `folder`: the directory of the module, to which a relative `dir` is relative. */
export function readHookItem(
  item: Located,
  { place, folder }: { place: HookPlace; folder: string },
): HookItem {
  if (item.kind !== 'map')
    return refused(item, `A hook must be a map; received ${describe(item)}.`);
  const { map, problems } = spelled(item);
  const form = formOf(map);
  if ('problem' in form) return { action: null, problems: [...problems, form.problem] };
  const all = [
    ...problems,
    ...unknownFields(form, place),
    ...(form.kind === 'host' ? hostProblems(form, place) : containerProblems(form, place)),
    ...commandProblems(form),
  ];
  if (all.some(({ severity }) => severity === 'error')) return { action: null, problems: all };
  const action = form.kind === 'host' ? hostAction(form, folder) : containerAction(form);
  return { action, problems: all };
}

function refused(part: Located, message: string): HookItem {
  const next =
    'Write `host: {command: [...]}` or, where containers run, `container: {command: [...]}`.';
  return { action: null, problems: [errorOf('LHL110', { at: part.at, message, next })] };
}

/** Normalises dashed spellings in the item and its parts. */
function spelled(item: LocatedMap): { map: LocatedMap; problems: readonly Problem[] } {
  const problems: Problem[] = [];
  let map = item;
  for (const [dashed, name] of Object.entries(DASHED)) {
    const field = map.fields.get(dashed);
    if (field === undefined) continue;
    const message = `"${dashed}" is read as "${name}".`;
    problems.push(warningOf('LHL111', { at: field.keyAt, message, next: `Write "${name}".` }));
    map = renamed(map, dashed, name);
  }
  return { map, problems };
}

function formOf(map: LocatedMap): Form | { readonly problem: Problem } {
  const kinds = ['host', 'container', 'containerCommand', 'command'].filter((name) =>
    map.fields.has(name),
  );
  const [kind, second] = kinds;
  if (kind === undefined) {
    const message = `A hook needs a command; received ${describe(map)}.`;
    const next = 'Add `host: {command: [...]}`, or remove the item.';
    return { problem: errorOf('LHL110', { at: map.at, message, next }) };
  }
  if (second !== undefined) {
    const at = map.fields.get(second)?.keyAt ?? map.at;
    const message = `A hook may have only one of host and container; received both "${kind}" and "${second}".`;
    return { problem: errorOf('LHL112', { at, message, next: 'Write two items, one for each.' }) };
  }
  if (kind === 'command') return { kind: 'host', map, command: 'command' };
  if (kind === 'containerCommand') return { kind: 'container', map, command: 'containerCommand' };
  return nestedForm(map, kind === 'host' ? 'host' : 'container');
}

function nestedForm(
  map: LocatedMap,
  kind: 'host' | 'container',
): Form | { readonly problem: Problem } {
  const inner = map.fields.get(kind)?.value ?? map;
  const extra = [...map.fields].find(([name]) => name !== kind);
  const next = `Write \`${kind}: {command: [...]}\`.`;
  if (inner.kind !== 'map') {
    const message = `"${kind}" must be a map with a command; received ${describe(inner)}.`;
    return { problem: errorOf('LHL110', { at: inner.at, message, next }) };
  }
  if (extra === undefined) return { kind, map: inner, command: 'command' };
  const message = `"${extra[0]}" is next to "${kind}", but belongs under it.`;
  return { problem: errorOf('LHL110', { at: extra[1].keyAt, message, next }) };
}

function unknownFields({ kind, map, command }: Form, place: HookPlace): readonly Problem[] {
  const known =
    kind === 'host'
      ? [...HOST_FIELDS, ...(place === 'postRender' ? ['withChange'] : [])]
      : [command, ...CONTAINER_FIELDS, ...(command === 'containerCommand' ? ['os'] : [])];
  return [...map.fields]
    .filter(([name]) => !known.includes(name))
    .map(([name, { keyAt }]) => {
      const message = `"${name}" is no field of a ${kind} hook here.`;
      return errorOf('LHL103', { at: keyAt, message, next: hintOf(name, known) });
    });
}

/** Fields that users expect in a hook of skaffold.yaml, but that belong in lifehook.yaml. */
const OF_LIFEHOOK = 'name timeout timeoutSeconds retries onFailure run paths env lock when'.split(
  ' ',
);

function hintOf(name: string, known: readonly string[]): string {
  if (name === 'withChange') return 'It belongs to the host hooks of manifests.hooks.after.';
  if (name === 'os') return 'It belongs to host hooks: remove it.';
  if (OF_LIFEHOOK.includes(name)) return `It belongs under the hook's address in lifehook.yaml.`;
  return didYouMean(name, known);
}

function commandProblems({ map, command, kind }: Form): readonly Problem[] {
  const part = partAt(map, command);
  const at = part?.at ?? map.at;
  const code = 'LHL113';
  const list = `\`${command}: ["program", "argument"]\``;
  if (part === undefined || isNothing(part)) {
    const message = `A ${kind} hook needs a command; received none.`;
    return [errorOf(code, { at, message, next: `Add ${list}.` })];
  }
  if (part.kind === 'scalar') {
    const message = `A command must be a list, its program and arguments; received ${describe(part)}.`;
    const text = JSON.stringify(part.text);
    return [
      errorOf(code, { at, message, next: `Write \`["sh", "-c", ${text}]\` for a shell command.` }),
    ];
  }
  if (part.kind === 'map') {
    const message = `A command must be a list of strings; received ${describe(part)}.`;
    return [errorOf(code, { at, message, next: `Write ${list}.` })];
  }
  return argumentProblems(part);
}

function argumentProblems({ at, items }: LocatedList): readonly Problem[] {
  const code = 'LHL113';
  const wrong = items.find((one) => !isText(one));
  if (wrong !== undefined) {
    const message = `A command must be a list of strings; received ${describe(wrong)} in it.`;
    return [errorOf(code, { at: wrong.at, message, next: 'Write it in quotes.' })];
  }
  if (items.length === 0) {
    const message = 'A command needs a program; received an empty list.';
    return [errorOf(code, { at, message, next: 'Add the program, or remove the hook.' })];
  }
  if (textAt(items[0]) !== '') return [];
  const message = 'The program of a command must not be empty; received "".';
  return [errorOf(code, { at, message, next: 'Write the program first.' })];
}

const isNothing = (part: Located): boolean => part.kind === 'scalar' && part.value === null;
const isText = (part: Located): boolean => part.kind === 'scalar' && part.value !== null;

const LIST_OF_SYSTEMS = 'Write `os: [linux, darwin]`.';

function hostProblems({ map }: Form, place: HookPlace): readonly Problem[] {
  const os = partAt(map, 'os');
  const problems: Problem[] = [];
  if (os !== undefined && os.kind !== 'list' && !isNothing(os)) {
    const message = `"os" is a list of systems; received ${describe(os)}.`;
    problems.push(errorOf('LHL114', { at: os.at, message, next: LIST_OF_SYSTEMS }));
  }
  for (const one of listAt(map, 'os')) {
    const name = textAt(one);
    if (name !== undefined && (GOOS as readonly string[]).includes(name)) continue;
    const message = `Each item of "os" must be one of ${GOOS.join(', ')}; received ${describe(one)}.`;
    const next = name === undefined ? LIST_OF_SYSTEMS : didYouMean(name, GOOS);
    problems.push(errorOf('LHL114', { at: one.at, message, next }));
  }
  return [...problems, ...dirProblems(map), ...changeProblems(map, place)];
}

function dirProblems(map: LocatedMap): readonly Problem[] {
  const dir = partAt(map, 'dir');
  if (dir === undefined || dir.kind === 'scalar') return [];
  const message = `"dir" is a directory; received ${describe(dir)}.`;
  return [errorOf('LHL114', { at: dir.at, message, next: 'Write one path.' })];
}

function changeProblems(map: LocatedMap, place: HookPlace): readonly Problem[] {
  const change = partAt(map, 'withChange');
  if (place !== 'postRender' || change === undefined) return [];
  if (change.kind === 'scalar' && typeof change.value === 'boolean') return [];
  const message = `"withChange" is true or false; received ${describe(change)}.`;
  return [errorOf('LHL114', { at: change.at, message, next: 'Write true or false.' })];
}

function containerProblems({ map, command }: Form, place: HookPlace): readonly Problem[] {
  const reason = NO_CONTAINER[place];
  if (reason !== undefined) {
    const message = `A container hook is not possible here: ${reason}.`;
    const next = 'Make it a host hook, or move it to the hooks of sync or deploy.';
    return [errorOf('LHL115', { at: map.at, message, next })];
  }
  const problems = ['podName', 'containerName', 'podPrefix'].flatMap((name) =>
    nameProblems(map, name),
  );
  const named = map.fields.has('podName') || map.fields.has('podPrefix');
  if (place === 'sync' || named) return problems;
  const message = 'A container hook of a deployment needs the name of its pods; received none.';
  const next = command === 'command' ? 'Add `podName: "web-*"`.' : 'Add `podPrefix: web-`.';
  return [...problems, errorOf('LHL117', { at: map.at, message, next })];
}

function nameProblems(map: LocatedMap, name: string): readonly Problem[] {
  const part = partAt(map, name);
  if (part === undefined || (name === 'containerName' && textAt(part) === '')) return [];
  const bad = isText(part) ? globOf(name, textAt(part) ?? '') : `it is ${describe(part)}`;
  if (bad === null) return [];
  const message = `"${name}" cannot match any name: ${bad}.`;
  return [errorOf('LHL116', { at: part.at, message, next: `Correct "${name}".` })];
}

function globOf(name: string, text: string): string | null {
  if (text === '') return 'it is empty';
  if (name === 'podPrefix') return null;
  const glob = nameGlob(text);
  return glob.kind === 'wrong' ? glob.reason : null;
}

function hostAction({ map, command }: Form, folder: string): HostAction {
  const os = listAt(map, 'os').map((one) => textAt(one) as Goos);
  const dir = textAt(map, 'dir');
  return {
    kind: 'host',
    command: argv(map, command),
    ...(os.length > 0 && { os }),
    ...(dir !== undefined && dir !== '' && { dir: resolveFrom(folder, dir) }),
    ...(textAt(map, 'withChange') === 'true' && { withChange: true }),
  };
}

function containerAction({ map, command }: Form): ContainerAction {
  const [podName, containerName, podPrefix] = ['podName', 'containerName', 'podPrefix'].map(
    (name) => textAt(map, name),
  );
  return {
    kind: 'container',
    command: argv(map, command),
    ...(podName !== undefined && { podName }),
    // An empty name counts as no name, as in skaffold: the hook runs in every container of the pod.
    ...(containerName !== undefined && containerName !== '' && { containerName }),
    ...(podPrefix !== undefined && { podPrefix }),
  };
}

function argv(map: LocatedMap, command: string): readonly string[] {
  return listAt(map, command).map((one) => textAt(one) ?? '');
}
