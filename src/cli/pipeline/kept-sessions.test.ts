import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';

import { replay } from './kept-sessions.ts';

test.each(['text', 'json'])(
  'replay prints nothing of a session that ended before its first event, as %s',
  async (output) => {
    const project = mkdtempSync(join(tmpdir(), 'lifehook-replay-'));
    onTestFinished(() => {
      rmSync(project, { recursive: true });
    });
    const filename = join(project, 'skaffold.yaml');
    writeFileSync(filename, '');
    const session = join(project, '.lifehook/sessions/20260101T000000-0a0a0a0a');
    mkdirSync(session, { recursive: true });
    const record = { process: { pid: 1, started: 'never' }, verb: 'run', exitCode: 0 };
    writeFileSync(join(session, 'session.json'), JSON.stringify(record));
    const written: string[] = [];
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    try {
      expect(await replay('0a0a0a0a', { filename, output })).toBe(0);
    } finally {
      write.mockRestore();
    }
    expect(written.join('')).toBe('');
  },
);
