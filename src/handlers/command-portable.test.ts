import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';

import { eagerTime } from '../../test/fixtures/eager-time.ts';
import { neverCancelled } from '../engine/act.ts';
import { killWaitMs, runCommand } from './command.ts';

describe('runCommand', () => {
  test('gives up on a process that survives KILL, and reports that (ENG-C4)', async () => {
    const signals: string[] = [];
    const processes = {
      spawn: () => ({
        pid: 7,
        exited: new Promise<never>(() => undefined),
        signalGroup: (signal: string) => {
          signals.push(signal);
        },
        groupAlive: () => true,
      }),
    };
    const handler = { kind: 'command', command: ['stuck'] } as const;
    const result = await runCommand(
      handler,
      {
        runId: 'run',
        step: 'step',
        attempt: 1,
        timeoutMs: 1000,
        signal: neverCancelled,
      },
      { ...eagerTime(), processes },
    );
    expect(signals).toEqual(['SIGTERM', 'SIGKILL']);
    expect(result).toMatchObject({ outcome: 'TimedOut', exitCode: null, signal: null });
    expect(result.durationMs).toBe(1000 + 250 + killWaitMs);
    expect(result.reason).toBe('The command did not end within 1 s: it could not be killed.');
  });

  test.each([
    [3, { exitCode: 1 }, 'exited with code 1'],
    [Infinity, { exitCode: null }, 'could not be killed'],
  ])(
    'repeats a KILL that could not find all processes %s times, within its limit',
    async (failures, expected, reason) => {
      let left = failures;
      const processes = {
        spawn: () => {
          let end: (exit: { code: number; signal: null }) => void = () => undefined;
          return {
            pid: 7,
            exited: new Promise<{ code: number; signal: null }>((resolve) => {
              end = resolve;
            }),
            signalGroup: () => {
              end({ code: 1, signal: null });
            },
            groupAlive: () => true,
            finishKill: () => {
              left -= 1;
              return left < 0;
            },
          };
        },
      };
      const request = { runId: 'run', step: 'step', attempt: 1, timeoutMs: 1000 };
      const result = await runCommand(
        { kind: 'command', command: ['shy'] },
        { ...request, signal: neverCancelled },
        { ...eagerTime(), processes },
      );
      expect(result).toMatchObject({ outcome: 'TimedOut', ...expected });
      expect(result.reason).toContain(reason);
      expect(left < 0).toBe(failures === 3);
    },
  );

  test('uses no global that QuickJS lacks', async () => {
    const bundle = await build({
      entryPoints: ['src/handlers/command.ts'],
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'neutral',
      minifyWhitespace: true,
    });
    const code = bundle.outputFiles[0]?.text ?? '';
    expect(code).toContain('SIGTERM');
    const missing =
      /\b(AbortController|AbortSignal|TextDecoder|TextEncoder|URL|Buffer|structuredClone|console|process|performance|setTimeout|setImmediate|queueMicrotask)\b(?!:)/;
    expect(missing.exec(code)?.[0]).toBeUndefined();
  });
});
