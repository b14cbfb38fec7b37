import { describe, expect, it } from 'vitest';

import { type HolderFacts, noFacts, sessionEnd, takeReport } from './holder-report.ts';

const NONCE = 'a1b2c3d4e5f60718';
const lost = { kind: 'lost', cause: 'closed', why: 'the connection broke' } as const;
const exited = { kind: 'status', status: { kind: 'Status', status: 'Success' } } as const;

function reported(...lines: readonly string[]): HolderFacts {
  const facts = noFacts();
  for (const line of lines) takeReport(facts, line, NONCE);
  return facts;
}

const commands = { hasClient: false, windowSeconds: 15 };
const client = { hasClient: true, windowSeconds: 15 };

describe('takeReport', () => {
  it('reads only lines that begin with the nonce', () => {
    const lies = [
      'frozen',
      `${NONCE}frozen`,
      ` ${NONCE} frozen`,
      'a1b2 frozen',
      `x ${NONCE} frozen`,
    ];
    expect(reported(...lies, `${NONCE} nonsense 1`, NONCE)).toEqual(noFacts());
    expect(reported(`${NONCE} frozen`).frozen).toBe(true);
  });

  it('keeps the first cause of a thaw, and reads an invalid exit code as a failure', () => {
    const facts = reported(
      `${NONCE} thawing silence`,
      `${NONCE} thawing asked`,
      `${NONCE} thawed zero`,
    );
    expect(facts).toMatchObject({ cause: 'silence', thawedCode: 255 });
  });
});

describe('sessionEnd', () => {
  it.each([
    ['asked', 'session', 'on request'],
    ['aborted', 'session', 'the freeze was not complete in time'],
    ['failed', 'session', 'the freeze failed'],
    ['eof', 'deadman', 'the connection was lost or closed'],
    ['silence', 'deadman', 'the controller had been silent for 15 s'],
    ['expiry', 'deadman', 'its maximum time had passed'],
    ['terminated', 'deadman', 'it was terminated by a signal'],
  ])('reports a thaw for the cause %s as done by %s', (cause, by, words) => {
    const end = sessionEnd(
      reported(`${NONCE} thawing ${cause}`, `${NONCE} thawed 0`),
      null,
      commands,
    );
    expect(end).toMatchObject({ kind: 'thawed', by, exitCode: 0 });
    expect(end?.reason).toContain(words);
  });

  it('is null while the connection is open and no thaw is reported', () => {
    expect(sessionEnd(reported(`${NONCE} frozen`), null, commands)).toBeNull();
    expect(sessionEnd(reported(`${NONCE} thawing asked`), null, commands)).toBeNull();
  });

  it('reports a thaw received before the connection was lost', () => {
    const facts = reported(`${NONCE} thawing eof`, `${NONCE} thawed 3`);
    expect(sessionEnd(facts, lost, commands)).toMatchObject({ kind: 'thawed', exitCode: 3 });
  });

  it('reports a client that exited as broken, but as thawed after the thaw started', () => {
    expect(sessionEnd(reported(`${NONCE} ended 1`), null, client)).toMatchObject({
      kind: 'broken',
    });
    const facts = reported(`${NONCE} thawing asked`, `${NONCE} ended 0`);
    expect(sessionEnd(facts, null, client)).toMatchObject({ kind: 'thawed', by: 'session' });
  });

  it('names whether the container still thaws after a session helper exited silently', () => {
    const facts = reported(`${NONCE} timing sleep`, `${NONCE} frozen`);
    expect(sessionEnd(facts, exited, client)).toMatchObject({ kind: 'broken' });
    expect(sessionEnd(facts, exited, commands)?.reason).toContain('nothing in the container thaws');
    expect(sessionEnd(facts, lost, commands)?.reason).toContain('thaws within its window');
    const eof = reported(`${NONCE} timing eof`, `${NONCE} frozen`);
    expect(sessionEnd(eof, lost, commands)?.reason).toContain('thaws once its input ends');
  });

  it.each([
    [
      'a thaw that succeeded',
      reported(`${NONCE} thawing asked`, `${NONCE} thawed 0`),
      'The session helper thawed on request.',
    ],
    [
      'a thaw that failed, with its exit code',
      reported(`${NONCE} thawing asked`, `${NONCE} thawed 3`),
      'The session helper thawed with exit code 3 on request.',
    ],
    [
      'a client that was killed, whose session has ended with it',
      reported(`${NONCE} thawing asked`, `${NONCE} killed`),
      'The session helper thawed on request. The client did not execute its thaw and was killed, and its session ended with it.',
    ],
    [
      'a client that ended by itself',
      reported(`${NONCE} ended 12`),
      'The client ended by itself, with exit code 12, and its session with it.',
    ],
  ])('names %s', (_, facts, reason) => {
    expect(sessionEnd(facts, null, client)?.reason).toBe(reason);
  });

  it('names how the session helper ended where it reported nothing', () => {
    const reasonOf = (connection: Parameters<typeof sessionEnd>[1], how = commands) => {
      const end = sessionEnd(reported(`${NONCE} timing sleep`), connection, how);
      return `${end?.kind ?? ''}: ${end?.reason ?? ''}`;
    };
    expect(reasonOf(exited, client)).toBe(
      'broken: The session helper exited with code 0. The client that it ran, and the session of that client, ended too.',
    );
    expect(reasonOf(exited)).toBe(
      'lost: The session helper exited with code 0 before its thaw, so nothing in the container thaws by itself any more.',
    );
    expect(reasonOf(lost, client)).toBe(
      'lost: The session was lost: the connection broke before the server reported the end of the command. The session helper thaws within its window.',
    );
  });
});

describe('the exit code of a report', () => {
  it.each([
    ['0', 0],
    ['127', 127],
    ['1x', 255],
    ['x1', 255],
    ['1000', 255],
    ['', 255],
  ])('%j is %i: one that cannot be read is no success', (text, code) => {
    expect(reported(`${NONCE} thawed ${text}`).thawedCode).toBe(code);
  });

  it('is not read from a line that only begins like the nonce', () => {
    expect(reported(`${NONCE}x frozen`, `${NONCE} alive`, `b${NONCE} frozen`)).toEqual(noFacts());
    expect(noFacts().killed).toBe(false);
    expect(reported(`${NONCE} killed`).killed).toBe(true);
    expect(reported(`${NONCE} failed 3`).failedCode).toBe(3);
  });
});
