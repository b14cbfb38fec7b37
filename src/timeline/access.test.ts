import { describe, expect, it } from 'vitest';

import { Access, LINK_MS, linkPath, refusedOrigin } from './access.ts';

const key = 'k'.repeat(64);
const host = '127.0.0.1:4000';

interface Times {
  nowMs: number;
  monotonicMs: number;
}

function accessAt(at: Times): Access {
  return new Access({
    key,
    clock: { nowMs: () => at.nowMs, monotonicMs: () => at.monotonicMs },
  });
}

function newAccess(): { access: Access; at: Times } {
  const at = { nowMs: 1_000, monotonicMs: 0 };
  return { access: accessAt(at), at };
}

const tokenOf = (path: string): string => path.slice('/login?token='.length);
const token = (nonce = 'n1', by = key): string => tokenOf(linkPath(by, { nonce, nowMs: 1_000 }));
const cookieOf = (header: string): string => header.split(';')[0] ?? '';

describe('access to a timeline', () => {
  it('is granted once per link, with an HttpOnly, SameSite=Strict cookie (TIME-A1)', () => {
    const { access } = newAccess();
    const header = access.open(token(), { host }) ?? '';
    expect(header).toMatch(/^lifehook-timeline-4000=.+; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(access.isKnown({ host, cookie: `other=1; ${cookieOf(header)}` })).toBe(true);
    expect(access.open(token(), { host })).toBeNull();
    expect(access.open(token('n2'), { host })).not.toBeNull();
  });

  it('is not granted for an expired link, or for one signed with another key (TIME-A1)', () => {
    const { access, at } = newAccess();
    expect(access.open(token('n1', 'x'.repeat(64)), { host })).toBeNull();
    expect(access.open('', { host })).toBeNull();
    expect(access.open(`zzzz.n1.${token().split('.')[2]}`, { host })).toBeNull();
    at.nowMs += LINK_MS + 1;
    expect(access.open(token(), { host })).toBeNull();
  });

  it('expires after a day, and holds for one port only', () => {
    const { access, at } = newAccess();
    const cookie = cookieOf(access.open(token(), { host }) ?? '');
    expect(access.isKnown({ host: '127.0.0.1:4001', cookie })).toBe(false);
    expect(access.isKnown({ host, cookie: `${cookie}x` })).toBe(false);
    at.nowMs += 86_400_001;
    expect(access.isKnown({ host, cookie })).toBe(false);
  });

  it('does not accept the signature of a link as a cookie', () => {
    const { access } = newAccess();
    const [expires = '', , proof = ''] = token().split('.');
    const cookie = `lifehook-timeline-4000=${expires}.${proof}`;
    expect(access.isKnown({ host, cookie })).toBe(false);
  });

  it('is not granted for a link from before a restart, which may have been opened', () => {
    const at = { nowMs: 1_000, monotonicMs: 0 };
    const start = (): Access => accessAt(at);
    expect(start().open(token(), { host })).not.toBeNull();
    at.nowMs += 1;
    const restarted = start();
    expect(restarted.open(token(), { host })).toBeNull();
    const later = tokenOf(linkPath(key, { nonce: 'n2', nowMs: at.nowMs }));
    expect(restarted.open(later, { host })).not.toBeNull();
  });

  it('is granted for a new link after the clock was set back, and not for one from before', () => {
    const at = { nowMs: 7_200_000, monotonicMs: 0 };
    const access = accessAt(at);
    const path = (nonce: string): string => tokenOf(linkPath(key, { nonce, nowMs: at.nowMs }));
    const before = path('n1');
    Object.assign(at, { nowMs: 3_600_000, monotonicMs: 60_000 });
    expect(access.open(before, { host })).toBeNull();
    expect(access.open(path('n2'), { host })).not.toBeNull();
  });

  it('is granted for a link of a time before this machine was suspended', () => {
    const { access, at } = newAccess();
    at.nowMs += LINK_MS / 2;
    expect(access.open(token(), { host })).not.toBeNull();
  });

  it('is refused while 1000 opened links are valid, and granted when they have expired', () => {
    const { access, at } = newAccess();
    const open = (nonce: string): string | null =>
      access.open(tokenOf(linkPath(key, { nonce, nowMs: at.nowMs })), { host });
    const opened = Array.from({ length: 1_000 }, (_, index) => open(`n${index}`));
    expect(opened).not.toContain(null);
    expect(open('one-more')).toBeNull();
    at.nowMs += LINK_MS + 1;
    expect(open('later')).not.toBeNull();
  });

  it('survives a restart of the server by its cookie', () => {
    const cookie = cookieOf(newAccess().access.open(token(), { host }) ?? '');
    expect(newAccess().access.isKnown({ host, cookie })).toBe(true);
  });

  it('is refused under a foreign host name, and to pages of another origin (TIME-A2)', () => {
    expect(refusedOrigin({ headers: { host } })).toBeNull();
    expect(
      refusedOrigin({ headers: { host: 'localhost:1', origin: 'http://localhost:1' } }),
    ).toBeNull();
    expect(refusedOrigin({ headers: { host: 'evil.example:4000' } })).toContain('127.0.0.1');
    expect(refusedOrigin({ headers: {} })).toContain('127.0.0.1');
    const origin = 'http://127.0.0.1:4001';
    expect(refusedOrigin({ headers: { host, origin } })).toBe(
      'pages of other sites may not read it',
    );
  });
});
