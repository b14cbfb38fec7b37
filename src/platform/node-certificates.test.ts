import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { MadeCertificate } from './node-certificate.ts';
import {
  type CertificateName,
  type CertificateStore,
  currentCertificates,
  serverCertificates,
  type ServerCertificates,
} from './node-certificates.ts';
import { nodeFiles } from './files.ts';
import type { Files } from './platform.ts';
import { posixError } from './posix-error.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 0, 1);

class MemoryStore implements CertificateStore {
  readonly pairs = new Map<CertificateName, MadeCertificate>();

  async read(name: CertificateName): Promise<MadeCertificate | null> {
    return this.pairs.get(name) ?? null;
  }

  async write(name: CertificateName, pair: MadeCertificate): Promise<void> {
    this.pairs.set(name, pair);
  }
}

const on = (store: CertificateStore, day: number): Promise<ServerCertificates> =>
  currentCertificates({ store, nowMs: START_MS + day * DAY_MS, hosts: ['web.x.svc'] });

const authorities = ({ authority }: ServerCertificates): X509Certificate[] =>
  authority
    .split(/(?<=-----END CERTIFICATE-----\n)/u)
    .filter((text) => text !== '')
    .map((text) => new X509Certificate(text));

/** Whether a client that trusts the CAs of `trusted` accepts the server certificate of `shown`. */
function believes(trusted: ServerCertificates, shown: ServerCertificates): boolean {
  const certificate = new X509Certificate(shown.certificate);
  return authorities(trusted).some((one) => certificate.verify(one.publicKey));
}

describe('the certificates of a server', () => {
  it('are kept while they are valid', async () => {
    const store = new MemoryStore();
    const first = await on(store, 0);
    expect(await on(store, 300)).toEqual(first);
    expect(new X509Certificate(first.certificate).checkHost('web.x.svc')).toBe('web.x.svc');
  });

  it('are renewed two months before they expire, by the same authority', async () => {
    const store = new MemoryStore();
    const first = await on(store, 0);
    const second = await on(store, 310);
    expect(second.certificate).not.toBe(first.certificate);
    expect(second.authority).toBe(first.authority);
    expect(believes(first, second)).toBe(true);
  });

  it('rotate the authority without a gap: each day is trusted the day before and after', async () => {
    const store = new MemoryStore();
    const days = Array.from({ length: 60 }, (_, index) => 3_260 + index);
    await on(store, 0);
    const shown: ServerCertificates[] = [];
    for (const day of days) shown.push(await on(store, day));
    const broken = shown.filter((now, index) => {
      const [before, after] = [shown[index - 1] ?? now, shown[index + 1] ?? now];
      return (
        !believes(now, now) ||
        !believes(before, now) ||
        !believes(now, before) ||
        !believes(after, now)
      );
    });
    expect(broken).toEqual([]);
    const counts = new Set(shown.map((one) => authorities(one).length));
    expect([...counts]).toEqual([1, 2]);
    const [first, last] = [shown[0], shown.at(-1)];
    expect(believes({ ...(first as ServerCertificates) }, last as ServerCertificates)).toBe(false);
  });

  it('include the old authority until it expires, and no longer', async () => {
    const store = new MemoryStore();
    const first = await on(store, 0);
    expect(authorities(await on(store, 3_640))).toHaveLength(2);
    const last = await on(store, 3_651);
    expect(authorities(last)).toHaveLength(1);
    expect(authorities(last)[0]?.fingerprint).not.toBe(authorities(first)[0]?.fingerprint);
    expect(believes(last, last)).toBe(true);
  });

  it('are created again when all have expired', async () => {
    const store = new MemoryStore();
    await on(store, 0);
    const late = await on(store, 9_000);
    expect(believes(late, late)).toBe(true);
    expect(await on(store, 9_001)).toEqual(late);
  });
});

describe('the certificates in a directory', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lifehook-tls-'));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  const kept = (files: Files = nodeFiles): Promise<ServerCertificates> =>
    serverCertificates({ files, folder, nowMs: START_MS });

  it.each(['EACCES', 'EMFILE', 'ENFILE', 'ENOMEM', 'EIO'])(
    'stay when they cannot be read (%s)',
    async (code) => {
      const first = await kept();
      const read = (): Promise<string> => Promise.reject(posixError(code, 'no'));
      await expect(kept({ ...nodeFiles, read })).rejects.toHaveProperty('code', code);
      expect(await kept()).toEqual(first);
    },
  );

  it.each(['', 'no certificate'])('are created again when a file has the text %j', async (text) => {
    const first = await kept();
    await writeFile(join(folder, 'ca.crt'), text);
    const second = await kept();
    expect(believes(first, second)).toBe(false);
    expect(believes(second, second)).toBe(true);
  });
});
