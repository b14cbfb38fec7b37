import { chmodSync, lstatSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';

import { plainDocker as DOCKER } from '../../../../test/fixtures/pipeline/docker-builder.ts';
import {
  artifactIn,
  type BuildStand,
  buildStand,
  customBuilder,
} from '../../../../test/fixtures/pipeline/build-stand.ts';
import type { CustomBuilder } from '../config/model.ts';
import type { PhaseResult } from '../session.ts';
import { type ContextSource, dockerContext, inBuildContext } from './build-context.ts';
import { warnOfRecords } from './builders.ts';
import type { ContainerProgram } from './docker-argv.ts';

const stands: BuildStand[] = [];

afterEach(() => {
  for (const one of stands.splice(0)) {
    chmodSync(`${one.folder}/closed`, 0o755);
    one.remove();
  }
});

function stand(): BuildStand {
  const s = buildStand();
  stands.push(s);
  s.write('page', 'hello');
  s.write('run.sh', 'true', 0o755);
  s.write('closed/file', 'c', 0o640);
  chmodSync(`${s.folder}/closed`, 0o555);
  mkdirSync(`${s.folder}/empty`);
  symlinkSync('closed', `${s.folder}/to-folder`);
  symlinkSync('nothing', `${s.folder}/to-nothing`);
  return s;
}

interface Seen {
  readonly folder: string;
  readonly names: readonly string[];
  readonly modes: Readonly<Record<string, string>>;
}

/** The files that a builder receives. */
async function sent(s: BuildStand, more: Partial<ContextSource> = {}): Promise<Seen> {
  const source = {
    folder: s.folder,
    image: 'web',
    reference: 'web:v1',
    leavesOut: () => false,
    hasExceptions: false,
    mustCopy: false,
    ...more,
  };
  const work = (folder: string, advice: string | null): Promise<PhaseResult<Seen>> => {
    if (advice !== null)
      return Promise.resolve({ outcome: 'Failed', exitCode: 1, message: advice });
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
    const modeOf = (name: string): string => lstatSync(`${folder}/${name}`).mode.toString(8);
    const modes = Object.fromEntries(names.map((name) => [name, modeOf(name)]));
    return Promise.resolve({ outcome: 'Succeeded', value: { folder, names, modes } });
  };
  const result = await inBuildContext(source, s.session, work);
  if (result.outcome !== 'Succeeded') throw new Error(result.message);
  return result.value;
}

describe('inBuildContext', () => {
  test('gives the directory itself where it holds no records', async () => {
    const s = stand();
    expect((await sent(s)).folder).toBe(s.folder);
  });

  test('gives a copy with everything but the records, at any depth, and removes it', async () => {
    const s = stand();
    const plain = await sent(s);
    s.write('.lifehook/runs/1.json', 'a');
    s.write('part/.lifehook/sessions/2/events', 'b');
    s.write('.git/HEAD', 'ref');
    const copied = await sent(s);
    expect(copied.folder).not.toBe(s.folder);
    expect(copied.names).toEqual([...plain.names, '.git', '.git/HEAD', 'part'].toSorted());
    expect(copied.modes).toMatchObject(plain.modes);
    expect(readdirSync(`${s.folder}/scratch`)).toEqual([]);
  });

  test('gives a copy of files however deep they lie', async () => {
    const s = stand();
    const deep = `${'down/'.repeat(90)}leaf`;
    s.write(deep, 'x');
    s.write('.lifehook/runs/1.json', 'a');
    expect((await sent(s)).names).toContain(deep);
  });

  test('gives the directory itself where the records are left out anyway', async () => {
    const s = stand();
    s.write('.lifehook/runs/1.json', 'a');
    const leavesOut = (path: string): boolean => path.startsWith('.lifehook');
    expect((await sent(s, { leavesOut })).folder).toBe(s.folder);
  });

  /** A stand whose directory `other/in` may not be read, as if it belonged to another user. */
  function closedStand(): BuildStand {
    const s = stand();
    const { files } = s.session.platform;
    s.write('other/in/file', 'x');
    const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    const list = (path: string): Promise<string[]> =>
      path.endsWith('/other/in') ? Promise.reject(denied) : files.list(path);
    const platform = { ...s.session.platform, files: { ...files, list } };
    return { ...s, session: { ...s.session, platform } };
  }

  test('fails where a copy would lack a directory that may not be read, with its path and what to do', async () => {
    const s = closedStand();
    s.write('.lifehook/runs/1.json', 'a');
    const path = `${s.folder}/other/in`;
    await expect(sent(s)).rejects.toThrow(
      `error LHL304: The build context of web cannot be read: no right to read ${path}.\n  next: grant the right to read it (chmod -R u+rX ${path}), or leave other/in out, by the .dockerignore in ${s.folder}`,
    );
    const leavesOut = (one: string): boolean => one === 'other/in';
    expect((await sent(s, { leavesOut })).names).toContain('other');
    expect((await sent(s, { leavesOut, hasExceptions: true })).names).toContain('other');
  });

  test('advises the builder of the directory itself where a directory in it may not be read', async () => {
    const s = closedStand();
    await expect(sent(s)).rejects.toThrow(`chmod -R u+rX ${s.folder}/other/in`);
    expect((await sent(s, { leavesOut: (one) => one === 'other' })).folder).toBe(s.folder);
  });

  test('names the file that tar had no right to read', async () => {
    const s = stand();
    s.write('.lifehook/runs/1.json', 'a');
    const denied = 'tar: ./a key: Cannot open: Permission denied';
    const tar = `#!/bin/sh\ncase "$*" in *-cf*) cat >/dev/null; echo '${denied}' >&2; exit 2;; esac\ncat >/dev/null\n`;
    s.write('bin/tar', tar, 0o755);
    const { hooks } = s.session;
    const callerEnv = { PATH: `${s.folder}/bin:${hooks.callerEnv['PATH'] ?? ''}` };
    const session = { ...s.session, hooks: { ...hooks, callerEnv } };
    await expect(sent({ ...s, session })).rejects.toThrow(
      `The build context of web cannot be read: no right to read ${s.folder}/a key.`,
    );
  });

  test('fails where a file cannot be copied, although the rest can', async () => {
    const s = stand();
    s.write('.lifehook/runs/1.json', 'a');
    const tar =
      '#!/bin/sh\ncase "$*" in *-cf*) cat >/dev/null; echo no such page >&2; exit 2;; esac\ncat >/dev/null\n';
    s.write('bin/tar', tar, 0o755);
    const { hooks } = s.session;
    const callerEnv = { PATH: `${s.folder}/bin:${hooks.callerEnv['PATH'] ?? ''}` };
    const session = { ...s.session, hooks: { ...hooks, callerEnv } };
    await expect(sent({ ...s, session })).rejects.toThrow(
      /LHL304: The build context of web could not be copied(.|\n)*no such page/u,
    );
  });
});

describe('dockerContext', () => {
  async function leftOut(
    files: Readonly<Record<string, string>>,
    program: ContainerProgram = 'docker',
  ): Promise<string[]> {
    const s = stand();
    for (const [name, text] of Object.entries(files)) s.write(name, text);
    const builder = { ...DOCKER, dockerfile: 'deploy/Dockerfile' };
    const artifact = { ...artifactIn(s.folder, 'web'), builder };
    const { leavesOut } = await dockerContext(artifact, program, s.session);
    const asked = [
      'page',
      'run.sh',
      'deploy',
      'deploy/Dockerfile',
      'deploy/notes',
      '.dockerignore',
    ];
    return asked.filter((path) => leavesOut(path));
  }

  test('leaves out what .dockerignore does, but never the Dockerfile or the ignore file', async () => {
    expect(await leftOut({})).toEqual([]);
    expect(await leftOut({ '.dockerignore': '*\n' })).toEqual(['page', 'run.sh', 'deploy/notes']);
    expect(await leftOut({ '.dockerignore': '*\n!page\n' })).toEqual(['run.sh', 'deploy/notes']);
  });

  test('leaves out only what every ignore file that may count does', async () => {
    const special = { 'deploy/Dockerfile.dockerignore': 'page\nrun.sh\n' };
    expect(await leftOut(special)).toEqual([]);
    expect(await leftOut({ ...special, '.dockerignore': 'page\n' })).toEqual(['page']);
    const general = { '.dockerignore': 'page\n', '.containerignore': 'run.sh\n' };
    expect(await leftOut(general, 'docker')).toEqual(['page']);
    expect(await leftOut(general, 'podman')).toEqual([]);
  });
});

describe('a buildCommand that sends the project as a context', () => {
  async function warnings(buildCommand: string, ignore?: string): Promise<number> {
    const s = stand();
    s.write('.lifehook/runs/1.run.json', 'a');
    if (ignore !== undefined) s.write('.dockerignore', ignore);
    const builder = customBuilder(buildCommand) as CustomBuilder;
    await warnOfRecords({ image: 'web', context: s.folder, builder }, s.session);
    return s.events.filter((event) => event.type === 'Warning' && event.code === 'LHL319').length;
  }

  test('is warned of, unless the records are left out or nothing is sent', async () => {
    expect(await warnings('docker build -t $IMAGE .')).toBe(1);
    expect(await warnings('docker build -t $IMAGE .', '.lifehook\n')).toBe(0);
    expect(await warnings('./make-image.sh')).toBe(0);
  });
});
