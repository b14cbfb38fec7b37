import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config/config-text.ts';
import { explain, type PatchOperation } from './explain.ts';
import { gatherFacts } from './facts.ts';
import type { HookFile } from './hooksd/hook-file.ts';
import { literalFirst } from './hooksd/literal-first.ts';
import { re2Compiler } from '../../model/re2.ts';
import type { LoadedSet } from './hooksd/resolve.ts';
import { stages, type OciHook, type Stage } from './points.ts';
import { spliceHooks } from './config/splice.ts';

const hookFile = (name: string, more: Partial<HookFile> = {}): HookFile => ({
  name,
  folder: '/hooks',
  schema: '1.0.0',
  hook: { path: `/bin/${name}` },
  when: { combine: 'all', always: true },
  stages: ['createRuntime'],
  positions: {},
  ...more,
});

const setOf = (active: readonly HookFile[]): LoadedSet => ({
  active,
  entries: active.map((file) => ({
    name: file.name,
    folder: file.folder,
    state: 'active',
    file,
    problems: [],
  })),
  problems: [],
  failedFolders: [],
});

const explainConfig = (
  config: Record<string, unknown>,
  active: readonly HookFile[],
): ReturnType<typeof explain> =>
  explain({
    set: setOf(active),
    facts: gatherFacts(config),
    config,
    prestart: 'createRuntime',
    matcherOf: literalFirst(re2Compiler()),
  });

describe('explain', () => {
  it('lists the hooks of config.json first, then those of hook files in the order of file names', () => {
    const config = { hooks: { createRuntime: [{ path: '/bin/theirs' }] } };
    const { order } = explainConfig(config, [hookFile('a.json'), hookFile('b.json')]);
    expect(order).toEqual([
      {
        stage: 'createRuntime',
        hooks: [
          { path: '/bin/theirs', from: 'config.json' },
          { path: '/bin/a.json', from: '/hooks/a.json' },
          { path: '/bin/b.json', from: '/hooks/b.json' },
        ],
      },
    ]);
  });

  it('keeps hooks of extension stages out of the patch', () => {
    const { order, patch } = explainConfig({}, [hookFile('exit.json', { stages: ['postexit'] })]);
    expect(order.map(({ stage }) => stage)).toEqual(['postexit']);
    expect(patch).toEqual([]);
  });

  it('shows the arguments of each hook, and an entry of config.json that is none', () => {
    const existing = [{ path: '/bin/theirs', args: ['a', 1] }, 'no hook', { path: 7 }];
    const config = { hooks: { createRuntime: existing } };
    const hook = { path: '/bin/ours', args: ['ours', '-x'] };
    expect(explainConfig(config, [hookFile('a.json', { hook })]).order).toEqual([
      {
        stage: 'createRuntime',
        hooks: [
          { path: '/bin/theirs', args: ['a', '1'], from: 'config.json' },
          { path: '', from: 'config.json' },
          { path: '', from: 'config.json' },
          { path: '/bin/ours', args: ['ours', '-x'], from: '/hooks/a.json' },
        ],
      },
    ]);
  });

  it('lists the stages in the order of a life, those of extensions last', () => {
    const names = ['postexit', 'poststop', 'precreate', 'prestart', 'createRuntime'] as const;
    const files = names.map((stage) => hookFile(`${stage}.json`, { stages: [stage] }));
    const config = { hooks: { startContainer: [{ path: '/bin/theirs' }], poststart: [] } };
    expect(explainConfig(config, files).order.map(({ stage }) => stage)).toEqual([
      'createRuntime',
      'startContainer',
      'poststop',
      'precreate',
      'postexit',
    ]);
  });

  it.each([
    [
      'without hooks',
      {},
      [{ op: 'add', path: '/hooks', value: { poststop: [{ path: '/bin/a' }] } }],
    ],
    [
      'whose hooks are null',
      { hooks: null },
      [{ op: 'replace', path: '/hooks', value: { poststop: [{ path: '/bin/a' }] } }],
    ],
    [
      'without that stage',
      { hooks: {} },
      [{ op: 'add', path: '/hooks/poststop', value: [{ path: '/bin/a' }] }],
    ],
    [
      'whose stage is null',
      { hooks: { poststop: null } },
      [{ op: 'replace', path: '/hooks/poststop', value: [{ path: '/bin/a' }] }],
    ],
    [
      'that has another hook there',
      { hooks: { poststop: [{ path: '/bin/b' }] } },
      [{ op: 'add', path: '/hooks/poststop/-', value: { path: '/bin/a' } }],
    ],
  ])('gives the patch of a bundle %s (RFC 6902)', (_, config, patch) => {
    const file = hookFile('a.json', { hook: { path: '/bin/a' }, stages: ['poststop'] });
    expect(explainConfig(config, [file]).patch).toEqual(patch);
  });

  it('reports what is wrong with the files, and what is wrong with their stages', () => {
    const twice = hookFile('a.json', { stages: ['poststop', 'poststop'] });
    const { problems, files } = explainConfig({}, [twice]);
    expect(problems.map(({ code }) => code)).toEqual(['LHC122']);
    expect(files.map(({ path }) => path)).toEqual(['/hooks/a.json']);
  });

  it('gives an empty patch for a bundle that already has the hooks', () => {
    const config = { hooks: { createRuntime: [{ path: '/bin/a.json' }] } };
    expect(explainConfig(config, [hookFile('a.json')]).patch).toEqual([]);
  });

  it('gives as its patch exactly the change that injection makes', () => {
    const someHooks = fc.array(
      fc.constantFrom('/bin/a', '/bin/b', '/bin/c').map((path): OciHook => ({ path })),
      { maxLength: 3 },
    );
    const someStage = fc.constantFrom(...stages);
    const existing = fc.option(fc.dictionary(someStage, fc.option(someHooks)));
    const added = fc.array(
      fc.record({ stage: someStage, path: fc.constantFrom('/bin/a', '/bin/d') }),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(existing, added, (hooks, additions) => {
        const config = hooks === null ? { root: {} } : { hooks };
        const files = additions.map(({ stage, path }, index) =>
          hookFile(`${index}.json`, { hook: { path }, stages: [stage] }),
        );
        const { patch } = explainConfig(config, files);
        expect(applyPatch(config, patch)).toEqual(inject(config, files));
      }),
    );
  });
});

function inject(config: object, files: readonly HookFile[]): unknown {
  const additions: Partial<Record<Stage, OciHook[]>> = {};
  for (const {
    hook,
    stages: [stage],
  } of files) {
    const target = stage === 'prestart' ? 'createRuntime' : (stage as Stage);
    (additions[target] ??= []).push(hook);
  }
  const spliced = spliceHooks(JSON.stringify(config), additions);
  if (spliced.kind === 'refused') throw new Error(spliced.problem.message);
  const reading = readConfig(spliced.kind === 'changed' ? spliced.text : JSON.stringify(config));
  return reading.kind === 'read' ? reading.config : undefined;
}

/** Applies a JSON Patch (RFC 6902): only the two operations and the paths that our patches use. */
function applyPatch(config: object, patch: readonly PatchOperation[]): unknown {
  const document = structuredClone(config) as Record<string, Record<string, unknown[]>>;
  for (const { path, value } of patch) {
    const [, , stage, end] = path.split('/');
    if (stage === undefined)
      document['hooks'] = structuredClone(value) as Record<string, unknown[]>;
    else if (end === '-') document['hooks']?.[stage]?.push(value);
    else if (document['hooks'] !== undefined)
      document['hooks'][stage] = structuredClone(value) as unknown[];
  }
  return document;
}
