import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { OPTION_DEFAULTS } from './options.ts';
import {
  openSessionFolder,
  readSessionRecord,
  type SessionFolder,
  sessionFolders,
} from './session-folder.ts';

let state: string;

beforeEach(() => {
  state = join(mkdtempSync(join(tmpdir(), 'lifehook-session-')), '.lifehook');
});

afterEach(() => {
  rmSync(join(state, '..'), { recursive: true, force: true });
});

function open(verb: string): Promise<SessionFolder> {
  return openSessionFolder(state, {
    verb,
    runId: 'r',
    file: '/p/skaffold.yaml',
    options: OPTION_DEFAULTS,
  });
}

describe('the directory of a session', () => {
  it('keeps the journal, the command and the exit code after the session ends', async () => {
    const folder = await open('build');
    const opened = {
      type: 'RunOpened',
      runId: `${folder.id}-1`,
      atMs: 1,
      title: 'pre-build a',
      steps: [],
      deadlineAtMs: null,
    } as const;
    await folder.ledger.append(opened);
    expect((await readSessionRecord(folder.path))?.exitCode).toBeUndefined();
    await folder.close(3);
    expect(await readSessionRecord(folder.path)).toMatchObject({ verb: 'build', exitCode: 3 });
    expect(readFileSync(join(folder.path, 'journal', 'journal.jsonl'), 'utf8')).toContain(
      `${folder.id}-1`,
    );
  });

  it('is readable by this user only, and ignored by git', async () => {
    const folder = await open('build');
    await folder.close(0);
    expect(statSync(folder.path).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(state, '.gitignore'), 'utf8')).toBe('*\n');
  });

  it('is deleted after 30 newer sessions have ended, but not while its session runs', async () => {
    const running = await open('dev');
    const ended: string[] = [];
    // A name begins with the start time in seconds. All these sessions are of earlier days.
    for (let day = 10; day < 45; day += 1) ended.push(`202501${day}T000000-0000${day}00`);
    const record = JSON.stringify({ ...(await readSessionRecord(running.path)), exitCode: 0 });
    for (const name of ended) {
      mkdirSync(join(state, 'sessions', name));
      writeFileSync(join(state, 'sessions', name, 'session.json'), record);
    }
    const oldest = join(state, 'sessions', '20240101T000000-00000000');
    renameSync(running.path, oldest);
    const next = await open('build');
    const kept = readdirSync(join(state, 'sessions'));
    expect(kept).toContain('20240101T000000-00000000');
    expect(kept).not.toContain(ended[0]);
    expect(kept).toContain(ended.at(-1));
    // 29 ended sessions, the running one, and the new one.
    expect(kept).toHaveLength(31);
    expect((await sessionFolders(state))[0]).toBe(next.path);
    await next.close(0);
    renameSync(oldest, running.path);
    await running.close(0);
  });
});
