import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { LifehookError } from '../../model/problem.ts';
import type { Verb } from './command-for.ts';
import { runByFile } from './run-by-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-by-file-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function lay(path: string, text: string): Promise<string> {
  const full = join(folder, path);
  await mkdir(join(full, '..'), { recursive: true });
  await writeFile(full, text);
  return full;
}

/** The command lines that a verb runs, or the error code if the verb is refused. */
async function commandsOf(verb: Verb, ...paths: string[]): Promise<readonly string[] | string> {
  const commands: string[] = [];
  const run = async (args: readonly string[]): Promise<number> => {
    commands.push(args.join(' ').replaceAll(folder, '.'));
    return commands.length;
  };
  try {
    expect(await runByFile({ verb, paths, run })).toBe(commands.length);
    return commands;
  } catch (error) {
    return error instanceof LifehookError ? (error.problems[0]?.code ?? '') : String(error);
  }
}

const HOOK = '{ "hook": { "path": "/bin/true" }, "stages": ["poststop"] }';
const SKAFFOLD = 'apiVersion: skaffold/v4beta1\nkind: Config\n';
const SNAPSHOT = 'kind: ApplicationSnapshot\nmetadata: { name: a, namespace: shop }\n';

describe('a verb with a path', () => {
  it('runs the command of the lifecycle that the path belongs to', async () => {
    const hook = await lay('hooks.d/10-a.json', HOOK);
    const bundle = join(await lay('bundle/config.json', '{}'), '..');
    const pipeline = await lay('project/skaffold.yaml', SKAFFOLD);
    const web = await lay(
      'web.yaml',
      'kind: List\nitems: [{ kind: Deployment, metadata: { name: web } }]',
    );
    const snapshot = await lay('snapshot.yaml', SNAPSHOT);
    expect(await commandsOf('explain', hook, bundle)).toEqual([
      'oci explain --hooks-dir ./hooks.d',
      'oci explain ./bundle',
    ]);
    expect(await commandsOf('plan', pipeline, join(pipeline, '..'), web, snapshot)).toEqual([
      'pipeline plan --filename ./project/skaffold.yaml',
      'pipeline plan --filename ./project/skaffold.yaml',
      'rollout plan web --file ./web.yaml',
      'snapshot plan a --namespace shop',
    ]);
  });

  it('refuses a pipe, because its command would read it again', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    expect(await commandsOf('plan', join(folder, 'pipe'))).toBe('LHM021');
  });

  it('prints a command that can be copied if its path has a space', async () => {
    const pipeline = await lay('my project/skaffold.yaml', SKAFFOLD);
    const said: string[] = [];
    const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      said.push(String(text));
      return true;
    });
    try {
      await commandsOf('plan', pipeline);
    } finally {
      stderr.mockRestore();
    }
    expect(said).toEqual([`= lifehook pipeline plan --filename '${pipeline}'\n`]);
  });

  it('fails where the lifecycle of the path has no such command', async () => {
    const bundle = join(await lay('bundle/config.json', '{}'), '..');
    const pod = await lay('pod.yaml', 'kind: Pod\nmetadata: { name: a }\n');
    const text = await lay('text', 'hello');
    const broken = await lay('broken.yaml', 'a: [');
    expect(await commandsOf('plan', pod)).toBe('LHG068');
    expect(await commandsOf('plan', text)).toBe('LHG067');
    expect(await commandsOf('explain', join(bundle, '..'))).toBe('LHG067');
    expect(await commandsOf('plan', broken)).toBe('LHG030');
  });
});
