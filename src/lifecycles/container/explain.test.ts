import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config/config-text.ts';
import { explain, type PatchOperation } from './explain.ts';
import { gatherFacts } from './facts.ts';
import type { HookFile } from './hooksd/hook-file.ts';
import { literalFirst } from './hooksd/literal-first.ts';
import { re2Compiler } from './hooksd/re2.ts';
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

/** As RFC 6902 for the two operations and the paths that a patch of ours has. */
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
