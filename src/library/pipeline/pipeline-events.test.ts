import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { readPipelineEvents } from './pipeline-events.ts';

function projectWith(files: Readonly<Record<string, string>>): string {
  const project = mkdtempSync(join(tmpdir(), 'lifehook-events-'));
  onTestFinished(() => {
    rmSync(project, { recursive: true });
  });
  writeFileSync(join(project, 'skaffold.yaml'), '');
  const session = join(project, '.lifehook/sessions/20260101T000000-0a0a0a0a');
  mkdirSync(session, { recursive: true });
  const record = { process: { pid: 1, started: 'never' }, verb: 'run', exitCode: 0 };
  for (const [name, text] of Object.entries({ 'session.json': JSON.stringify(record), ...files })) {
    writeFileSync(join(session, name), text);
  }
  return project;
}

test('readPipelineEvents returns the events, without a truncated line', async () => {
  const event = { atMs: 1, runId: 'r', type: 'Iteration', number: 1, changed: ['é'] };
  const line = JSON.stringify(event);
  const project = projectWith({ 'events.ndjson': `${line}\n${line.slice(0, -2)}` });
  expect(await readPipelineEvents({ project })).toEqual([event]);
  expect(await readPipelineEvents({ project, session: '0a0a0a0a' })).toEqual([event]);
  expect(await readPipelineEvents({ project, session: 'other' })).toEqual([]);
});

test('readPipelineEvents returns nothing of a session that was killed before its first event', async () => {
  expect(await readPipelineEvents({ project: projectWith({}) })).toEqual([]);
});
