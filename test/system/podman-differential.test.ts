/**
 * Compares hook selection with Debian's podman 4.3.1, for generated directories, annotations, commands and bind mounts.
 * Podman writes config.json, and our choice must have the same hooks in the same order. This version's
 * containers/common does not yet map prestart to createRuntime, so our mode that keeps prestart is used. Podman itself
 * runs poststop hooks, so those are compared by what has run.
 */
import { chmod, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { ContainerFacts } from '../../src/lifecycles/container/hooksd/hook-file.ts';
import { literalFirst } from '../../src/lifecycles/container/hooksd/literal-first.ts';
import { loadHooks, refusalsOf } from '../../src/lifecycles/container/hooksd/load.ts';
import { re2Compiler } from '../../src/model/re2.ts';
import type { LoadedSet } from '../../src/lifecycles/container/hooksd/resolve.ts';
import { selectHooks, type Selection } from '../../src/lifecycles/container/hooksd/select.ts';
import { nodeFiles } from '../../src/platform/files.ts';
import { openPodmanBench, type PodmanBench } from './podman-bench.ts';
import { scenarios, type Scenario } from './podman-scenarios.ts';

const CONTAINERS = 40;
const FILES_AT_LEAST = 500;

interface OciConfig {
  readonly hooks?: Record<string, object[]>;
  readonly annotations: Record<string, string>;
  readonly process: { readonly args: string[] };
}

const compile = re2Compiler();
let bench: PodmanBench;
let programs: string;
let ranLog: string;

beforeAll(async () => {
  bench = await openPodmanBench();
  programs = join(bench.folder, 'programs');
  ranLog = join(bench.folder, 'ran');
  await mkdir(programs);
  await mkdir(join(bench.folder, 'volume'));
  // The script logs its own name when its state is "stopped". Each hook file names a link of its own to this script.
  const script = `#!/bin/sh\nread -r state\ncase $state in *'"status":"stopped"'*) echo "$0" >> ${ranLog} ;; esac\n`;
  await writeFile(join(programs, 'note'), script);
  await chmod(join(programs, 'note'), 0o755);
});

afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

function load(folders: readonly string[]): Promise<LoadedSet> {
  return loadHooks({ files: nodeFiles, compile, folders, owners: [0], allowUntrusted: false });
}

function select(set: LoadedSet, facts: ContainerFacts): Selection {
  return selectHooks(set.active, facts, { matcherOf: literalFirst(compile), prestart: 'keep' });
}

function factsOf(
  { annotations, process: { args } }: OciConfig,
  hasBindMounts: boolean,
): ContainerFacts {
  return { annotations, args, hasBindMounts };
}

/** Leaves out empty lists, as "omitempty" does in podman. The caller applies it to each hook, too. */
function compact(value: object): object {
  const given = Object.entries(value).filter(([, part]) => !Array.isArray(part) || part.length > 0);
  return Object.fromEntries(given);
}

function injected({ stages }: Selection): object {
  const { poststop: _runByPodman, ...inConfig } = stages;
  const lists = Object.entries(inConfig).map(([stage, hooks]) => [
    stage,
    hooks.map(({ hook }) => compact(hook)),
  ]);
  return compact(Object.fromEntries(lists) as object);
}

async function writeFolders(base: string, { folders }: Scenario): Promise<string[]> {
  const paths: string[] = [];
  for (const [index, files] of folders.entries()) {
    const path = join(base, `${index}`);
    paths.push(path);
    await mkdir(path, { recursive: true });
    for (const [name, text] of files) await writeFile(join(path, name), text);
    await writeFile(join(path, 'README'), 'not JSON');
    await writeFile(join(path, 'x.JSON'), 'not JSON');
    await symlink('nowhere', join(path, `${index}-dangling.json`));
  }
  return paths;
}

async function ranPoststop(id: string): Promise<string[]> {
  await writeFile(ranLog, '');
  await bench.podman(['rm', '--force', '--time', '0', id]);
  return (await readFile(ranLog, 'utf8')).split('\n').filter((line) => line !== '');
}

async function compare(scenario: Scenario, base: string): Promise<Selection> {
  const folders = await writeFolders(base, scenario);
  const volume = scenario.bindMount ? ['--volume', `${join(bench.folder, 'volume')}:/volume`] : [];
  const notes = Object.entries(scenario.annotations).flatMap((pair) => [
    '--annotation',
    pair.join('='),
  ]);
  const id = await bench.create([...volume, ...notes], scenario.command);
  const init = await bench.init(id, folders);
  expect(init.stderr).toBe('');
  const config = (await bench.configOf(id)) as OciConfig;

  const set = await load(folders);
  expect(refusalsOf(set, { badFiles: 'refuse', brokenHooks: 'skip' })).toEqual([]);
  const selection = select(set, factsOf(config, scenario.bindMount));
  expect(injected(selection)).toEqual(config.hooks ?? {});
  const poststop = selection.stages.poststop.map(({ hook }) => hook.path);
  expect(poststop).toEqual(await ranPoststop(id));
  return selection;
}

test(`Lifehook and podman choose the same hooks for ${CONTAINERS} containers with over ${FILES_AT_LEAST} files`, async () => {
  const made: string[] = [];
  const all = scenarios(CONTAINERS, (n) => {
    const program = join(programs, `p${n}`);
    // Some programs are missing. Podman leaves such a hook out; Lifehook does so too, with a warning.
    if (n % 17 !== 0) made.push(program);
    return program;
  });
  for (const program of made) await symlink('note', program);
  const files = all.flatMap(({ folders }) => folders).reduce((sum, folder) => sum + folder.size, 0);
  expect(files).toBeGreaterThan(FILES_AT_LEAST);
  const chosen: Selection[] = [];
  for (const [index, scenario] of all.entries()) {
    chosen.push(await compare(scenario, join(bench.folder, `hooks-${index}`)));
  }
  // A comparison with hardly any chosen hook would prove little.
  expect(chosen.flatMap(({ stages }) => Object.values(stages).flat()).length).toBeGreaterThan(
    FILES_AT_LEAST,
  );
  expect(chosen.filter(({ stages }) => stages.poststop.length > 0).length).toBeGreaterThan(
    CONTAINERS / 2,
  );
}, 600_000);

describe('a hook file', () => {
  let id: string;
  let folder: string;

  beforeAll(async () => {
    id = await bench.create([], ['/bin/true']);
    folder = join(bench.folder, 'bad');
  });

  /** How podman and Lifehook's strict mode answer to a directory with only this file. */
  async function judge(text: string): Promise<{ podman: string; ours: string }> {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder);
    await writeFile(join(folder, 'a.json'), text);
    const init = await bench.init(id, [folder]);
    const refusals = refusalsOf(await load([folder]), { badFiles: 'refuse', brokenHooks: 'skip' });
    if (init.code === 0) {
      await bench.podman(['rm', '--force', '--time', '0', id]);
      id = await bench.create([], ['/bin/true']);
    }
    const word = (refused: boolean): string => (refused ? 'refuse' : 'accept');
    return { podman: word(init.code !== 0), ours: word(refusals.length > 0) };
  }

  const old = '"hook":"/bin/true","stages":["poststart"]';
  const head = '"version":"1.0.0","hook":{"path":"/bin/true"}';

  test.each([
    [
      'a missing comma',
      '{"hasbindmounts":true,"hook":"/bin/true","stages":["prestart"] "arguments":["-d"]}',
    ],
    ['a trailing comma', `{${old},}`],
    ['text after the end', `{${old}} x`],
    ['a byte order mark', `\u{FEFF}{${old}}`],
    ['no content', ''],
    ['null', 'null'],
    ['a version of the future', `{"version":"2.0.0",${old}}`],
    ['a version that is a number', `{"version":1,${old}}`],
    ['an unknown stage', '{"hook":"/bin/true","stages":["Prestart"]}'],
    ['no stages', '{"hook":"/bin/true"}'],
    ['no hook', '{"stages":["prestart"]}'],
    ['both synonyms', `{${old},"cmd":["a"],"cmds":["b"]}`],
    ['an invalid command pattern', `{${old},"cmds":["["]}`],
    ['a look-ahead', `{${head},"when":{"commands":["(?=x)"]},"stages":[]}`],
    ['an invalid annotation pattern', `{${head},"when":{"annotations":{"a**":""}},"stages":[]}`],
    [
      'a timeout with a fraction',
      '{"version":"1.0.0","hook":{"path":"/bin/true","timeout":1.5},"stages":[]}',
    ],
    ['a list instead of a string', '{"hook":["/bin/true"],"stages":["prestart"]}'],
  ])('with %s is refused by podman and by Lifehook', async (_what, text) => {
    expect(await judge(text)).toEqual({ podman: 'refuse', ours: 'refuse' });
  });

  test.each([
    ['annotation patterns that are valid only when joined', `{${old},"annotations":["(a","b)"]}`],
    ['keys in upper case', '{"HOOK":"/bin/true","STAGES":["poststart"]}'],
    ['a program that does not exist', '{"hook":"/nowhere","stages":["poststart"]}'],
    ['a repeated key', `{"hook":"/nowhere",${old}}`],
    ['no condition', `{${head},"stages":["poststart"]}`],
  ])('with %s is accepted by podman and by Lifehook', async (_what, text) => {
    expect(await judge(text)).toEqual({ podman: 'accept', ours: 'accept' });
  });

  test.each([
    [
      'timeout 0',
      '{"version":"1.0.0","hook":{"path":"/bin/true","timeout":0},"when":{},"stages":[]}',
    ],
    ['a relative path', '{"version":"1.0.0","hook":{"path":"test"},"when":{},"stages":[]}'],
  ])('with %s is refused by Lifehook only, as documented', async (_what, text) => {
    expect(await judge(text)).toEqual({ podman: 'accept', ours: 'refuse' });
  });
});

