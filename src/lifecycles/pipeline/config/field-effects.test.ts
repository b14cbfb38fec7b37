/** Every field of the schema table is implemented, is refused with its position, or is reported as having no effect. */
import { describe, expect, it } from 'vitest';

import { LifehookError, type Problem } from '../../../model/problem.ts';
import { effectOf, IDLE, REFUSED, REFUSED_BUILDERS, REFUSED_SOURCES } from './field-effects.ts';
import { fieldsOf, ONE_OF, REQUIRED, ROOT_TYPE, WORDS } from './field-table.ts';
import type { PipelineConfig } from './model.ts';
import { readPipeline, type ReadPipeline } from './read-pipeline.ts';

interface Field {
  readonly type: string;
  readonly name: string;
  readonly part: string;
  /** The path from the top of the document. A 0 is the first item of a list. */
  readonly path: readonly (string | 0)[];
}

const bare = (part: string): string => part.replace(/^(\[\]|\{\})+/, '');
const isDone = (key: string): boolean => effectOf(key).kind === 'done';

/** Each field of each type, at the first place of the type, except for fields below one that is not implemented. */
function allFields(): readonly Field[] {
  const found: Field[] = [];
  const seen = new Set<string>();
  const visit = (type: string, path: Field['path']): void => {
    if (seen.has(type)) return;
    seen.add(type);
    for (const [name, part] of Object.entries(fieldsOf(type) ?? {})) {
      const here = [...path, name];
      found.push({ type, name, part, path: here });
      const key = `${type}.${name}`;
      if (!isDone(key) || (ELSEWHERE.has(key) && bare(part) !== 'ConfigDependency')) continue;
      visit(bare(part), part.startsWith('[]') ? [...here, 0] : here);
    }
  };
  visit(ROOT_TYPE, []);
  return found;
}

/** Fields that are not read by the phases but by other code, which has its own tests. */
const ELSEWHERE = new Set([
  'SkaffoldConfig.apiVersion',
  'SkaffoldConfig.kind',
  'SkaffoldConfig.profiles',
  'SkaffoldConfig.requires',
  'ConfigDependency.activeProfiles',
  'ConfigDependency.configs',
  'ConfigDependency.path',
]);

const fields = allFields();

/** Values for fields that do not accept arbitrary text. Each differs from the default of its field. */
const VALUES: Readonly<Record<string, unknown>> = {
  'ArtifactDependency.alias': 'other',
  'DeployConfig.statusCheck': false,
  'HelmRelease.upgradeOnChange': false,
  'HelmRelease.overrides': { a: 'b' },
  'HelmRelease.setValues': { a: 'b' },
  'HelmRelease.setValueTemplates': { a: 'b' },
  'HostHook.os': ['linux'],
  'LogsConfig.prefix': 'none',
  'PostRenderHostHook.os': ['linux'],
  'PostRenderHostHook.withChange': true,
  'TagPolicy.gitCommit': { prefix: 'v' },
  'VerifyExecutionModeConfig.kubernetesCluster': {},
  'TaggerComponent.gitCommit': { prefix: 'v' },
};

function valueOf(field: Pick<Field, 'type' | 'name' | 'part'>): unknown {
  const key = `${field.type}.${field.name}`;
  const given = VALUES[key] ?? WORDS[key]?.at(-1);
  if (given !== undefined) return given;
  const { part } = field;
  if (part.startsWith('[]')) return [valueOf({ ...field, type: '', part: part.slice(2) })];
  if (part.startsWith('{}')) return { key: valueOf({ ...field, type: '', part: part.slice(2) }) };
  const own = fieldsOf(part);
  if (own !== null) return required(part);
  if (part === 'boolean') return true;
  return part.includes('integer') ? 7 : 'given';
}

/** The smallest valid map of this type. */
function required(type: string): Record<string, unknown> {
  const names = [...(REQUIRED[type] ?? []), ...(MINIMUM[type] ?? [])];
  const parts = fieldsOf(type) ?? {};
  return Object.fromEntries(
    names.map((name) => [name, valueOf({ type: '', name, part: parts[name] ?? 'string' })]),
  );
}

