import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { LaunchFrames, launchedProcesses } from './launched-processes.ts';
import type { RunningProcess } from './platform.ts';

const SENT = Buffer.concat([
  Buffer.from('1 started 3\n4711 stdout 4\na\n'),
  Buffer.from([0xc3, 0x28]),
  Buffer.from('12 stderr 0\n1 exit 7\nSIGKILL'),
]);

test('frames are read alike wherever the stream is cut', () => {
  const whole = [
    { id: 1, kind: 'started', payload: '471' },
    { id: 1, kind: 'stdout', payload: 'a\nÃ(' },
    { id: 12, kind: 'stderr', payload: '' },
    { id: 1, kind: 'exit', payload: 'SIGKILL' },
  ];
  for (let size = 1; size <= SENT.length; size += 1) {
    const frames = new LaunchFrames();
    const read: unknown[] = [];
    for (let at = 0; at < SENT.length; at += size) {
      for (const { id, kind, payload } of frames.push(SENT.subarray(at, at + size))) {
        read.push({ id, kind, payload: payload.toString('latin1') });
      }
    }
    expect(read).toEqual(whole);
  }
});

/** A launcher that reports these frames, one before the first request and one after each further one. */
function launcherOf(...frames: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'lifehook-launcher-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const path = join(folder, 'launcher.sh');
  const steps = frames.map((frame) => `read -r request && printf '${frame}'`);
  writeFileSync(path, ['#!/bin/sh', ...steps, 'read -r request', ''].join('\n'), { mode: 0o755 });
  return path;
}

function childProcesses(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length;
}

/** A process id that no process can have. */
const PID = 2 ** 22 + 1;

test.each<[string, string, (running: RunningProcess) => void]>([
  ['has ended with its whole group', 'SIGTERM gone', () => undefined],
  [
    'leaves a group that is killed',
    'SIGTERM',
    (running) => {
      running.signalGroup('SIGKILL');
    },
  ],
  [
    'leaves a group that is found to have ended',
    'SIGTERM',
    (running) => {
      expect(running.groupAlive()).toBe(false);
      running.signalGroup('SIGKILL');
    },
  ],
])('a signalled program that %s does not keep this process alive', async (_, end, finish) => {
  const before = childProcesses();
  const started = String(PID);
  const launcher = launcherOf(
    `1 started ${started.length}\\n${started}`,
    `1 exit ${end.length}\\n${end}`,
  );
  const launched = launchedProcesses(launcher);
  onTestFinished(async () => {
    launched.close();
    await expect.poll(childProcesses).toBe(before);
  });
  const running = launched.spawn({ file: 'true', argv: ['true'], env: {} });
  expect(childProcesses()).toBe(before + 1);
  running.signalGroup('SIGTERM');
  await running.exited;
  finish(running);
  expect(childProcesses()).toBe(before);
});
