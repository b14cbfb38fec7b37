import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

import { host as nodeHost } from '../../../platform/node-shim-host.ts';
import type { Handing } from './hand-over.ts';
import { hasPlan, planPath, writePlan } from './postexit-plan.ts';
import { readRuntimeCall } from './runtime-args.ts';
import { DEFAULT_SETTINGS } from './runtime-settings.ts';
import { markStarted, settlePostexit } from './settle-postexit.ts';

const STARTED = new Date('2026-01-01T00:00:00Z');

interface Exit {
  readonly text: string;
  /** Seconds from the start of the container to its exit. */
  readonly after: number;
}

/** A container whose postexit hook was chosen at its create. */
class Stand {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'lifehook-postexit-'));
  readonly printed: string[] = [];
  readonly handing: Handing;
  readonly plan: string;

  constructor(args: readonly string[] = []) {
    onTestFinished(() => {
      rmSync(this.folder, { recursive: true });
    });
    const { folder, printed } = this;
    const settings = {
      ...DEFAULT_SETTINGS,
      spool: join(folder, 'spool'),
      exitsDirs: [join(folder, 'exits')],
    };
    this.handing = {
      host: { ...nodeHost, args, print: (_, text) => printed.push(text) },
      call: readRuntimeCall(['--root', '/run/crun', 'delete', 'web']),
      runtime: '/bin/true',
      settings,
    };
    this.plan = planPath(settings, this.handing.call);
  }

  async keep({ started = true }: { readonly started?: boolean } = {}): Promise<void> {
    // The hook records its input, its environment, and whether the plan still exists while it runs.
    const script = `cat >"${this.folder}/state"; cat /proc/$$/environ >"${this.folder}/env"; test -e "${this.plan}" && echo kept >"${this.folder}/kept"; true`;
    const state = { id: 'web', status: 'stopped' };
    const entry = { path: '/bin/sh', args: ['sh', '-c', script], env: ['A=1'] };
    await writePlan(this.handing.host.files, this.plan, {
      state,
      bundle: this.folder,
      entry,
      count: 1,
    });
    if (!started) return;
    await markStarted(this.handing);
  }

  exits({ text, after }: Exit): void {
    const path = join(this.folder, 'exits', 'web');
    mkdirSync(join(this.folder, 'exits'), { recursive: true });
    writeFileSync(path, text);
    const at = new Date(STARTED.getTime() + after * 1_000);
    utimesSync(path, at, at);
  }

  read(name: string): string | null {
    try {
      return readFileSync(join(this.folder, name), 'utf8');
    } catch {
      return null;
    }
  }

  isPlanned(): Promise<boolean> {
    return hasPlan(this.handing.host.files, this.plan);
  }
}

describe('postexit hooks behind an engine', () => {
  it('get the state with the exit code that the engine has left, in the bundle', async () => {
    const stand = new Stand();
    await stand.keep();
    stand.exits({ text: '137\n', after: 5 });
    await settlePostexit(stand.handing);
    const state = { id: 'web', status: 'stopped', exitCode: 137, signal: null };
    expect(JSON.parse(stand.read('state') ?? '')).toEqual(state);
    // OCI-CASE25: the hook gets nothing of the host's environment.
    expect((stand.read('env') ?? '').split('\0').filter((entry) => entry !== '')).toEqual([
      'A=1',
      '0:LIFEHOOK_EXIT_CODE=137',
      '0:LIFEHOOK_EXIT_SIGNAL=',
    ]);
    expect(stand.printed).toEqual([]);
  });

  it('run once at most: their plan is removed before they begin', async () => {
    const stand = new Stand();
    await stand.keep();
    stand.exits({ text: '0', after: 5 });
    await settlePostexit(stand.handing);
    expect(stand.read('state')).not.toBeNull();
    expect(stand.read('kept')).toBeNull();
    expect(await stand.isPlanned()).toBe(false);
  });

  it('do not run for a container that was never started, which has no exit', async () => {
    const stand = new Stand();
    await stand.keep({ started: false });
    stand.exits({ text: '0', after: 5 });
    await settlePostexit(stand.handing);
    expect([stand.read('state'), await stand.isPlanned(), stand.printed]).toEqual([
      null,
      false,
      [],
    ]);
  });

  it.each([
    ['there is none', null],
    ['it is that of an earlier container of this name', { text: '0', after: -5, isOld: true }],
    ['it is no number', { text: 'soon', after: 5, isOld: false }],
  ])('do not run without the exit code (%s), and a warning says so', async (_, exit) => {
    const stand = new Stand();
    if (exit?.isOld === true) stand.exits(exit);
    await stand.keep();
    if (exit?.isOld === false) stand.exits(exit);
    await settlePostexit(stand.handing);
    expect(stand.read('state')).toBeNull();
    expect(stand.printed.join('')).toContain('LHC318');
    expect(stand.printed.join('')).toContain(
      `its exit code is in none of ${join(stand.folder, 'exits')}`,
    );
    // The runtime may refuse the delete, and then the container continues.
    expect(await stand.isPlanned()).toBe(true);
  });

  it('run when the clock was set back between the start and the exit', async () => {
    const stand = new Stand();
    await stand.keep();
    stand.exits({ text: '3', after: -5 });
    await settlePostexit(stand.handing);
    expect(JSON.parse(stand.read('state') ?? '')).toMatchObject({ exitCode: 3 });
    expect(stand.printed).toEqual([]);
  });

  it('do not run when the engine removes the exit code while it is read', async () => {
    const stand = new Stand();
    await stand.keep();
    stand.exits({ text: '0', after: 5 });
    const { host } = stand.handing;
    const read: typeof host.files.read = (path) =>
      host.files.read(path.includes('/exits/') ? `${path}.removed` : path);
    await settlePostexit({ ...stand.handing, host: { ...host, files: { ...host.files, read } } });
    expect(stand.read('state')).toBeNull();
    expect(stand.printed.join('')).toContain('LHC318');
  });

  it.each(['--force', '-f'])('are given up by a delete with %s', async (option) => {
    const stand = new Stand(['delete', option, 'web']);
    await stand.keep();
    await settlePostexit(stand.handing);
    expect(await stand.isPlanned()).toBe(false);
  });

  it('of no plan are none', async () => {
    const stand = new Stand();
    await settlePostexit(stand.handing);
    expect(stand.printed).toEqual([]);
  });
});