const MINIMUM: Readonly<Record<string, readonly string[]>> = {
  ContainerHook: ['command'],
  DeployHookItem: ['host'],
  HostHook: ['command'],
  NamedContainerHook: ['command', 'podName'],
  PostRenderHookItem: ['host'],
  PostRenderHostHook: ['command'],
  RenderHookItem: ['host'],
  SyncHookItem: ['host'],
  SyncRule: ['src', 'dest'],
};

/** The document with and without a field. */
function documentsOf(field: Field): { readonly without: unknown; readonly with: unknown } {
  const head = {
    apiVersion: 'skaffold/v4beta14',
    kind: 'Config',
    manifests: { rawYaml: ['k8s/*'] },
  };
  return {
    without: { ...head, ...placed(field.path, ROOT_TYPE, ABSENT) },
    with: { ...head, ...placed(field.path, ROOT_TYPE, valueOf(field)) },
  };
}

/** A valid map of this type with the value at the path; of fields that exclude each other, only those in the path. */
function placed(path: Field['path'], type: string, value: unknown): Record<string, unknown> {
  const [step, ...rest] = path;
  const others = new Set(ONE_OF[type] ?? HOOK_KINDS[type] ?? []);
  const base = Object.entries(required(type)).filter(([name]) => !others.has(name));
  if (step === undefined || step === 0) throw new Error('a map is entered by a name');
  const part = bare(fieldsOf(type)?.[step] ?? '');
  const whole = rest.length === 0 ? value : inside(rest, part, value);
  const all = [...base.filter(([name]) => name !== step), [step, whole] as const];
  return Object.fromEntries(all.filter(([, one]) => one !== ABSENT));
}

const inside = (path: Field['path'], type: string, value: unknown): unknown =>
  path[0] === 0 ? [placed(path.slice(1), type, value)] : placed(path, type, value);

const HOOK_KINDS: Readonly<Record<string, readonly string[]>> = {
  DeployHookItem: ['host', 'container'],
  SyncHookItem: ['host', 'container'],
};

const ABSENT = Symbol('absent');

async function read(
  document: unknown,
  ignoreUnsupported = false,
  profiles: readonly string[] = [],
): Promise<ReadPipeline> {
  const text = JSON.stringify(document, null, 1);
  return readPipeline({
    file: '/p/skaffold.yaml',
    profiles,
    env: {},
    command: 'run',
    ignoreUnsupported,
    facts: {
      readText: async (path) => (path === '/p/skaffold.yaml' ? text : null),
      isFolder: async () => false,
      kubeContext: async () => null,
    },
  });
}

async function problemsOf(
  document: unknown,
  ignoreUnsupported = false,
  profiles: readonly string[] = [],
): Promise<readonly Problem[]> {
  try {
    return (await read(document, ignoreUnsupported, profiles)).warnings;
  } catch (error) {
    if (error instanceof LifehookError) return error.problems;
    throw error;
  }
}

/** The part of a configuration that the phases act on: without positions, and without reports on fields. */
function acted({ modules, ownHooks, profiles }: PipelineConfig): unknown {
  const bareModules: unknown = JSON.parse(
    JSON.stringify({ modules, ownHooks, profiles }, (key, value: unknown) =>
      key === 'at' || key === 'kubeContextAt' ? undefined : value,
    ),
  );
  return bareModules;
}

const keyOf = ({ type, name }: Field): string => `${type}.${name}`;
const named = (some: readonly Field[]): [string, Field][] => some.map((one) => [keyOf(one), one]);

/** Whether the field is a map that only contains other fields: then only those need a test. */
function isOnlyHome({ type, name, part }: Field): boolean {
  if (Object.keys(fieldsOf(part) ?? {}).length === 0 || `${type}.${name}` in VALUES) return false;
  return Object.keys(required(part)).length === 0;
}

const refused = fields.filter((one) => effectOf(keyOf(one)).kind === 'refused');
const sources = fields.filter((one) => effectOf(keyOf(one)).kind === 'refusedAlways');
const idle = fields.filter((one) => effectOf(keyOf(one)).kind === 'idle');
const done = fields.filter(
  (one) => isDone(keyOf(one)) && !ELSEWHERE.has(keyOf(one)) && !isOnlyHome(one),
);

describe('the table of effects', () => {
  it('names only fields that there are', () => {
    const known = new Set(fields.map(keyOf));
    const all = [REFUSED, REFUSED_BUILDERS, REFUSED_SOURCES, IDLE].flatMap((one) =>
      Object.keys(one),
    );
    expect(all.filter((key) => !known.has(key))).toEqual([]);
    expect(refused.length + sources.length + idle.length).toBe(all.length);
    expect(done.length).toBeGreaterThan(120);
  });
});

