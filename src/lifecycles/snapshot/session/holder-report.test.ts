import { describe, expect, it } from 'vitest';

import { type HolderFacts, noFacts, sessionEnd, takeReport } from './holder-report.ts';

const NONCE = 'a1b2c3d4e5f60718';
const lost = { kind: 'lost', cause: 'closed', why: 'the connection broke' } as const;
const exited = { kind: 'status', status: { kind: 'Status', status: 'Success' } } as const;

function told(...lines: readonly string[]): HolderFacts {
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
    expect(told(...lies, `${NONCE} nonsense 1`, NONCE)).toEqual(noFacts());
    expect(told(`${NONCE} frozen`).frozen).toBe(true);
  });

  it('keeps the first cause of a thaw, and reads an invalid exit code as a failure', () => {
    const facts = told(
      `${NONCE} thawing silence`,
      `${NONCE} thawing asked`,
      `${NONCE} thawed zero`,
    );
    expect(facts).toMatchObject({ cause: 'silence', thawedCode: 255 });
  });
});

describe('sessionEnd', () => {
  it.each([
    ['asked', 'session', 'as it was asked to'],
    ['aborted', 'session', 'the freeze had not come in time'],
    ['failed', 'session', 'the freeze failed'],
    ['eof', 'deadman', 'the connection was lost or closed'],
    ['silence', 'deadman', 'heard nothing of us for 15 s'],
    ['expiry', 'deadman', 'its longest time had passed'],
  ])('reports a thaw for the cause %s as done by %s', (cause, by, words) => {
    const end = sessionEnd(told(`${NONCE} thawing ${cause}`, `${NONCE} thawed 0`), null, commands);
    expect(end).toMatchObject({ kind: 'thawed', by, exitCode: 0 });
    expect(end?.reason).toContain(words);
  });

  it('is null while the connection is open and no thaw is reported', () => {
    expect(sessionEnd(told(`${NONCE} frozen`), null, commands)).toBeNull();
    expect(sessionEnd(told(`${NONCE} thawing asked`), null, commands)).toBeNull();
  });

  it('reports a thaw received before the connection was lost', () => {
    const facts = told(`${NONCE} thawing eof`, `${NONCE} thawed 3`);
    expect(sessionEnd(facts, lost, commands)).toMatchObject({ kind: 'thawed', exitCode: 3 });
  });

  it('reports a client that exited as broken, but as thawed after the thaw started', () => {
    expect(sessionEnd(told(`${NONCE} ended 1`), null, client)).toMatchObject({ kind: 'broken' });
    const facts = told(`${NONCE} thawing asked`, `${NONCE} ended 0`);
    expect(sessionEnd(facts, null, client)).toMatchObject({ kind: 'thawed', by: 'session' });
  });

  it('names whether the container still thaws after a session helper exited silently', () => {
    const facts = told(`${NONCE} timing sleep`, `${NONCE} frozen`);
    expect(sessionEnd(facts, exited, client)).toMatchObject({ kind: 'broken' });
    expect(sessionEnd(facts, exited, commands)?.reason).toContain('nothing in the container thaws');
    expect(sessionEnd(facts, lost, commands)?.reason).toContain('thaws within its window');
    const eof = told(`${NONCE} timing eof`, `${NONCE} frozen`);
    expect(sessionEnd(eof, lost, commands)?.reason).toContain('thaws once its input ends');
  });
});
