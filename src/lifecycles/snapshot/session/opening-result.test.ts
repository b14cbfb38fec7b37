/** The messages about a session that was opened, or could not be opened (SNAP-R36, SNAP-G17). */
import { describe, expect, it } from 'vitest';

import { ApiError } from '../../../kube/api-error.ts';
import type { SessionEnd as ConnectionEnd } from '../../../kube/stream-session.ts';
import { type HolderFacts, noFacts } from './holder-report.ts';
import {
  brokenResult,
  frozenResult,
  type Opening,
  refusedResult,
  stoppedResult,
  tooLateResult,
} from './opening-result.ts';
import type { SessionEnd } from './session.ts';

const output = { text: 'what it said', totalBytes: 12 };
const opening = (facts: Partial<HolderFacts>): Opening => ({
  facts: { ...noFacts(), ...facts },
  durationMs: 7,
  output,
});
const refused = (code: number, reason: string, message: string) =>
  refusedResult(new ApiError(code, { reason, message }), { namespace: 'ns', durationMs: 7 });
const lost: SessionEnd = { kind: 'lost', reason: 'The connection was lost.' };
const undone: SessionEnd = {
  kind: 'thawed',
  by: 'session',
  exitCode: 0,
  reason: 'The session helper thawed.',
};
const ended = (status: object): ConnectionEnd =>
  ({ kind: 'status', status }) as unknown as ConnectionEnd;

describe('a session that was opened', () => {
  it.each([
    ['read', 'if the connection is silent for the dead-man window, measured by "read -t"'],
    ['sleep', 'if the connection is silent for the dead-man window, measured by "sleep"'],
    ['eof', 'only when the connection ends, since the image has neither "read -t" nor "sleep"'],
  ] as const)('reports how it thaws by itself: %s', (timing, how) => {
    expect(frozenResult(opening({ timing }))).toMatchObject({
      outcome: 'Succeeded',
      exitCode: 0,
      durationMs: 7,
      stdout: output,
      reason: `Frozen; the session helper thaws by itself ${how}.`,
    });
  });

  it('counts as one that only the end of the connection ends, where it did not report more', () => {
    expect(frozenResult(opening({}))).toEqual(frozenResult(opening({ timing: 'eof' })));
  });
});

describe('a session that was not opened in time', () => {
  it('has begun nothing before it was open', () => {
    expect(tooLateResult('TimedOut', 'took longer than 5 s', 7)).toMatchObject({
      session: null,
      notStarted: 'Unreached',
      result: {
        outcome: 'TimedOut',
        durationMs: 7,
        reason: 'The opening of the session took longer than 5 s. Nothing was started.',
      },
    });
  });

  it('reports what the session helper undid after that', () => {
    const stopped = stoppedResult(opening({}), 'Cancelled', { why: 'was called off', undone });
    expect(stopped).toMatchObject({
      session: null,
      undone,
      result: {
        outcome: 'Cancelled',
        stdout: output,
        reason: 'The freeze was called off. The session helper thawed.',
      },
    });
    expect(stopped.notStarted).toBeUndefined();
  });
});

describe('a session that ended before it was frozen', () => {
  const status = (code: number): ConnectionEnd =>
    ended({
      status: 'Failure',
      reason: 'NonZeroExitCode',
      message: `exit code ${code}`,
      details: { causes: [{ reason: 'ExitCode', message: `${code}` }] },
    });
  const of = (
    facts: Partial<HolderFacts>,
    end: SessionEnd,
    connection: ConnectionEnd | null = null,
  ) => brokenResult(opening(facts), end, connection);

  it('has begun nothing where the session helper ended before its first report', () => {
    expect(of({}, lost, status(2))).toMatchObject({
      session: null,
      notStarted: 'Unreached',
      result: {
        outcome: 'Failed',
        stdout: output,
        reason:
          'The session helper did not start: it exited at once, with code 2. Nothing was started.',
      },
    });
  });

  it('names what to do where the image has no shell', () => {
    const reported = 'exec: "sh": executable file not found in $PATH';
    const missing = ended({ status: 'Failure', reason: 'InternalError', message: reported });
    const advice =
      ' A held session needs a POSIX "sh" in the image: use an image with one, name a container of the pod that has one, or use exec actions, which do not thaw by themselves.';
    expect(of({}, lost, missing).result.reason).toBe(
      `The session helper did not start: ${reported}. Nothing was started.${advice}`,
    );
    const silent = ended({ status: 'Failure', reason: 'InternalError' });
    expect(of({}, lost, silent).result.reason).toBe(
      'The session helper did not start: the server reported a failure: InternalError. Nothing was started.',
    );
  });

  it('is Unknown where the connection was lost on the way (SNAP-I13)', () => {
    expect(of({ timing: 'read' }, lost)).toMatchObject({
      undone: lost,
      result: { outcome: 'Unknown', exitCode: null, reason: 'The connection was lost.' },
    });
    expect(of({}, lost).result.outcome).toBe('Unknown');
  });

  it('has failed where the freeze reported its exit code, and names that', () => {
    const failed = of({ timing: 'read', failedCode: 3 }, undone, status(0));
    expect(failed).toMatchObject({
      undone,
      result: {
        outcome: 'Failed',
        exitCode: 3,
        stdout: output,
        reason: 'The freeze exited with code 3. The session helper thawed.',
      },
    });
    expect(failed.notStarted).toBeUndefined();
    expect(of({ timing: 'read', failedCode: 3 }, lost).result.outcome).toBe('Failed');
  });

  it('has failed where the client ended, with its exit code', () => {
    const broken: SessionEnd = { kind: 'broken', reason: 'The client ended.' };
    expect(of({ timing: 'read', endedCode: 1 }, broken).result).toMatchObject({
      outcome: 'Failed',
      exitCode: 1,
      reason: 'The client ended.',
    });
    expect(of({ timing: 'read' }, broken).result.outcome).toBe('Failed');
  });

  it('names a missing program (exit code 127)', () => {
    expect(of({ timing: 'read', failedCode: 127 }, undone).result.reason).toBe(
      'The freeze exited with code 127. The session helper thawed. Code 127 says that the image has no such program.',
    );
  });
});

describe('a session that the server refused', () => {
  it('names the right that is missing, and is denied permanently', () => {
    const denied = refused(403, 'Forbidden', 'pods "a" is forbidden');
    expect([denied.notStarted, denied.session, denied.result.outcome]).toEqual([
      'Denied',
      null,
      'Failed',
    ]);
    expect(denied.result.reason).toMatch(
      /^The session was not opened: .*pods\/exec in namespace ns.* Nothing was started\.$/u,
    );
  });

  it('has begun nothing, and may be opened again', () => {
    const unreached = refused(503, 'ServiceUnavailable', 'no route to the node');
    expect([unreached.notStarted, unreached.result.durationMs]).toEqual(['Unreached', 7]);
    expect(unreached.result.reason).toBe(
      'The session was not opened: no route to the node. Nothing was started.',
    );
  });

  it('names what to do where the runtime has found no shell', () => {
    const reported = 'no such file or directory: exec of sh failed';
    expect(refused(500, 'InternalError', reported).result.reason).toMatch(/needs a POSIX "sh"/u);
  });
});