describe('a field that is refused', () => {
  it.each(named(refused))('%s is an error at its place', async (_, field) => {
    const problems = await problemsOf(documentsOf(field).with);
    expect(problems.map(({ code, severity }) => [code, severity])).toEqual([['LHL135', 'error']]);
    const text = JSON.stringify(documentsOf(field).with, null, 1).split('\n');
    const { line = 0, column = 0 } = problems[0]?.at ?? {};
    expect(text[line - 1]?.slice(column - 1)).toMatch(new RegExp(`^"${field.name}"`));
    expect(problems[0]?.next).toContain('--ignore-unsupported');
  });

  it.each(named(refused))(
    '%s is a warning when it is ignored, and deploys nothing else',
    async (_, field) => {
      const { config, warnings } = await read(documentsOf(field).with, true);
      expect(warnings.map(({ code, severity }) => [code, severity])).toEqual([
        ['LHL135', 'warning'],
      ]);
      const [module] = config.modules;
      if (['cloudrun', 'docker', 'kpt'].includes(field.name) && field.type === 'DeployConfig') {
        expect(module?.deploy).toMatchObject({ kubectl: null, helm: null });
      } else if (field.type === 'Artifact') {
        expect(module?.build.artifacts).toEqual([]);
      } else {
        expect(acted(config)).toEqual(acted((await read(documentsOf(field).without)).config));
      }
    },
  );
});

describe('a requirement', () => {
  async function refusedAt(name: string, isIgnored: boolean): Promise<string[]> {
    const part = fieldsOf('ConfigDependency')?.[name] ?? '';
    const path = ['requires', 0, name] as const;
    const given = documentsOf({ type: 'ConfigDependency', name, part, path }).with;
    const text = JSON.stringify(given, null, 1).split('\n');
    return (await problemsOf(given, isIgnored))
      .filter(({ code, severity }) => code === 'LHL134' && severity === 'error')
      .map(({ at: { line = 0, column = 0 } = {} }) => text[line - 1]?.slice(column - 1) ?? '');
  }

  it.each([false, true])(
    'is refused at its place for each source of the table, and for no other field; ignored: %s',
    async (isIgnored) => {
      for (const name of Object.keys(fieldsOf('ConfigDependency') ?? {})) {
        const isSource = effectOf(`ConfigDependency.${name}`).kind === 'refusedAlways';
        const expected = isSource ? [expect.stringMatching(`^"${name}"`)] : [];
        expect(await refusedAt(name, isIgnored), name).toEqual(expected);
      }
    },
  );
});

describe('a field of a profile', () => {
  it('has the effect of the field that it is put over', async () => {
    const document = {
      apiVersion: 'skaffold/v4beta14',
      kind: 'Config',
      profiles: [{ name: 'p', customActions: [{ name: 'a', containers: [] }] }],
    };
    expect(effectOf('Profile.customActions')).toEqual(effectOf('SkaffoldConfig.customActions'));
    const [warning] = await problemsOf(document, false, ['p']);
    expect(warning).toMatchObject({ code: 'LHL109' });
    expect(effectOf('Profile.build')).toEqual({ kind: 'done' });
  });
});

describe('a field without effect', () => {
  it.each(named(idle))(
    '%s is named in a warning, and changes nothing that is done',
    async (_, field) => {
      const { without, with: given } = documentsOf(field);
      const { config, warnings } = await read(given);
      expect(warnings.map(({ code }) => code)).toEqual(['LHL109']);
      expect(warnings[0]?.message).toContain(IDLE[keyOf(field)]);
      expect(acted(config)).toEqual(acted((await read(without)).config));
    },
  );
});

describe('a field that is done', () => {
  it.each(named(done))('%s reaches the phases, without a warning', async (_, field) => {
    const { without, with: given } = documentsOf(field);
    const { config, warnings } = await read(given);
    expect(warnings).toEqual([]);
    const before = await read(without).catch((error: unknown) => error);
    // A required field can't be left out: the refusal of a document without it shows that it is read.
    if (before instanceof LifehookError) return;
    expect(acted(config)).not.toEqual(acted((before as ReadPipeline).config));
  });
});