describe('documented differences from podman', () => {
  /** The hooks that podman injects for one file, and the hooks that Lifehook selects. */
  async function both(
    name: string,
    content: object,
  ): Promise<{ podman: OciConfig; ours: Selection }> {
    const folder = join(bench.folder, name);
    await mkdir(folder);
    await writeFile(join(folder, 'a.json'), JSON.stringify(content));
    const id = await bench.create([], ['/bin/true']);
    await bench.init(id, [folder]);
    const podman = (await bench.configOf(id)) as OciConfig;
    return { podman, ours: select(await load([folder]), factsOf(podman, false)) };
  }

  test('podman injects a stage that is named twice two times, Lifehook once with a warning', async () => {
    const stages = ['prestart', 'prestart'];
    const { podman, ours } = await both('twice', { hook: '/bin/true', stages, cmds: ['.'] });
    expect(podman.hooks?.['prestart']).toHaveLength(2);
    expect(ours.stages.prestart).toHaveLength(1);
    expect(ours.problems).toMatchObject([{ code: 'LHC122', severity: 'warning' }]);
  });

  test('only podman requires the program of a startContainer hook on the host', async () => {
    const stages = ['startContainer'];
    const { podman, ours } = await both('inside', { hook: '/nowhere', stages, cmds: ['.'] });
    expect(podman.hooks?.['startContainer']).toBeUndefined();
    expect(ours.stages.startContainer).toHaveLength(1);
  });
});
